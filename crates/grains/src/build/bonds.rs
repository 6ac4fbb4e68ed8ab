//! Bonds between the bodies of a scene.

use dem_contact::bond::{AnyBondLaw, Bond, BondLaw, Bonds, Glue, Strength, StressLimits, bonded_pairs_in};
use dem_contact::neighbor::Domain;
use rrp_integrate::{Bodies, State};

use super::half_period::half_period;
use super::situation::Situation;
use super::sizes::{self, Packing};
use crate::error::{GrainsError, Note};
use crate::scene::bonds::{BondGroup, BondGroups, ParallelBondGroup};
use crate::value::{named, not_negative, positive};

/// The bodies between which bonds are made, with their groups.
#[derive(Debug, Clone)]
pub(crate) struct BondedBodies<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) state: &'a State,
    /// Box of the bodies at the time of `state`.
    pub(crate) domain: Domain,
    /// Names of all groups of bodies.
    pub(crate) names: &'a [Option<String>],
    /// Number of the group of each body.
    pub(crate) groups: &'a [u32],
}

impl BondedBodies<'_> {
    /// Adds the bonds of the scene's `tables` to the bonds `there`. Returns none if there are neither tables nor bonds.
    /// A table that makes no bond gets a note.
    ///
    /// # Errors
    /// For invalid values; the error names the key.
    pub(crate) fn add(
        &self,
        tables: &BondGroups,
        there: Option<Bonds>,
        notes: &mut Vec<Note>,
    ) -> Result<Option<Bonds>, GrainsError> {
        let mut bonds = there;
        for (key, group) in tables.with_keys() {
            let made = self.make(group, &key, bonds.as_ref())?;
            if made.is_empty() {
                let text = "makes no bonds: no two of these bodies are closer than `gap` at that time".to_owned();
                notes.push(Note::new(key.as_str(), text));
            }
            match &mut bonds {
                Some(bonds) => bonds.append(made).map_err(GrainsError::refused(key))?,
                None => bonds = Some(made),
            }
        }
        Ok(bonds)
    }

    /// Makes the bonds of one table, at `key`, except between pairs of bodies that an intact bond joins already.
    fn make(&self, group: &BondGroup, key: &str, there: Option<&Bonds>) -> Result<Bonds, GrainsError> {
        let &Self { bodies, state, domain, .. } = self;
        let Checked { gap, law, between } = Checked::of(group, key, self.names)?;
        Packing { bodies, state, domain }.refuse_pairs(gap, sizes::OF_BOND, &format!("{key}.gap"))?;
        let sorted = |[a, b]: [usize; 2]| [a.min(b), a.max(b)];
        let mut joined: Vec<[usize; 2]> = there.into_iter().flat_map(Bonds::intact_pairs).map(sorted).collect();
        joined.sort_unstable();
        let is_wanted = |&pair: &[usize; 2]| {
            let of_pair = pair.map(|body| self.groups[body] as usize);
            let is_between = |[a, b]: [usize; 2]| of_pair == [a, b] || of_pair == [b, a];
            between.is_none_or(is_between) && joined.binary_search(&sorted(pair)).is_err()
        };
        let radius = bodies.radius();
        let bond = |[i, j]: [usize; 2]| Bond { bodies: [i, j], law: law.between([radius[i], radius[j]]) };
        let made = bonded_pairs_in(bodies, state, &domain, gap).and_then(|pairs| {
            Bonds::across_sides(bodies, state, &domain, pairs.into_iter().filter(is_wanted).map(bond))
        });
        Ok(made.map_err(GrainsError::refused(key))?.with_shear(group.shear.unwrap_or_default()))
    }
}

/// Checks the scene's tables of bonds. `names` are the names of all groups of bodies.
///
/// # Errors
/// For invalid values and names of no group; the error names the key.
pub(crate) fn check(tables: &BondGroups, names: &[Option<String>]) -> Result<(), GrainsError> {
    tables.with_keys().try_for_each(|(key, group)| Checked::of(group, &key, names).map(drop))
}

struct Checked {
    /// Largest gap in m between bonded bodies.
    gap: f64,
    law: PairLaw,
    /// Numbers of the two groups whose bodies are bonded; none for bonds between bodies of any groups.
    between: Option<[usize; 2]>,
}

impl Checked {
    fn of(group: &BondGroup, key: &str, names: &[Option<String>]) -> Result<Self, GrainsError> {
        let gap = not_negative(format!("{key}.gap"), group.gap)?;
        let law = PairLaw::of(group, key)?;
        let number = |index: usize, name: &String| named(names, name, &format!("{key}.between[{index}]"));
        let between = match &group.between {
            Some([first, second]) => Some([number(0, first)?, number(1, second)?]),
            None => None,
        };
        Ok(Self { gap, law, between })
    }
}

/// Refuses bonds across sides of a box that `deforms` now or later, and bonds made in a box with other sides.
///
/// # Errors
/// [`GrainsError::Conflict`] and [`GrainsError::Refused`].
pub(super) fn check_sides(bonds: &Bonds, domain: Domain, deforms: bool) -> Result<(), GrainsError> {
    if deforms && bonds.has_bonds_across_sides() {
        let problem =
            "a bond goes across a side of the box, which must then not deform in this stage or in a later one";
        return Err(GrainsError::conflict("bonds", problem));
    }
    bonds.check_sides(&domain).map_err(GrainsError::refused("bonds"))
}

/// Law of the bonds of a table: one law for all bonds, or one that depends on the radii of the bonded bodies.
enum PairLaw {
    Same(BondLaw),
    Glued(Glue),
}

