//! Positions of all bodies in a search for equilibrium, their loads and their contacts.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, ScalarColumn, State, VectorColumn};
use rrp_parallel::two_sum;

use crate::error::DemError;
use crate::neighbor::NeighborList;
use crate::statics::contact_rows::ContactRows;
use crate::statics::double_double::wall_overlap;
use crate::statics::totals::Totals;
use crate::wall::Wall;

#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    /// Point in m on the plane, from which distances to the wall are measured.
    pub(super) origin: [f64; 3],
    /// Unit normal of the plane into the wall.
    pub(super) normal: [f64; 3],
}

/// Positions, loads and contacts in a search for equilibrium, in the order of the neighbour list.
#[derive(Debug)]
pub(super) struct Configuration<'a> {
    radii: &'a ScalarColumn,
    pub(super) list: NeighborList,
    pub(super) planes: Vec<Plane>,
    pub(super) plane_numbers: Vec<u32>,
    /// Walls at rest that are not planes, each with its number.
    pub(super) surfaces: Vec<(u32, Wall)>,
    /// Rounded centre of each body, wrapped into the domain, in m.
    pub(super) centre: Vec<[f64; 3]>,
    /// Rounding error of each centre in m: centre and rounding error together have the precision of two numbers.
    pub(super) centre_low: Vec<[f64; 3]>,
    /// Centre of each body when the neighbour list was built, in m.
    reference: Vec<[f64; 3]>,
    pub(super) radius: Vec<f64>,
    /// Constant force on each body in N besides contacts; zero for fixed and held bodies.
    pub(super) load: Vec<[f64; 3]>,
    pub(super) movable: Vec<bool>,
    /// Whether each body may touch a wall while the neighbour list is valid.
    pub(super) near_wall: Vec<bool>,
    pub(super) by_body: ByBody,
    pub(super) rows: ContactRows,
    /// Sum of load and contact forces on each body in N.
    pub(super) force: Vec<[f64; 3]>,
    pub(super) block_totals: Vec<Totals>,
}

/// Data by body number, from which the neighbour list and the columns in its order are rebuilt.
#[derive(Debug)]
pub(super) struct ByBody {
    /// Rounded centre of each body in m: at first the position in the state, then, within the domain, the centre at the
    /// last call of `write_centres`.
    pub(super) position: VectorColumn,
    /// Rounding error of each centre, in m.
    position_low: Vec<DVec3>,
    /// Whole periods in m by which each centre was wrapped into the domain since the start.
    pub(super) jump: Vec<DVec3>,
    load: Vec<DVec3>,
    /// Whether each body is temporarily held in place, without its load.
    held: Vec<bool>,
}

#[derive(Debug, Default)]
pub(super) struct SavedCentres {
    centre: Vec<[f64; 3]>,
    centre_low: Vec<[f64; 3]>,
}

/// Centres of all bodies by body number, each the sum of two floating-point numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Centres<'a> {
    pub(super) state: &'a State,
    /// Rounding error of each position of the state, in m.
    pub(super) low: &'a [DVec3],
}

impl<'a> Configuration<'a> {
    /// Makes the configuration of `state` under `load` (N), with its own neighbour list and with walls at rest.
    ///
    /// # Errors
    /// Errors of walls across a periodic side, and of building the list.
    pub(super) fn new(
        bodies: &'a Bodies,
        Centres { state, low }: Centres<'_>,
        list: NeighborList,
        walls: &[Wall],
        load: &VectorColumn,
    ) -> Result<Self, DemError> {
        let count = bodies.len();
        let mut planes = Vec::new();
        let mut plane_numbers = Vec::new();
        let mut surfaces = Vec::new();
        for (number, wall) in (0_u32..).zip(walls) {
            let placed = wall.placed(0.0);
            placed.check(number as usize, list.domain().periods())?;
            match placed.plane() {
                Some((origin, normal)) => {
                    planes.push(Plane { origin: origin.to_array(), normal: (-normal).to_array() });
                    plane_numbers.push(number);
                }
                None => surfaces.push((number, wall.clone())),
            }
        }
        let mut configuration = Self {
            radii: bodies.radius(),
            list,
            planes,
            plane_numbers,
            surfaces,
            centre: Vec::new(),
            centre_low: Vec::new(),
            reference: Vec::new(),
            radius: Vec::new(),
            load: Vec::new(),
            movable: Vec::new(),
            near_wall: Vec::new(),
            by_body: ByBody {
                position: state.position().clone(),
                position_low: low.to_vec(),
                jump: vec![DVec3::ZERO; count],
                load: load.iter().collect(),
                held: vec![false; count],
            },
            rows: ContactRows::default(),
            force: vec![[0.0; 3]; count],
            block_totals: Vec::new(),
        };
        configuration.list.set_fixed(bodies.fixed());
        configuration.build_list()?;
        Ok(configuration)
    }

