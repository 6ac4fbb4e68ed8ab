//! Tests of laws that stick or yield: cycles against closed forms, impacts, friction, equal bits on all threads.

mod cycles;
mod extremes;
mod impacts;
mod sliding;
mod yielding;

use dem_contact::law::Dmt;

use crate::prelude::*;

const REDUCED_MODULUS: f64 = 3e4;
const ADHESION: f64 = 2.0;

fn hertz(damping: Damping) -> Hertz {
    Hertz::new(4.0 / 3.0 * REDUCED_MODULUS, damping).unwrap()
}

fn jkr() -> Jkr {
    Jkr::new(hertz(Damping::NONE), ADHESION).unwrap()
}

fn dmt() -> Dmt {
    Dmt::new(hertz(Damping::NONE), ADHESION).unwrap()
}

/// Makes contacts by `law` with this friction coefficient and resistance to rolling.
fn field(law: impl ContactLaw + 'static, friction: f64, rolling: f64) -> ContactForce {
    let spring = MindlinSpring::new(2e4, 0.0, friction).unwrap();
    let tangential = Rolling::new(spring, SpringSlider::coefficient(rolling).unwrap());
    contacts(open_list(0.05), law, tangential)
}

/// Body below a sphere that comes down: a fixed sphere or a floor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Below {
    Sphere(f64),
    Floor,
}

/// Contact along z of a sphere, the last body, with the body or floor below.
struct Meeting {
    bodies: Bodies,
    state: State,
    field: ContactForce,
    radius: f64,
    /// Height in m at which the surfaces touch.
    height: f64,
}

impl Meeting {
    fn new(law: impl ContactLaw + 'static, below: Below, own: f64) -> Self {
        Self::of(field(law, 0.0, 0.0), below, own)
    }

    /// Makes a sphere of mass one with the contacts of `field`.
    fn of(field: ContactForce, below: Below, own: f64) -> Self {
        let field = field.with_ledger();
        match below {
            Below::Sphere(other) => Self {
                bodies: Bodies::new([Body::fixed(other), Body::sphere(1.0, own)]).unwrap(),
                state: State::at_rest(2),
                field,
                radius: other * own / (other + own),
                height: other + own,
            },
            Below::Floor => Self {
                bodies: Bodies::new([Body::sphere(1.0, own)]).unwrap(),
                state: State::at_rest(1),
                field: field.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap(),
                radius: own,
                height: own,
            },
        }
    }

    fn upper(&self) -> usize {
        self.bodies.len() - 1
    }

    fn gap(&self) -> f64 {
        self.state.position().get(self.upper()).z - self.height
    }

    /// Moves the sphere to this gap and velocity, and evaluates and commits; returns the force on it.
    fn press(&mut self, gap: f64, velocity: DVec3, elapsed: f64) -> DVec3 {
        let upper = self.upper();
        self.state.position_mut().set(upper, DVec3::Z * (self.height + gap));
        self.state.velocity_mut().set(upper, velocity);
        let out = wrenches_after(&self.bodies, &mut self.field, &self.state, elapsed);
        self.field.commit();
        out.force.get(upper)
    }

    fn ledger(&self) -> Ledger {
        energies(&self.bodies, &self.field, &self.state)
    }

    /// Unit of work (w⁵R⁴/E*²)^⅓ in J.
    fn unit_of_work(&self) -> f64 {
        (ADHESION.powi(5) * self.radius.powi(4) / REDUCED_MODULUS.powi(2)).cbrt()
    }
}

/// Partner below and own radius in m of the meetings that each law is tested in.
const MEETINGS: [(Below, f64); 3] = [(Below::Sphere(0.5), 0.5), (Below::Sphere(0.3), 0.8), (Below::Floor, 0.4)];
