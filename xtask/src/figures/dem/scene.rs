//! Scenes of the tests of `[DK21]` section 3: spheres of unit mass and diameter, in units d = m = g = 1.
use anyhow::Result;
use dem_contact::bond::Ties;
use dem_contact::force::ContactForce;
use dem_contact::law::{Damping, Hooke, Laws, Viscous};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Gravity, State};
use serde_json::{Value, json};

/// Normal stiffness k of all contacts in m g/d, the same in all tests of `[DK21]`.
pub(super) const STIFFNESS: f64 = 195_000.0;

/// Returns the contact time `t_c` = π √(m/2k), which an undamped collision of two spheres lasts.
pub(super) fn contact_time() -> f64 {
    std::f64::consts::PI * (0.5 / STIFFNESS).sqrt()
}

/// Spheres with their initial state, contact laws, walls, bonds and gravity.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) bodies: Bodies,
    pub(super) state: State,
    /// Normal damping rate `γ_n` of the contacts in √(g/d).
    pub(super) damping: f64,
    /// Whether the normal force is set to zero where damping would make it attractive.
    pub(super) capped: bool,
    /// Ratio `γ_t`/`γ_n` of the tangential to the normal damping rate.
    pub(super) tangential: f64,
    pub(super) gravity: DVec3,
    pub(super) walls: Vec<Wall>,
    pub(super) domain: Domain,
    /// Skin of the neighbour list in d: the gap up to which pairs are listed although they do not touch yet.
    pub(super) skin: f64,
    /// Stiffness `k_B` in m g/d of the bonds between all pairs that nearly touch at the start; without it there are
    /// none.
    pub(super) bond: Option<f64>,
}

impl Scene {
    /// Makes a scene of undamped spheres without walls, bonds and gravity.
    pub(super) fn new(bodies: Bodies, state: State) -> Self {
        Self {
            bodies,
            state,
            damping: 0.0,
            capped: false,
            tangential: 0.5,
            gravity: DVec3::ZERO,
            walls: Vec::new(),
            domain: Domain::OPEN,
            skin: 0.1,
            bond: None,
        }
    }

    /// Makes a scene of spheres of unit mass and diameter from pairs of centre and velocity.
    pub(super) fn spheres(places: &[(DVec3, DVec3)]) -> Result<Self> {
        let bodies = Bodies::new(places.iter().map(|_| Body::sphere(1.0, 0.5)))?;
        let mut state = State::at_rest(places.len());
        for (i, &(centre, velocity)) in places.iter().enumerate() {
            state.position_mut().set(i, centre);
            state.velocity_mut().set(i, velocity);
        }
        Ok(Self::new(bodies, state))
    }

    /// Sets the normal damping rate `γ_n`.
    pub(super) fn damped(self, damping: f64) -> Self {
        Self { damping, ..self }
    }

    /// Makes the bonds of the scene as in `[DK21]` section 3.3, one for each pair that nearly touches.
    pub(super) fn ties(&self) -> Result<Ties> {
        Ok(match self.bond {
            Some(stiffness) => Ties::of_contacts(&self.bodies, &self.state, self.domain, stiffness)?,
            None => Ties::new(self.domain, self.bodies.len(), [], STIFFNESS)?,
        })
    }

    /// Makes the contact forces between all pairs of spheres that have no bond in `ties`, and between spheres and
    /// walls.
    pub(super) fn contacts(&self, ties: &Ties) -> Result<ContactForce> {
        let law = Hooke::new(STIFFNESS, Damping::coefficient(self.damping)?)?;
        let law = if self.capped { law.capped() } else { law };
        let list = NeighborList::new(self.domain, self.skin)?.without_pairs(ties.pairs().iter().copied());
        let tangential = Viscous::new(self.tangential * self.damping)?;
        Ok(ContactForce::new(list, Laws::of(law, tangential)).with_walls(self.walls.iter().cloned())?)
    }

    /// Returns the force field of gravity.
    pub(super) fn weight(&self) -> Gravity {
        Gravity { acceleration: self.gravity }
    }

    /// Returns the parameters that all tests of `[DK21]` share, for the record of a figure.
    pub(super) fn parameters() -> Value {
        json!({
            "units": "d = m = g = 1", "k d/(m g)": STIFFNESS, "gamma_t_over_gamma_n": 0.5,
            "t_c": "π √(m/2k)", "lammps_version": super::lammps::VERSION,
        })
    }
}
