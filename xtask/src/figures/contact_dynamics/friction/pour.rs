//! Simulation of spheres that are poured onto a rough disc, by contact dynamics or with elastic contacts, and the slope
//! of the heap. Units are the mass m, diameter d and weight m g of a sphere of mean size.
use anyhow::{Context as _, Result};
use cd_solve::friction::{AcceleratedSweeps, FrictionProblem, FrictionReport, FrictionSolver};
use cd_solve::{Options, SolveError, Status};
use dem_contact::contact_dynamics::{ContactCoefficients, DynamicsReport, MoreauJean, RigidMaterials};
use dem_contact::force::ContactForce;
use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws, Rolling, SpringSlider};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::packing::random_packing;
use dem_contact::wall::Wall;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;
use rrp_integrate::{
    Bodies, Body, Both, Explicit, FieldError, ForceField, IntegrateError, Integrator, Map, State, Wrenches,
};

/// Coefficient of sliding friction of all contacts.
pub(crate) const FRICTION: f64 = 0.3;
/// Coefficient of rolling friction of all contacts, relative to the reduced radius of a contact.
pub(crate) const ROLLING: f64 = 0.05;
/// Number of time steps of elastic spheres in the duration of one collision.
const PER_CONTACT: f64 = 20.0;
/// Speed in √(g d) at which spheres come down onto the heap.
const SPEED: f64 = 2.0;
/// Solid fraction of the stream of spheres that comes down.
const FILLED: f64 = 0.25;
/// Relaxation time in √(d/g) with which spheres above the height of fall are brought to `SPEED`.
const CARRIED: f64 = 0.5;
/// Time in √(d/g) for which the heap settles after the last sphere was dropped.
const SETTLING: f64 = 10.0;
/// Height in d of the floor that catches spheres which roll off the disc; the top of the disc is at zero.
const FLOOR: f64 = -3.0;

/// Method by which the contacts between spheres are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Contacts {
    /// Rigid spheres, by contact dynamics.
    Rigid,
    /// Elastic spheres with contact springs, integrated by velocity Verlet.
    Elastic,
}

/// Numerical parameters of the pouring of heaps: step, tolerance, stiffness, restitution.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Settings {
    /// Step of contact dynamics in √(d/g).
    #[arg(long, default_value_t = Settings::DEFAULT.dt)]
    pub(crate) dt: f64,
    /// Residual R₁ at which a step of contact dynamics is solved.
    #[arg(long, default_value_t = Settings::DEFAULT.tolerance)]
    pub(crate) tolerance: f64,
    /// Sweeps of a problem at most; then its forces are taken as they are.
    #[arg(long, default_value_t = Settings::DEFAULT.sweeps)]
    pub(crate) sweeps: usize,
    /// Overlap that contact dynamics leaves, over the reduced radius of the contact.
    #[arg(long, default_value_t = Settings::DEFAULT.overlap)]
    pub(crate) overlap: f64,
    /// Stiffness of elastic contacts in m g/d.
    #[arg(long, default_value_t = Settings::DEFAULT.stiffness)]
    pub(crate) stiffness: f64,
    /// Restitution of elastic contacts.
    #[arg(long, default_value_t = Settings::DEFAULT.restitution)]
    pub(crate) restitution: f64,
    /// Restitution in contact dynamics. Above zero impacts go from contact to contact in passes, which takes long.
    #[arg(long, default_value_t = Settings::DEFAULT.rigid_restitution)]
    pub(crate) rigid_restitution: f64,
}

impl Settings {
    pub(crate) const DEFAULT: Self = Self {
        dt: 0.05,
        tolerance: 1e-4,
        sweeps: 40,
        overlap: 0.01,
        stiffness: 1e4,
        restitution: 0.1,
        rigid_restitution: 0.0,
    };
}

/// Friction solver by accelerated sweeps that reports convergence even if the residual is above the tolerance, so that
/// the simulation goes on; the residual in its report is the true one.
struct LimitedSweeps(AcceleratedSweeps);