impl PairLaw {
    fn of(group: &BondGroup, key: &str) -> Result<Self, GrainsError> {
        if let Some(parallel) = &group.parallel {
            return glue(group, parallel, key).map(Self::Glued);
        }
        let limit = |name: &str, value: Option<f64>| limit(&format!("{key}.{name}"), value);
        let strength = Strength {
            stretch: limit("break-stretch", group.break_stretch)?,
            force: limit("break-force", group.break_force)?,
        };
        let stiffness = |name: &str, value: Option<f64>| not_negative(format!("{key}.{name}"), value.unwrap_or(0.0));
        Ok(Self::Same(BondLaw {
            bending: stiffness("bending", group.bending)?,
            stretching: stiffness("stretching", group.stretching)?,
            shearing: stiffness("shearing", group.shearing)?,
            contact: 0.0,
            strength,
        }))
    }

    fn between(&self, radii: [f64; 2]) -> AnyBondLaw {
        match self {
            Self::Same(law) => (*law).into(),
            Self::Glued(glue) => glue.between(radii).into(),
        }
    }
}

/// Computes the largest stiffnesses of a bond of this length (m): of displacement in N/m, and of rotation in N m.
fn stiffnesses(law: &AnyBondLaw, length: f64) -> [f64; 2] {
    match law {
        AnyBondLaw::Elastic(BondLaw { bending, stretching, shearing, .. }) => {
            [stretching.max(*shearing) / length.powi(2), bending + shearing]
        }
        AnyBondLaw::Parallel(law) => {
            let [normal, shear] = [law.normal_stiffness, law.shear_stiffness];
            let bending = (normal * law.moment_of_area()).max(shear * law.polar_moment_of_area());
            [normal.max(shear) * law.area(), bending + shear * law.area() * length.powi(2)]
        }
    }
}

struct Least {
    radius: f64,
    mass: f64,
    inertia: f64,
}

impl Least {
    fn of(bodies: &Bodies, members: impl Iterator<Item = usize>) -> Self {
        let mut least = Self { radius: f64::INFINITY, mass: f64::INFINITY, inertia: f64::INFINITY };
        for body in members {
            let radius = bodies.radius()[body];
            least.radius = least.radius.min(if radius > 0.0 { radius } else { f64::INFINITY });
            least.mass = least.mass.min(bodies.mass()[body]);
            least.inertia = least.inertia.min(bodies.inertia().get(body).min_element());
        }
        least
    }

    /// Computes half the period in s of two such bodies on a bond with these stiffnesses: that of stretching or that of
    /// rotation, whichever is shorter.
    fn half_period(&self, [stretching, turning]: [f64; 2]) -> f64 {
        half_period(self.mass, stretching).min(half_period(self.inertia, turning))
    }
}

/// Checks the load at which a bond breaks; infinite if the scene gives none.
fn limit(key: &str, value: Option<f64>) -> Result<f64, GrainsError> {
    value.map_or(Ok(f64::INFINITY), |value| positive(key, value))
}

fn glue(group: &BondGroup, parallel: &ParallelBondGroup, key: &str) -> Result<Glue, GrainsError> {
    let BondGroup { bending, stretching, shearing, shear, break_stretch, break_force, .. } = group;
    let others = [
        ("bending", bending.is_some()),
        ("stretching", stretching.is_some()),
        ("shearing", shearing.is_some()),
        ("shear", shear.is_some()),
        ("break-stretch", break_stretch.is_some()),
        ("break-force", break_force.is_some()),
    ];
    let problem = "belongs to bonds of another kind; `bonds.parallel` has all stiffnesses and strengths of its own";
    GrainsError::refuse_given(key, &others, problem)?;
    let strength = |name: &str, value: Option<f64>| limit(&format!("{key}.parallel.{name}"), value);
    Ok(Glue {
        radius_multiplier: positive(format!("{key}.parallel.radius-multiplier"), parallel.radius_multiplier)?,
        modulus: positive(format!("{key}.parallel.modulus"), parallel.modulus)?,
        stiffness_ratio: positive(format!("{key}.parallel.stiffness-ratio"), parallel.stiffness_ratio)?,
        strength: StressLimits {
            tension: strength("tensile-strength", parallel.tensile_strength)?,
            shear: strength("shear-strength", parallel.shear_strength)?,
        },
    })
}

/// Computes half the shortest period in s of existing bonds, and of the bonds that tables make between the smallest and
/// lightest bodies that they may join. Infinite without bonds.
///
/// # Errors
/// For invalid values; the error names the key.
pub(super) fn shortest_half_period(tables: &BondGroups, situation: &Situation<'_>) -> Result<f64, GrainsError> {
    let &Situation { bodies, groups, names, bonds, .. } = situation;
    let mut shortest = f64::INFINITY;
    for (key, group) in tables.with_keys() {
        let Checked { law, between, .. } = Checked::of(group, &key, names)?;
        let is_member = |&body: &usize| between.is_none_or(|pair| pair.contains(&(groups[body] as usize)));
        let least = Least::of(bodies, (0..bodies.len()).filter(is_member));
        if least.radius.is_finite() {
            let stiffnesses = stiffnesses(&law.between([least.radius; 2]), 2.0 * least.radius);
            shortest = shortest.min(least.half_period(stiffnesses));
        }
    }
    for (bond, length) in bonds.into_iter().flat_map(|bonds| bonds.iter().zip(bonds.lengths())) {
        shortest = shortest.min(Least::of(bodies, bond.bodies.into_iter()).half_period(stiffnesses(&bond.law, length)));
    }
    Ok(shortest)
}
