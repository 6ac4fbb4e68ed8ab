use faer::sparse::{SparseColMat, Triplet};

use crate::error::{ContactError, SolveError, check_finite, check_length};
use crate::problem::body_blocks::check_dof;
use crate::problem::rows::{FIXED, Row, Rows};

/// The contact Jacobian B of `[OK18]`, `n_c × D n_b`, from velocities of bodies to rates of gaps. A contact acts on one
/// or two free bodies of D coordinates each.
///
/// Row i is the gradient of the gap of contact i: forces f ≥ 0 push apart, and Bᵀ f are their generalised forces. Fixed
/// bodies have no columns. The matrix is stored as rows with two body numbers, 32 bytes for a contact of spheres.
/// Products gather per contact and per body, so their bits do not depend on the number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactJacobian {
    pub(crate) rows: AnyRows,
}

/// Rows of the contact Jacobian, by kind of contact. Contacts of spheres have opposite coefficients on both sides, so
/// one side is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AnyRows {
    Spheres(Rows<3, 3>),
    Three(Rows<3, 6>),
    Six(Rows<6, 12>),
}

/// Evaluates an expression with the typed rows of a contact Jacobian, for each kind of contact.
macro_rules! with_rows {
    ($jacobian:expr, $rows:ident => $body:expr) => {
        match &$jacobian.rows {
            $crate::problem::contact_jacobian::AnyRows::Spheres($rows) => $body,
            $crate::problem::contact_jacobian::AnyRows::Three($rows) => $body,
            $crate::problem::contact_jacobian::AnyRows::Six($rows) => $body,
        }
    };
}
pub(crate) use with_rows;

/// Numbers of the two bodies of a contact, `None` for a fixed body.
pub type BodyPair = [Option<usize>; 2];

impl ContactJacobian {
    /// Makes the Jacobian of contacts between spheres with three coordinates each, those of the centre, since
    /// frictionless contacts do not turn spheres. `normals[i]` is the unit normal from the first body of `pairs[i]` to
    /// the second.
    ///
    /// # Errors
    /// As [`ContactJacobian::new`].
    pub fn spheres(bodies: usize, pairs: &[BodyPair], normals: &[[f64; 3]]) -> Result<Self, SolveError> {
        check_pairs(3, bodies, pairs)?;
        check_finite("coefficient", normals.as_flattened())?;
        check_length("normals", normals, pairs.len())?;
        let rows = pairs.iter().zip(normals).map(|(pair, &coefficients)| Row { coefficients, body: codes(pair) });
        let rows: Vec<Row<3>> = rows.collect();
        if let Some(contact) = normals.iter().position(|normal| normal.iter().all(|&x| x == 0.0)) {
            return Err(ContactError::NoFreeBody { contact }.into());
        }
        Ok(Self { rows: AnyRows::Spheres(Rows::new(bodies, rows)) })
    }

    /// Makes the Jacobian of contacts between bodies with `dof` coordinates each, 3 or 6. For bodies with fewer
    /// coordinates, fill up rows and loads with zeros.
    ///
    /// `coefficients` holds 2 `dof` numbers per contact: the gradient of the gap by the coordinates of the first body
    /// of the pair, then by those of the second. The numbers of a fixed body are ignored.
    ///
    /// # Errors
    /// [`ContactError::InvalidDof`], [`TooMany`](SolveError::TooMany), [`LengthMismatch`](SolveError::LengthMismatch),
    /// [`IndexOutOfRange`](ContactError::IndexOutOfRange), [`SameBody`](ContactError::SameBody),
    /// [`NoFreeBody`](ContactError::NoFreeBody) or [`NotFinite`](SolveError::NotFinite).
    pub fn new(dof: usize, bodies: usize, pairs: &[BodyPair], coefficients: &[f64]) -> Result<Self, SolveError> {
        check_dof(dof)?;
        check_length("coefficients", coefficients, 2 * dof * pairs.len())?;
        check_pairs(dof, bodies, pairs)?;
        let rows = if dof == 3 {
            AnyRows::Three(general(bodies, pairs, coefficients)?)
        } else {
            AnyRows::Six(general(bodies, pairs, coefficients)?)
        };
        Ok(Self { rows })
    }

    /// Number of contacts, the rows of the Jacobian.
    #[must_use]
    pub fn contacts(&self) -> usize {
        with_rows!(self, rows => rows.contacts.len())
    }

    /// Number of free bodies, each with D columns of the Jacobian.
    #[must_use]
    pub fn bodies(&self) -> usize {
        with_rows!(self, rows => rows.bodies())
    }

    /// Number D of coordinates per body, the columns of each body.
    #[must_use]
    pub fn dof(&self) -> usize {
        match self.rows {
            AnyRows::Spheres(_) | AnyRows::Three(_) => 3,
            AnyRows::Six(_) => 6,
        }
    }