impl FrictionSolver for LimitedSweeps {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        let report = self.0.solve(problem, force)?;
        let is_finite = report.residual.is_finite();
        Ok(FrictionReport { status: if is_finite { Status::Converged } else { report.status }, ..report })
    }
}

/// Force field that drives spheres above `height` (in d) to the constant speed `SPEED` downwards, and lets spheres
/// below it fall freely.
#[derive(Clone, Copy, Debug)]
struct Rain {
    height: f64,
}

impl ForceField for Rain {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        for (i, mass) in bodies.mass().iter().enumerate().filter(|(_, mass)| mass.is_finite()) {
            let carried = state.position().get(i).z > self.height;
            let slip = state.velocity().get(i) + DVec3::Z * SPEED;
            out.force.add(i, if carried { slip * (-mass / CARRIED) } else { DVec3::NEG_Z * mass });
        }
        Ok(())
    }
}

/// Initial state and duration of a simulation that pours spheres onto a disc.
#[derive(Clone, Debug)]
pub(crate) struct Pour {
    bodies: Bodies,
    start: State,
    rain: Rain,
    /// Radius in d of the disc onto which spheres are poured.
    radius: f64,
    /// Simulated time of the pour in √(d/g).
    duration: f64,
}

/// Heap on its disc at the end of a pour, with measured quantities.
#[derive(Clone, Debug)]
pub(crate) struct Heap {
    pub(crate) steps: usize,
    /// Number of spheres that are on the disc at the end.
    pub(crate) spheres: usize,
    /// Mean kinetic energy m v²/2 of a sphere on the disc at the end, in m g d.
    pub(crate) kinetic: f64,
    pub(crate) surface: Surface,
    /// Work of the solver of contact dynamics, empty for elastic contacts.
    pub(crate) effort: Effort,
}

/// Work of the solver of contact dynamics, summed over all time steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effort {
    /// Residual R₁ of each time step, sorted in ascending order once the simulation has ended.
    pub(crate) residuals: Vec<f64>,
    pub(crate) problems: usize,
    pub(crate) sweeps: usize,
    /// Number of times that overlapping spheres were moved apart.
    pub(crate) separations: usize,
    pub(crate) impact_passes: usize,
    /// Largest overlap in d that remained beyond the allowed overlap.
    pub(crate) overlap: f64,
}

impl Effort {
    fn add(&mut self, report: &DynamicsReport) {
        self.residuals.extend(report.friction.map(|solved| solved.residual));
        self.problems += report.problems;
        self.sweeps += report.iterations;
        self.separations += report.separations;
        self.impact_passes += report.impact_passes;
        self.overlap = self.overlap.max(report.overlap_left);
    }

    /// Returns the quantile `part` (0 to 1) of the residuals of all time steps; NaN if there were no contacts.
    pub(crate) fn residual(&self, part: f64) -> f64 {
        let last = self.residuals.len().saturating_sub(1);
        self.residuals.get((part * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
    }
}

/// Surface of a heap, with a fitted cone.
///
/// The surface consists of the highest sphere in each square cell of side d, at a distance from R/5 to 4R/5 from the
/// axis of the disc of radius R. A straight line in this distance is fitted by least squares to the tops of these
/// spheres.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// Distance in d from the axis of the disc, and height in d, of the top of each sphere of the surface.
    pub(crate) tops: Vec<(f64, f64)>,
    /// Height in d at which the fitted line meets the axis of the disc.
    height: f64,
    /// Downward slope of the fitted line, the tangent of its angle.
    fall: f64,
}

impl Surface {
    fn new(places: &[DVec3], radii: &[f64], radius: f64) -> Self {
        let mut highest = std::collections::BTreeMap::new();
        for (&place, own) in places.iter().zip(radii) {
            let cell = [place.x.floor() as i64, place.y.floor() as i64];
            let point = (place.truncate().length(), place.z + own);
            let best = highest.entry(cell).or_insert(point);
            if point.1 > best.1 {
                *best = point;
            }
        }
        let sloping = |point: &(f64, f64)| (0.2 * radius..=0.8 * radius).contains(&point.0);
        let tops: Vec<(f64, f64)> = highest.into_values().filter(sloping).collect();
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| tops.iter().map(of).sum::<f64>() / tops.len() as f64;
        let r = mean(&|point| point.0);
        let z = mean(&|point| point.1);
        let slope = mean(&|point| (point.0 - r) * (point.1 - z)) / mean(&|point| (point.0 - r).powi(2));
        Self { tops, height: z - slope * r, fall: -slope }
    }

