//! Simulation for `[DK21]` Fig. 2: spheres in a silo whose walls are read from an STL file, and their discharge.
use anyhow::Result;
use dem_contact::force::{ContactForce, Ledger};
use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::{Revolution, TriangleMesh, Wall, WallMotion, WallPose};
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, Gravity, Integrator, Map, State};

use crate::figures::shot::Shot;

/// Normal stiffness of the contacts in m g/d, with the mass m and diameter d of a sphere of mean size.
pub(super) const STIFFNESS: f64 = 5e3;
/// Coefficient of restitution of the contacts in the silo.
pub(super) const RESTITUTION: f64 = 0.6;
/// Coefficient of friction of the contacts in the silo.
pub(super) const FRICTION: f64 = 0.5;
/// Number of time steps in the collision of two spheres of mean size.
pub(super) const PER_CONTACT: f64 = 20.0;
/// Radius in d of the cylindrical part of the silo, above a cone of 45 degrees.
pub(super) const BIN: f64 = 7.0;
/// Number of corners with which the triangle mesh of the silo approximates a circle.
pub(super) const AROUND: usize = 48;
/// Smallest and largest diameter of the spheres in d; diameters are uniformly distributed between them.
pub(super) const SIZES: [f64; 2] = [0.9, 1.1];
/// Time in √(d/g) at which the plug is removed.
pub(super) const OPENS: f64 = 8.0;
/// Height in d of the floor below the orifice, which is at zero.
pub(super) const FLOOR: f64 = -16.0;
/// Radius in d of the pan that catches the spheres; its rim is half-way between the floor and the orifice.
pub(super) const PAN: f64 = 9.0;
/// Time in √(d/g) between two measurements of the discharged mass.
const SAMPLING: f64 = 0.25;
/// Number of measurements between two pictures of the animation.
const FILMED: usize = 4;
/// Part of the discharge that counts as steady flow, as shares of the final discharged mass.
pub(super) const STEADY: [f64; 2] = [0.2, 0.8];

/// Motion of the plug in the orifice, which is pulled down at the time [`OPENS`].
#[derive(Debug)]
struct Drawn;

impl WallMotion for Drawn {
    fn pose(&self, time: f64) -> WallPose {
        let since = (time - OPENS).max(0.0);
        let moving = if since > 0.0 { 1.0 } else { 0.0 };
        // The plug falls twice as fast as the spheres above it.
        WallPose {
            displacement: DVec3::NEG_Z * since * since,
            velocity: DVec3::NEG_Z * (2.0 * since * moving),
            ..WallPose::REST
        }
    }
}

/// Results of one discharge of the silo.
#[derive(Clone, Debug)]
pub(super) struct Discharge {
    /// Time in √(d/g) since the removal of the plug, and the mass in m below the orifice.
    pub(super) mass: Vec<(f64, f64)>,
    /// Discharged mass per time during steady flow (see [`STEADY`]), in m √(g/d).
    pub(super) rate: f64,
    /// Ratio of the discharge rate in the later half of the steady flow to the rate in its earlier half.
    pub(super) later: f64,
    /// Mass of the spheres per volume near the top of the cone during the flow, in m/d³.
    pub(super) density: f64,
    pub(super) radii: Vec<f64>,
    /// Spheres just before the plug is removed.
    pub(super) full: Shot,
    /// Spheres when half of the final mass has left.
    pub(super) half: Shot,
    pub(super) film: Vec<Shot>,
    /// Error of the energy balance: the change of the sum of mechanical energy, dissipated energy and work of the
    /// walls, over the dissipated energy.
    pub(super) imbalance: f64,
    pub(super) triangles: usize,
    pub(super) steps: usize,
}

/// Makes the walls of the silo with an orifice of this diameter (d) as a triangle mesh, which is written as an STL file
/// and read back.
pub(super) fn hopper(orifice: f64) -> Result<TriangleMesh> {
    let half = 0.5 * orifice;
    let profile = [[half, 0.0], [BIN, BIN - half], [BIN, BIN - half + 60.0]];
    let mut file = Vec::new();
    Revolution::new(DVec3::Z, profile)?.mesh(AROUND)?.write_stl(&mut file)?;
    Ok(TriangleMesh::read_open_stl(&file[..])?)
}

/// Returns the k-th member of a sequence of evenly distributed numbers from 0 to 1, by the golden ratio.
fn even(k: usize) -> f64 {
    (0.618_033_988_749_894_9 * (k + 1) as f64).fract()
}