    /// Number of columns: D coordinates for each free body.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.dof() * self.bodies()
    }

    /// Numbers of the two bodies of contact `i`, `None` for a fixed body.
    ///
    /// # Panics
    /// If there is no contact `i`.
    #[must_use]
    pub fn pair(&self, i: usize) -> BodyPair {
        with_rows!(self, rows => rows.contacts[i].body).map(|body| (body != FIXED).then_some(body as usize))
    }

    /// Computes B u: the rate of the gap of each contact at the velocities `u` of bodies, D numbers each.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn apply(&self, u: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("velocities", u, self.columns())?;
        check_length("rates", out, self.contacts())?;
        with_rows!(self, rows => rows.apply(u, out));
        Ok(())
    }

    /// Computes Bᵀ f: the generalised forces on bodies, D numbers each, of the contact forces `f`.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn apply_transpose(&self, f: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("contact forces", f, self.contacts())?;
        check_length("generalised forces", out, self.columns())?;
        with_rows!(self, rows => {
            let [] = rows.transpose_with(f, out, &|_, _| []);
        });
        Ok(())
    }

    /// Computes |B|ᵀ |f|: the sums of absolute contributions of the contact forces `f` to the generalised forces.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn sizes_of_forces(&self, f: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("contact forces", f, self.contacts())?;
        check_length("generalised forces", out, self.columns())?;
        with_rows!(self, rows => rows.sizes_of_forces(f, out));
        Ok(())
    }

    /// Assembles B as a sparse matrix, for solvers that need one.
    ///
    /// # Errors
    /// [`SolveError::TooMany`] if the entries cannot be counted.
    pub fn to_sparse(&self) -> Result<SparseColMat<usize, f64>, SolveError> {
        let triplets = with_rows!(self, rows => rows.triplets());
        let limit = usize::MAX;
        SparseColMat::try_new_from_triplets(self.contacts(), self.columns(), &triplets)
            .map_err(|_| SolveError::TooMany { what: "entries", found: triplets.len(), limit })
    }

    /// Returns the Jacobian of the contacts `kept`, in that order.
    ///
    /// # Panics
    /// If one of these contacts does not exist.
    #[must_use]
    pub fn select(&self, kept: &[usize]) -> Self {
        macro_rules! pick {
            ($($kind:ident),+) => {
                match &self.rows {
                    $(AnyRows::$kind(rows) => {
                        let contacts = kept.iter().map(|&i| rows.contacts[i]).collect();
                        AnyRows::$kind(Rows::new(rows.bodies(), contacts))
                    })+
                }
            };
        }
        Self { rows: pick!(Spheres, Three, Six) }
    }
}

impl<const D: usize, const K: usize> Rows<D, K> {
    fn triplets(&self) -> Vec<Triplet<usize, usize, f64>> {
        let mut triplets = Vec::with_capacity(2 * D * self.contacts.len());
        for (i, row) in self.contacts.iter().enumerate() {
            for side in 0..2 {
                let body = row.body[side];
                if body != FIXED {
                    let entries = row.side::<D>(side).into_iter().enumerate().filter(|&(_, value)| value != 0.0);
                    triplets.extend(entries.map(|(d, value)| Triplet::new(i, D * body as usize + d, value)));
                }
            }
        }
        triplets
    }
}

pub(crate) fn check_pairs(dof: usize, bodies: usize, pairs: &[BodyPair]) -> Result<(), SolveError> {
    // Twice the number of a contact, and the number of any coordinate, must fit in 32 bits.
    for (what, found, limit) in
        [("bodies", bodies, i32::MAX as usize / dof), ("contacts", pairs.len(), i32::MAX as usize)]
    {
        if found > limit {
            return Err(SolveError::TooMany { what, found, limit });
        }
    }
    for (contact, pair) in pairs.iter().enumerate() {
        if let Some(body) = pair.iter().flatten().copied().find(|&body| body >= bodies) {
            return Err(ContactError::IndexOutOfRange { contact, body, bodies }.into());
        }
        match *pair {
            [None, None] => return Err(ContactError::NoFreeBody { contact }.into()),
            [Some(a), Some(b)] if a == b => return Err(ContactError::SameBody { contact, body: a }.into()),
            _ => {}
        }
    }
    Ok(())
}

pub(crate) fn codes(pair: &BodyPair) -> [u32; 2] {
    pair.map(|body| body.map_or(FIXED, |body| body as u32))
}

fn general<const D: usize, const K: usize>(
    bodies: usize,
    pairs: &[BodyPair],
    coefficients: &[f64],
) -> Result<Rows<D, K>, SolveError> {
    let mut rows = Vec::with_capacity(pairs.len());
    for (contact, (pair, given)) in pairs.iter().zip(coefficients.chunks_exact(K)).enumerate() {
        let mut kept = [0.0; K];
        let is_free = |k: usize| pair[k / D].is_some();
        for k in (0..K).filter(|&k| is_free(k)) {
            if !given[k].is_finite() {
                return Err(SolveError::NotFinite { what: "coefficient", index: contact * K + k, value: given[k] });
            }
            kept[k] = given[k];
        }
        if kept.iter().all(|&x| x == 0.0) {
            return Err(ContactError::NoFreeBody { contact }.into());
        }
        rows.push(Row { coefficients: kept, body: codes(pair) });
    }
    Ok(Rows::new(bodies, rows))
}