    /// Returns the two ends of the fitted line, each as distance from the axis and height in d.
    pub(crate) fn line(&self) -> [(f64, f64); 2] {
        let distances = || self.tops.iter().map(|top| top.0);
        let ends = [distances().fold(f64::INFINITY, f64::min), distances().fold(0.0, f64::max)];
        ends.map(|distance| (distance, self.height - self.fall * distance))
    }

    /// Returns the angle of the fitted line below the horizontal in degrees.
    pub(crate) fn angle(&self) -> f64 {
        self.fall.atan().to_degrees()
    }
}

impl Pour {
    /// Makes the initial state for pouring `count` spheres with radii from 0.45 d to 0.55 d; `seed` determines their
    /// sizes and positions. The disc consists of fixed spheres, and is large enough that few spheres roll off.
    pub(crate) fn new(count: usize, seed: u64) -> Result<Self> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let radii: Vec<f64> = (0..count).map(|_| 0.45 + 0.1 * random.random::<f64>()).collect();
        let size = (count as f64).cbrt();
        let side = 0.42 * size;
        let height = 3.0 + 0.5 * size;
        let volume: f64 = radii.iter().map(|radius| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)).sum();
        let length = volume / FILLED / (side * side);
        let low = [-0.5 * side, -0.5 * side, height];
        let high = [0.5 * side, 0.5 * side, height + length];
        let domain = Domain::new(low.into(), high.into(), [Boundary::Open; 3])?;
        let centres = random_packing(&domain, &radii, seed)?;
        let radius = 1.2 * size;
        let base = disc(radius);
        let fixed = base.iter().map(|_| Body::fixed(0.5));
        let free = radii.iter().map(|&radius| Body::sphere(8.0 * radius.powi(3), radius));
        let bodies = Bodies::new(free.chain(fixed))?;
        let mut start = State::at_rest(bodies.len()).without_attitudes();
        base.iter().enumerate().for_each(|(i, &place)| start.position_mut().set(count + i, place));
        for (i, &centre) in centres.iter().enumerate() {
            start.position_mut().set(i, centre);
            start.velocity_mut().set(i, DVec3::NEG_Z * SPEED);
        }
        Ok(Self { bodies, start, rain: Rain { height }, radius, duration: length / SPEED + SETTLING })
    }

    /// Simulates the pour with one kind of contacts, and measures the heap.
    ///
    /// # Errors
    /// If a step fails.
    pub(crate) fn run(&self, contacts: Contacts, settings: &Settings) -> Result<Heap> {
        let floor = [Wall::plane(DVec3::Z * FLOOR, DVec3::Z)];
        match contacts {
            Contacts::Rigid => {
                let coefficients = ContactCoefficients::new(FRICTION, settings.rigid_restitution);
                let materials = RigidMaterials::uniform(ContactCoefficients { rolling: ROLLING, ..coefficients })?;
                let sweeps = AcceleratedSweeps::new(Options::new(settings.tolerance, settings.sweeps));
                let list = NeighborList::new(Domain::OPEN, 0.05)?;
                let mut dynamics = MoreauJean::new(settings.dt, list, materials, LimitedSweeps(sweeps))?
                    .with_walls(floor)?
                    .with_allowed_overlap(settings.overlap)?;
                let mut rain = self.rain;
                let mut effort = Effort::default();
                let heap = self.take(&mut |state| {
                    dynamics.step(&self.bodies, &mut rain, state)?;
                    effort.add(dynamics.report());
                    Ok(())
                })?;
                effort.residuals.sort_by(f64::total_cmp);
                Ok(Heap { effort, ..heap })
            }
            Contacts::Elastic => {
                let stiffness = settings.stiffness;
                let law = Hooke::new(stiffness, Damping::restitution_capped(settings.restitution)?)?;
                let slip = FrictionSpring::matching_hooke(&law, FRICTION)?;
                let rolling = SpringSlider::new(2.0 / 7.0 * stiffness, 0.5 * stiffness.sqrt(), ROLLING)?;
                let list = NeighborList::new(Domain::OPEN, 0.2)?;
                let force = ContactForce::new(list, Laws::of(law, Rolling::new(slip, rolling))).with_walls(floor)?;
                let dt = std::f64::consts::PI / (2.0 * stiffness).sqrt() / PER_CONTACT;
                let mut verlet = Explicit::new(Map::Verlet, dt)?;
                let mut field = Both(self.rain, force);
                self.take(&mut |state| verlet.step(&self.bodies, &mut field, state).map(|_| ()))
            }
        }
    }

    /// Calls `step` until the duration of the pour has passed, and measures the heap.
    fn take(&self, step: &mut dyn FnMut(&mut State) -> Result<(), IntegrateError>) -> Result<Heap> {
        let mut state = self.start.clone();
        let mut steps = 0;
        while state.time() < self.duration {
            step(&mut state).with_context(|| format!("step {steps}"))?;
            steps += 1;
        }
        let on_disc = |&i: &usize| self.bodies.mass()[i].is_finite() && state.position().get(i).z > 0.0;
        let members: Vec<usize> = (0..self.bodies.len()).filter(on_disc).collect();
        let places: Vec<DVec3> = members.iter().map(|&i| state.position().get(i)).collect();
        let radii: Vec<f64> = members.iter().map(|&i| self.bodies.radius()[i]).collect();
        let energy = |i: usize| 0.5 * self.bodies.mass()[i] * state.velocity().get(i).length_squared();
        let kinetic = members.iter().map(|&i| energy(i)).sum::<f64>() / members.len() as f64;
        let surface = Surface::new(&places, &radii, self.radius);
        Ok(Heap { steps, spheres: members.len(), kinetic, surface, effort: Effort::default() })
    }
}

