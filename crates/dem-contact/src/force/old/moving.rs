//! Where bodies are and how they move, in rows.

use rrp_integrate::{Bodies, State};

use crate::force::old::prefetch::fetch_ahead;

/// Centre and radius, velocity and the number of the body as a number, spin and reciprocal mass: what is read for each contact.
///
/// In the places of numbers that are treated alike: of two bodies, centres are subtracted and so are velocities and numbers,
/// spins and reciprocal masses added up.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub(crate) struct Moving {
    pub(crate) position: [f64; 4],
    pub(crate) velocity: [f64; 4],
    pub(crate) spin: [f64; 4],
}

impl Moving {
    pub(crate) fn of(bodies: &Bodies, state: &State, i: u32, position: [f64; 4]) -> Self {
        let k = i as usize;
        let (v, w) = (state.velocity().get(k), state.spin(bodies, k));
        let (velocity, spin) = ([v.x, v.y, v.z, f64::from(i)], [w.x, w.y, w.z, bodies.inverse_mass()[k]]);
        Self { position, velocity, spin }
    }

    /// The number of the body.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        self.velocity[3] as u32
    }
}

/// What rows are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) state: &'a State,
}

impl Source<'_> {
    /// Fills the rows of these bodies, which are at these positions. They are anywhere in memory: it takes a loop without calls and
    /// branches but one that can be foreseen to wait for many of them at the same time.
    #[inline(always)]
    pub(crate) fn read<'p>(self, rows: &mut [Moving], order: &[u32], position: impl Iterator<Item = &'p [f64; 4]>) {
        let (inverse_mass, moment) = (self.bodies.inverse_mass(), self.bodies.inverse_inertia().spherical());
        let Some(moment) = moment else {
            for ((row, &i), &position) in rows.iter_mut().zip(order).zip(position) {
                *row = Moving::of(self.bodies, self.state, i, position);
            }
            return;
        };
        match ((inverse_mass.uniform(), moment.uniform()), (inverse_mass.slice(), moment.slice())) {
            ((Some(mass), Some(moment)), _) => self.read_spheres(rows, (order, position), |_| (mass, moment)),
            (_, (Some(masses), Some(moments))) => {
                let (masses, moments) = (&masses[..self.bodies.len()], &moments[..self.bodies.len()]);
                self.read_spheres(rows, (order, position), |k| (masses[k], moments[k]));
            }
            _ => self.read_spheres(rows, (order, position), |k| (inverse_mass[k], moment[k])),
        }
    }

    /// The same of spheres with these reciprocal masses and moments of inertia.
    #[inline(always)]
    fn read_spheres<'p>(
        self,
        rows: &mut [Moving],
        (order, position): (&[u32], impl Iterator<Item = &'p [f64; 4]>),
        constants: impl Fn(usize) -> (f64, f64),
    ) {
        // Of one length, so that a number is compared with it once.
        let len = self.bodies.len();
        let [x, y, z] = self.state.velocity().slices().map(|component| &component[..len]);
        let [lx, ly, lz] = self.state.angular_momentum().slices().map(|component| &component[..len]);
        for (at, ((row, &i), &position)) in rows.iter_mut().zip(order).zip(position).enumerate() {
            fetch_ahead(order, at, [x, y, z, lx, ly, lz]);
            let k = i as usize;
            let (mass, moment) = constants(k);
            let spin = [lx[k] * moment, ly[k] * moment, lz[k] * moment, mass];
            *row = Moving { position, velocity: [x[k], y[k], z[k], f64::from(i)], spin };
        }
    }
}