    pub(super) fn len(&self) -> usize {
        self.radii.len()
    }

    /// Rebuilds the neighbour list at the present centres, and reorders all data.
    ///
    /// # Errors
    /// Errors of building a list.
    pub(super) fn rebuild_list(&mut self) -> Result<(), DemError> {
        self.write_centres();
        self.list.forget();
        self.build_list()
    }

    fn write_centres(&mut self) {
        for (place, &i) in self.list.order().iter().enumerate() {
            self.by_body.position.set(i as usize, self.centre[place].into());
            self.by_body.position_low[i as usize] = self.centre_low[place].into();
        }
    }

    /// Builds the neighbour list from the data by body number, and reorders the other data.
    fn build_list(&mut self) -> Result<(), DemError> {
        let ByBody { position, position_low, jump, .. } = &mut self.by_body;
        self.list.update(self.radii, position)?;
        let rows = || self.list.order().iter().zip(self.list.position());
        for (&i, &[x, y, z, _]) in rows() {
            jump[i as usize] += position.get(i as usize) - DVec3::new(x, y, z);
        }
        self.centre.clear();
        self.centre.extend(rows().map(|(_, row)| [row[0], row[1], row[2]]));
        self.reference.clone_from(&self.centre);
        self.radius.clear();
        self.radius.extend(rows().map(|(_, row)| row[3]));
        self.centre_low.clear();
        self.centre_low.extend(rows().map(|(&i, _)| position_low[i as usize].to_array()));
        self.fill_loads();
        self.find_near_walls();
        Ok(())
    }

    /// Holds the bodies for which `is_held` is true, by body number, and takes off their loads; releases all others. A
    /// new list does not change which bodies are held.
    pub(super) fn hold(&mut self, is_held: impl Fn(usize) -> bool) {
        self.by_body.held.iter_mut().enumerate().for_each(|(i, held)| *held = is_held(i));
        self.fill_loads();
    }

    /// Sets which bodies can move and the load on each body, in the order of the neighbour list.
    fn fill_loads(&mut self) {
        let ByBody { load, held, .. } = &self.by_body;
        let order = self.list.order();
        self.movable.clear();
        self.movable.extend(order.iter().map(|&i| !held[i as usize]));
        for &i in self.list.fixed() {
            self.movable[self.list.place()[i] as usize] = false;
        }
        self.load.clear();
        let own = |(&i, &movable): (&u32, &bool)| if movable { load[i as usize].to_array() } else { [0.0; 3] };
        self.load.extend(order.iter().zip(&self.movable).map(own));
    }

    /// Finds the bodies that may touch a wall before they have moved by one and a half skins.
    fn find_near_walls(&mut self) {
        let planes = &self.planes;
        let surfaces = &self.surfaces;
        let skin = self.list.skin();
        let periods = self.list.domain().periods();
        let mut pieces = Vec::new();
        self.near_wall.clear();
        self.near_wall.extend(self.list.position().iter().map(|row| {
            planes.iter().any(|plane| {
                wall_overlap([[row[0], row[1], row[2]], [0.0; 3]], row[3], plane.origin, plane.normal) > -1.5 * skin
            }) || surfaces.iter().any(|(_, wall)| {
                let centre = DVec3::from_slice(&row[..3]);
                let reach = row[3] + 1.5 * skin;
                wall.placed(0.0).is_near(centre, reach, periods, &mut pieces)
            })
        }));
    }