/// Returns the centres of the fixed spheres of the disc: radius 1/2 in a triangular lattice, with their tops at z = 0.
fn disc(radius: f64) -> Vec<DVec3> {
    let row = 0.75_f64.sqrt();
    let most = (1.2 * radius) as i32 + 1;
    let site = |(i, j): (i32, i32)| DVec3::new(f64::from(i) + 0.5 * f64::from(j), row * f64::from(j), -0.5);
    let sites = (-most..=most).flat_map(|j| (-2 * most..=2 * most).map(move |i| (i, j)));
    sites.map(site).filter(|place| place.truncate().length() <= radius).collect()
}

/// Mean of several values, and its standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    pub(crate) error: f64,
}

impl Mean {
    /// Computes mean and standard error of independent values.
    pub(crate) fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        Self { mean, error: (square / (count - 1.0) / count).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_has_its_slope() {
        let radius = 9.0;
        let tan = 0.4;
        let cells = (-9..=9).flat_map(|i| (-9..=9).map(move |j| (f64::from(i), f64::from(j))));
        let places: Vec<DVec3> = cells
            .map(|(x, y)| DVec3::new(x, y, 0.0))
            .filter(|place| place.length() < radius)
            .map(|place| DVec3::new(place.x, place.y, tan * (radius - place.length())))
            .collect();
        let surface = Surface::new(&places, &vec![0.5; places.len()], radius);
        assert!((surface.fall - tan).abs() < 1e-12);
        assert!(surface.line().iter().all(|(distance, top)| (top - 0.5 - tan * (radius - distance)).abs() < 1e-12));
        let Mean { mean, error } = Mean::of(&[1.0, 3.0]);
        assert!((mean - 2.0).abs() < 1e-15 && (error - 1.0).abs() < 1e-15);
    }
}