/// Simulates `count` spheres that settle in the silo and leave it through an orifice of this diameter (d), until the
/// share `goal` of their mass has left. `fill` selects the initial positions.
pub(super) fn discharge(orifice: f64, fill: usize, (count, goal): (usize, f64)) -> Result<Discharge> {
    let mesh = hopper(orifice)?;
    let triangles = mesh.triangles().len();
    let walls = [
        Wall::new(mesh, DVec3::ZERO),
        Wall::new(Revolution::disc(DVec3::Z, 0.5 * orifice, 0.0)?, DVec3::ZERO).driven(Drawn),
        Wall::plane(DVec3::Z * FLOOR, DVec3::Z),
        Wall::new(Revolution::new(DVec3::Z, [[PAN, FLOOR], [PAN, 0.5 * FLOOR]])?, DVec3::ZERO),
    ];
    let radii: Vec<f64> = (0..count).map(|k| 0.5 * (SIZES[0] + even(k) * (SIZES[1] - SIZES[0]))).collect();
    let bodies = Bodies::new(radii.iter().map(|&radius| Body::sphere(8.0 * radius.powi(3), radius)))?;
    let mut state = State::at_rest(count).without_attitudes();
    let mut placed = 0;
    let side = (BIN / 1.13).ceil() as i32;
    'layers: for layer in 1.. {
        for (i, j) in (-side..=side).flat_map(|i| (-side..=side).map(move |j| (i, j))) {
            let shift = 0.02 * (even(placed + 1000 * fill) - 0.5);
            let place = 1.13 * DVec3::new(f64::from(i) + shift, f64::from(j) - shift, f64::from(layer) * 1.0);
            let room = place.z - 0.56 * 1.5 > 0.0 && place.truncate().length() < BIN - 0.6;
            if room && place.z + 0.5 * orifice - place.truncate().length() > 0.6 * 2.0_f64.sqrt() {
                state.position_mut().set(placed, place);
                placed += 1;
            }
            if placed == count {
                break 'layers;
            }
        }
    }
    let law = Hooke::new(STIFFNESS, Damping::restitution(RESTITUTION)?)?;
    let list = NeighborList::new(Domain::OPEN, 0.2)?;
    let friction = FrictionSpring::matching_hooke(&law, FRICTION)?.with_damping(10.0)?;
    let contacts = ContactForce::new(list, Laws::of(law, friction)).with_walls(walls)?.with_ledger();
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z }, contacts);
    let dt = std::f64::consts::PI / (2.0 * STIFFNESS).sqrt() / PER_CONTACT;
    let mut map = Explicit::new(Map::Verlet, dt)?;
    let stride = (SAMPLING / dt).round() as usize;
    let snapshot = |state: &State| Shot { time: state.time() - OPENS, ..Shot::of(state) };
    map.step(&bodies, &mut field, &mut state)?;
    let start = Ledger::read(&field.1, &field.0, &bodies, &state)?.balance();
    let mut film = vec![snapshot(&state)];
    let mut settling = 0;
    while state.time() < OPENS {
        map.step(&bodies, &mut field, &mut state)?;
        settling += 1;
        if settling % (FILMED * stride) == 0 {
            film.push(snapshot(&state));
        }
    }
    let total: f64 = bodies.mass().iter().sum();
    let full = snapshot(&state);
    let mut half = None;
    let mut mass = vec![(0.0, 0.0)];
    let mut densities = Vec::new();
    let mut steps = 0;
    loop {
        for _ in 0..stride {
            map.step(&bodies, &mut field, &mut state)?;
        }
        steps += stride;
        let gone: f64 = (0..count).filter(|&i| state.position().get(i).z < 0.0).map(|i| bodies.mass()[i]).sum();
        mass.push((state.time() - OPENS, gone));
        if mass.len() % FILMED == 0 {
            film.push(snapshot(&state));
        }
        if half.is_none() && gone > 0.5 * goal * total {
            half = Some(snapshot(&state));
        }
        if gone > 0.2 * goal * total {
            densities.push(density(&state, &bodies, BIN - 0.5 * orifice));
        }
        if gone > goal * total || state.time() > 400.0 {
            break;
        }
    }
    let last = mass.last().map_or(0.0, |sample| sample.1);
    let window = |from: f64, until: f64| -> Vec<(f64, f64)> {
        mass.iter().copied().filter(|(_, m)| (from * last..until * last).contains(m)).collect()
    };
    let [from, until] = STEADY;
    let middle = 0.5 * (from + until);
    let end = Ledger::read(&field.1, &field.0, &bodies, &state)?;
    Ok(Discharge {
        rate: slope(&window(from, until)).0,
        later: slope(&window(middle, until)).0 / slope(&window(from, middle)).0,
        density: densities.iter().sum::<f64>() / densities.len() as f64,
        mass,
        radii,
        half: half.unwrap_or_else(|| full.clone()),
        full,
        film,
        imbalance: (end.balance() - start) / end.dissipated,
        triangles,
        steps,
    })
}

/// Computes the mass of the spheres per volume in m/d³, in a cylinder of height 3 d around the top of the cone at the
/// height `cone`, away from the walls.
fn density(state: &State, bodies: &Bodies, cone: f64) -> f64 {
    let low = cone - 1.5;
    let high = cone + 1.5;
    let radius = BIN - 3.0;
    let inside = |i: &usize| {
        let place = state.position().get(*i);
        (low..high).contains(&place.z) && place.truncate().length() < radius
    };
    let mass: f64 = (0..bodies.len()).filter(inside).map(|i| bodies.mass()[i]).sum();
    mass / (std::f64::consts::PI * radius * radius * (high - low))
}

/// Returns the slope and intercept of the least-squares line through these points.
pub(super) fn slope(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let x = points.iter().map(|p| p.0).sum::<f64>() / count;
    let y = points.iter().map(|p| p.1).sum::<f64>() / count;
    let (xy, xx) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + (p.0 - x) * (p.1 - y), sum.1 + (p.0 - x).powi(2)));
    (xy / xx, y - xy / xx * x)
}