    /// Largest distance in m of a centre from its position when the neighbour list was built.
    pub(super) fn drift(&self) -> f64 {
        let square = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>();
        self.centre.iter().zip(&self.reference).map(square).fold(0.0, f64::max).sqrt()
    }

    /// Moves all centres by the fraction `share` of the displacements `step` (m).
    pub(super) fn advance(&mut self, share: f64, step: &[[f64; 3]]) {
        for ((centre, low), step) in self.centre.iter_mut().zip(&mut self.centre_low).zip(step) {
            for c in 0..3 {
                [centre[c], low[c]] = two_sum(centre[c], low[c] + share * step[c]);
            }
        }
    }

    /// Saves the centres of all bodies; they can be restored until the neighbour list is rebuilt.
    pub(super) fn save(&self, saved: &mut SavedCentres) {
        saved.centre.clone_from(&self.centre);
        saved.centre_low.clone_from(&self.centre_low);
    }

    pub(super) fn restore(&mut self, saved: &SavedCentres) {
        self.centre.clone_from(&saved.centre);
        self.centre_low.clone_from(&saved.centre_low);
    }

    /// Returns the rounded centre in m, within the domain, of the body with this index in the neighbour list's order.
    pub(super) fn centre(&self, place: usize) -> DVec3 {
        self.centre[place].into()
    }

    /// Returns the position in m of each body by number, in the periodic image in which it started.
    pub(super) fn positions(&mut self) -> VectorColumn {
        self.write_centres();
        let ByBody { position, position_low, jump, .. } = &self.by_body;
        (0..self.len()).map(|i| (position.get(i) + position_low[i]) + jump[i]).collect()
    }

    /// Returns the rounding errors in m of the [`positions`](Self::positions), by body number.
    pub(super) fn positions_low(&mut self) -> Vec<DVec3> {
        self.write_centres();
        let ByBody { position, position_low, jump, .. } = &self.by_body;
        let rest = |i: usize| {
            let centre = position.get(i);
            let low = position_low[i];
            let jump = jump[i];
            let rounded = (centre + low) + jump;
            DVec3::from_array([0, 1, 2].map(|c| {
                let [sum, rest] = two_sum(centre[c], jump[c]);
                (sum - rounded[c]) + (rest + low[c])
            }))
        };
        (0..self.len()).map(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbor::domain::Domain;
    use rrp_integrate::Body;

    #[test]
    fn a_body_is_held_by_its_number_where_places_change() {
        // The second body is fixed.
        let bodies = [Body::sphere(1.0, 0.5), Body::fixed(0.5), Body::sphere(1.0, 0.5), Body::sphere(1.0, 0.5)];
        let bodies = Bodies::new(bodies).unwrap();
        let mut state = State::at_rest(4).without_attitudes();
        (0..4).for_each(|i| state.position_mut().set(i, DVec3::Z * 3.0 * i as f64));
        let load: VectorColumn = (0..4).map(|i| DVec3::X * (i + 1) as f64).collect();
        let list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
        let centres = Centres { state: &state, low: &[DVec3::ZERO; 4] };
        let mut configuration = Configuration::new(&bodies, centres, list, &[], &load).unwrap();
        let by_body = |configuration: &Configuration<'_>| -> Vec<(bool, f64)> {
            let place = configuration.list.place().iter().map(|&place| place as usize);
            place.map(|place| (configuration.movable[place], configuration.load[place][0])).collect()
        };
        let free = [(true, 1.0), (false, 0.0), (true, 3.0), (true, 4.0)];
        assert_eq!(by_body(&configuration), free);
        configuration.hold(|i| i == 0);
        let held = [(false, 0.0), free[1], free[2], free[3]];
        assert_eq!(by_body(&configuration), held);
        // The first body moves to the end of the order.
        let before = configuration.list.place().to_vec();
        configuration.centre[before[0] as usize][2] = 20.0;
        configuration.rebuild_list().unwrap();
        assert_ne!(configuration.list.place(), before);
        assert_eq!(by_body(&configuration), held);
        configuration.hold(|_| false);
        assert_eq!(by_body(&configuration), free);
    }
}
