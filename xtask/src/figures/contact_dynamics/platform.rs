//! The platform of `[OK18]` section 8.1: a plank of weight 10 N that is dropped onto three fixed spheres.
use anyhow::{Result, ensure};
use cd_solve::LcpSolver;
use dem_contact::contact_dynamics::{CompatibleLaw, ContactDynamics, RigidContact};
use dem_contact::cuboid::{Cuboid, CuboidForce};
use dem_contact::law::{Damping, Hooke};
use dem_contact::neighbor::{Domain, NeighborList};
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, Gravity, Integrator, Map, State};
use serde_json::{Value, json};

/// Radius of the three supporting spheres in m.
const RADIUS: f64 = 0.1;
/// Distance between the two outer supports in m.
const LENGTH: f64 = 2.0;
/// Half of the platform's length, width and thickness in m.
const HALF: DVec3 = DVec3::new(1.2, 0.15, 0.05);
/// Weight of the platform in N; its mass is 1 kg.
const WEIGHT: f64 = 10.0;
/// Time step in s with which contact dynamics simulates the dropped platform.
const DT: f64 = 1e-3;
/// Number of time steps of contact dynamics; the platform lands in step 15 and is at rest long before the last one.
const STEPS: usize = 60;

/// Samples of the time in s and of the forces in N on the left, middle and right support.
pub(super) type History = Vec<(f64, [f64; 3])>;

/// Initial state: the platform, a hundredth of a support's radius above its three supports.
struct Scene {
    bodies: Bodies,
    state: State,
    plank: Cuboid,
}

impl Scene {
    fn new() -> Result<Self> {
        // The platform has the inertia about y of a thin rod of the length between the outer supports.
        let rod = LENGTH * LENGTH / 12.0;
        let platform = Body::rigid(1.0, DVec3::new(0.01, rod, rod));
        let bodies = Bodies::new([Body::fixed(RADIUS), Body::fixed(RADIUS), Body::fixed(RADIUS), platform])?;
        let mut state = State::at_rest(4);
        for (i, side) in [-0.5, 0.0, 0.5].into_iter().enumerate() {
            state.position_mut().set(i, DVec3::X * (side * LENGTH));
        }
        state.position_mut().set(3, DVec3::Z * (1.01 * RADIUS + HALF.z));
        Ok(Self { bodies, state, plank: Cuboid { body: 3, half_extents: HALF } })
    }
}

/// Returns the parameters of the platform and of contact dynamics, for the record of a figure.
pub(super) fn parameters() -> Value {
    json!({
        "radius_m": RADIUS, "span_m": LENGTH, "mass_kg": 1.0, "weight_N": WEIGHT, "inertia": "m L²/12",
        "drop_m": 0.01 * RADIUS, "dt_s": DT, "steps": STEPS,
    })
}

/// Makes the law of compatible forces with this exponent of the energy, by which the middle support is `ratio` times as
/// stiff as the others.
pub(super) fn law(exponent: f64, ratio: f64) -> CompatibleLaw {
    CompatibleLaw::new(exponent, move |contact| if contact.a == 1 { ratio } else { 1.0 })
}

/// Drops the platform by contact dynamics and returns the forces in N on the three supports after the last step:
/// compatible forces if `dynamics` computes them, classic ones otherwise.
pub(super) fn dropped(dynamics: impl FnOnce(NeighborList) -> Result<Platform>) -> Result<[f64; 3]> {
    let Scene { bodies, mut state, plank } = Scene::new()?;
    let mut dynamics = dynamics(NeighborList::new(Domain::OPEN, 0.01)?)?.with_cuboids([plank])?;
    let mut gravity = Gravity { acceleration: DVec3::NEG_Z * WEIGHT };
    for _ in 0..STEPS {
        dynamics.step(&bodies, &mut gravity, &mut state)?;
    }
    let force: Vec<f64> = dynamics.contacts().iter().map(RigidContact::best_force).collect();
    ensure!(force.len() == 3, "the platform touches {} supports", force.len());
    Ok([force[0], force[1], force[2]])
}

/// Integrator of contact dynamics with any classic solver.
pub(super) type Platform = ContactDynamics<Box<dyn LcpSolver>>;

/// Makes an integrator of contact dynamics with this classic solver, which starts every step with zero forces.
pub(super) fn rigid(solver: impl LcpSolver + 'static, list: NeighborList) -> Result<Platform> {
    let solver: Box<dyn LcpSolver> = Box::new(solver);
    Ok(ContactDynamics::new(DT, list, solver)?.with_warm_start(false))
}

/// Simulates by explicit dynamics until `end` (s) how the platform drops onto damped springs: the outer two of the
/// stiffness `stiffness` (N/m), the middle one `ratio` times as stiff.
pub(super) fn elastic(stiffness: f64, ratio: f64, end: f64) -> Result<History> {
    let Scene { bodies, mut state, plank } = Scene::new()?;
    let spring = |k: f64| -> Result<_> {
        let law = Hooke::new(k, Damping::coefficient(2.0 * k.sqrt())?)?;
        Ok(CuboidForce::new(Domain::OPEN, [plank], law)?)
    };
    let outer = spring(stiffness)?.touching([0, 2]);
    let middle = spring(ratio * stiffness)?.touching([1]);
    let mut field = Both(Both(outer, middle), Gravity { acceleration: DVec3::NEG_Z * WEIGHT });
    let dt = 0.02 / (ratio * stiffness).sqrt();
    let mut map = Explicit::new(Map::MoserVeselov, dt)?;
    let steps = (end / dt).round() as usize;
    let stride = (steps / 600).max(1);
    let mut history = vec![(0.0, [0.0; 3])];
    for step in 1..=steps {
        map.step(&bodies, &mut field, &mut state)?;
        if step % stride == 0 || step == steps {
            let mut force = [0.0; 3];
            let both = [field.0.0.contacts(&bodies, &state)?, field.0.1.contacts(&bodies, &state)?];
            for contact in both.iter().flatten() {
                let low = contact.b.body().map_or(contact.a, |b| contact.a.min(b));
                force[low] = contact.normal_force;
            }
            history.push((state.time(), force));
        }
    }
    Ok(history)
}
