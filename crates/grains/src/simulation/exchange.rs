//! Insertion of bodies by sources, and counting or removal of bodies by gates, between two steps.

use std::sync::Arc;

use dem_contact::packing::{Sphere, Surroundings};
use dem_contact::source::{Gate, GateShape, Grain};
use dem_contact::wall::Wall;
use rrp_geom::Attitude;
use rrp_geom::glam::DVec3;
use rrp_integrate::step::evaluate_wrenches;
use rrp_integrate::{Bodies, Both, Gravity, Potential as _, Renumbering, State, kinetic_energy};

use super::Simulation;
use crate::build::checks::blocked;
use crate::build::domain::domain;
use crate::build::liquid::on_bodies;
use crate::build::sources::{PlannedSource, gates};
use crate::build::walls::group_of;
use crate::engine::{ComingBodies, LeavingBodies};
use crate::error::{GrainsError, Note};
use crate::progress::Progress;
use crate::progress::clock::Clock;
use crate::progress::exchange::{Exchange, GateTally, Passage, SourceTally};
use crate::progress::identities::Identities;
use crate::scene::Scene;
use crate::scene::output::Interval;
use crate::scene::walls::WallShape;

/// Distance between two tested positions of a moving body, relative to the thickness of a gate: small enough to miss no
/// body.
const STRIDE: f64 = 0.25;

/// Bodies of one material that a source inserts.
struct Coming {
    bodies: Bodies,
    state: State,
    material: u16,
    source: usize,
}

fn no_bodies() -> Result<Bodies, GrainsError> {
    Bodies::new([]).map_err(|error| GrainsError::refused("gates")(error.into()))
}

/// Lists the ids and centres (m) of all free bodies.
fn free_grains(bodies: &Bodies, state: &State, identities: &Identities) -> impl Iterator<Item = (u64, DVec3)> {
    let free = (0..bodies.len()).filter(|&body| bodies.inverse_mass()[body] > 0.0);
    free.map(|body| (identities.all()[body], state.position().get(body)))
}

/// Makes the tallies at the start of a run.
pub(super) fn first_exchange(
    scene: &Scene,
    bodies: &Bodies,
    state: &State,
    identities: &Identities,
) -> Result<Exchange, GrainsError> {
    let grains = || free_grains(bodies, state, identities);
    let periods = domain(scene)?.periods();
    let gate = |(index, shape): (usize, GateShape)| {
        // A gate that removes grains counts all grains that it removes.
        let passed = grains().filter(|_| !scene.gates[index].remove);
        let gate = Gate::new(shape, periods, passed).map_err(GrainsError::refused(format!("gates[{index}].shape")))?;
        Ok(GateTally::new(gate))
    };
    Ok(Exchange {
        sources: vec![SourceTally::default(); scene.sources.len()],
        gates: gates(scene)?.into_iter().enumerate().map(gate).collect::<Result<_, GrainsError>>()?,
        passages: Vec::new(),
    })
}

pub(super) fn gates_that_take_all(
    scene: &Scene,
    exchange: &Exchange,
    bodies: &Bodies,
    state: &State,
    identities: &Identities,
) -> Vec<Note> {
    let grains = || free_grains(bodies, state, identities);
    let count = grains().count();
    let takes_all = |tally: &GateTally| {
        let mut gate = tally.gate.clone();
        gate.look(grains());
        count > 0 && gate.beyond().len() == count
    };
    let gates = scene.gates.iter().zip(&exchange.gates).enumerate().filter(|(_, (gate, _))| gate.remove);
    let taking = gates.filter(|(_, (_, tally))| takes_all(tally)).map(|(index, (gate, _))| {
        let (key, remedy) = match gate.shape {
            GateShape::Plane { .. } => (
                ".plane.normal",
                "they are behind the plane. Reverse its `normal`, which is against the way of the grains",
            ),
            _ => ("", "they are in its region. Move it to where grains should end"),
        };
        let text = format!("the gate takes away all {count} bodies before the first step: {remedy}");
        Note::new(format!("gates[{index}].shape{key}"), text)
    });
    taking.collect()
}

/// Computes the number of steps of `dt` (s) until the next check of a gate: `steps`, or fewer if a body of constant
/// velocity would enter and leave the gate's region in between. `moving` has centres (m) and velocities (m/s) of
/// bodies; their periodic images are `periods` (m) apart.
fn steps_to_look(gate: &Gate, periods: DVec3, moving: impl Iterator<Item = [DVec3; 2]>, dt: f64, steps: u64) -> u64 {
    let thickness = match *gate.shape() {
        GateShape::Box { low, high } => (high - low).min_element(),
        GateShape::Cylinder { axis, radius, .. } => axis.length().min(2.0 * radius),
        // A body behind a plane is still there at the next check.
        _ => return steps,
    };
    let mut least = steps;
    for [centre, velocity] in moving {
        let stride = STRIDE * thickness / (velocity.length() * dt);
        let holds = |step: u64| gate.shape().holds_image(centre + velocity * (dt * step as f64), periods);
        // One more step is tested at the end because of rounding.
        if stride >= steps as f64 || holds(0) || holds(steps) && holds(steps.saturating_add(1)) {
            continue;
        }
        let seen = (1..least).step_by((stride as usize).max(1)).find(|&step| holds(step));
        least = seen.unwrap_or(least);
    }
    least
}

impl Simulation {
    /// Removes the bodies at removing gates, and inserts bodies from sources, before the next step.
    ///
    /// # Errors
    /// [`GrainsError::Reading`] and [`GrainsError::Refused`].
    pub(super) fn exchange_bodies(&mut self) -> Result<(), GrainsError> {
        self.progress.exchange.passages.clear();
        let Clock { step, stage, .. } = self.progress.clock;
        let Exchange { sources: tallies, gates, .. } = &self.progress.exchange;
        let running = &self.plan.stages[stage].running;
        let is_due = |number: usize| running[number] && tallies[number].next <= step;
        let due: Vec<usize> = (0..tallies.len()).filter(|&number| is_due(number)).collect();
        let is_gate_due = gates.iter().any(|tally| tally.next <= step);
        if due.is_empty() && !is_gate_due {
            return Ok(());
        }
        let plan = Arc::clone(&self.plan);
        let sources = Arc::clone(&self.sources);
        let scene = &plan.stages[stage].scene;
        let mut touched_others = false;
        if is_gate_due {
            self.gather()?;
            touched_others = self.look_at_gates(scene)?;
        }
        due.into_iter().try_for_each(|number| self.run_source(scene, number, &sources[number]))?;
        if touched_others {
            self.evaluate_after_removal()?;
        }
        Ok(())
    }

    /// Evaluates forces anew after bodies were removed. The forces of the last step include contacts of removed bodies,
    /// whose energy is gone: in the next half step they would do work without a source.
    fn evaluate_after_removal(&mut self) -> Result<(), GrainsError> {
        // On ranks, gathered bodies spin as in the next step.
        self.spin_fixed_bodies();
        let failed = GrainsError::unreadable(self.state.time());
        self.engine.evaluate(&self.bodies, &mut self.state).map_err(|error| failed(error.into()))
    }

    /// Returns the number of the step before which a source with this interval tries to insert grains next.
    fn next_look(&self, every: Interval) -> u64 {
        let clock = &self.progress.clock;
        clock.step.saturating_add(every.steps(clock.dt))
    }

    /// Counts the bodies that passed gates, and removes bodies at removing gates. Returns whether a removed body had an
    /// overlapping contact or a liquid bridge.
    fn look_at_gates(&mut self, scene: &Scene) -> Result<bool, GrainsError> {
        let mut leaves = Vec::new();
        let periods = domain(scene)?.periods();
        for (number, gate) in scene.gates.iter().enumerate() {
            if self.progress.exchange.gates[number].next > self.progress.clock.step {
                continue;
            }
            let steps = gate.every.steps(self.progress.clock.dt);
            let tally = &mut self.progress.exchange.gates[number];
            let passed = tally.gate.look(free_grains(&self.bodies, &self.state, &self.progress.identities));
            let free = |&body: &usize| self.bodies.inverse_mass()[body] > 0.0;
            let moving = (0..self.bodies.len()).filter(free);
            let moving = moving.map(|body| [self.state.position().get(body), self.state.velocity().get(body)]);
            let clock = &self.progress.clock;
            tally.next = clock.step.saturating_add(steps_to_look(&tally.gate, periods, moving, clock.dt, steps));
            for (back, passed) in [false, true].into_iter().zip(passed) {
                for id in passed {
                    let Ok(body) = self.progress.identities.all().binary_search(&id) else { continue };
                    let mass = self.bodies.mass()[body];
                    let radius = self.bodies.radius()[body];
                    let sign = if back { -1 } else { 1 };
                    tally.count += sign;
                    tally.mass.add(sign as f64 * mass);
                    let time = self.state.time();
                    let passage = Passage { time, gate: number, id, back, radius, mass };
                    self.progress.exchange.passages.push(passage);
                }
            }
            if gate.remove && !tally.gate.beyond().is_empty() {
                leaves.resize(self.bodies.len(), false);
                for id in tally.gate.beyond() {
                    if let Ok(body) = self.progress.identities.all().binary_search(id) {
                        leaves[body] = true;
                    }
                }
            }
        }
        if leaves.is_empty() { Ok(false) } else { self.remove_bodies(&leaves) }
    }

    /// Removes the bodies with a flag in `leaves`. Returns whether any of them had an overlapping contact or a liquid
    /// bridge.
    fn remove_bodies(&mut self, leaves: &[bool]) -> Result<bool, GrainsError> {
        let failed = GrainsError::unreadable(self.state.time());
        let others_gone = Renumbering::removal(leaves.len(), |body| !leaves[body]);
        let bodies = others_gone.bodies(&self.bodies).map_err(|error| failed(error.into()))?;
        let state = others_gone.state(&self.state).map_err(|error| failed(error.into()))?;
        let leaving = LeavingBodies { leaves, bodies, state };
        let energies = self.engine.energies_of(&leaving, &self.bodies, &self.state).map_err(failed)?;
        let nobody = Coming { bodies: no_bodies()?, state: State::at_rest(0), material: 0, source: 0 };
        self.renumber(&Renumbering::removal(leaves.len(), |body| leaves[body]), &nobody)?;
        self.progress.account.release(kinetic_energy(&leaving.bodies, &leaving.state).total(), &energies);
        Ok(energies.elastic.abs() + energies.capillary.abs() > 0.0)
    }

    fn run_source(&mut self, scene: &Scene, number: usize, source: &PlannedSource) -> Result<(), GrainsError> {
        let clock = self.progress.clock;
        let mut tally = self.progress.exchange.sources[number].clone();
        tally.next = self.next_look(source.every);
        if let Some(rate) = source.rate {
            // The amount that is due until the next attempt.
            tally.allowed += rate.value() * source.every.steps(clock.dt) as f64 * clock.dt;
        }
        let is_due = tally.allows(source, source.grains.size(tally.count).0);
        self.progress.exchange.sources[number] = tally.clone();
        if !is_due {
            return Ok(());
        }
        self.gather()?;
        let spheres: Vec<Sphere> = (0..self.bodies.len())
            .map(|body| Sphere { center: self.state.position().get(body), radius: self.bodies.radius()[body] })
            .filter(|sphere| sphere.radius > 0.0)
            .collect();
        let time = self.state.time();
        let name = scene.sources[number].name.as_ref();
        let walls = self.progress.walls.iter().enumerate();
        let felt = walls.filter(|(wall, _)| scene.walls[group_of(scene, *wall)].is_felt_by(name));
        let walls = felt.map(|(_, wall)| wall.as_it_acts().held_at(time));
        // An elastic wall would push a grain behind it through the wall.
        let elastic = scene.walls.iter().filter_map(|group| match group.shape {
            WallShape::Elastic { point, normal, .. } => {
                Some(Wall::plane(DVec3::from_array(point), DVec3::from_array(normal)))
            }
            _ => None,
        });
        let walls: Vec<Wall> = walls.chain(elastic).collect();
        let surroundings = Surroundings { spheres: &spheres, walls: &walls, periods: domain(scene)?.periods() };
        let mut trial = tally.clone();
        let grains = source.grains.insert(&surroundings, tally.count, tally.attempts, |radius| {
            let is_allowed = trial.allows(source, radius);
            trial.add(source, radius);
            is_allowed
        });
        let grains = grains.map_err(GrainsError::refused(format!("sources[{number}].region")))?;
        tally.attempts += 1;
        grains.iter().for_each(|grain| tally.add(source, grain.radius));
        self.progress.exchange.sources[number] = tally;
        if grains.is_empty() { Ok(()) } else { self.bring(scene, number, source, &grains) }
    }

    fn bring(
        &mut self,
        scene: &Scene,
        number: usize,
        source: &PlannedSource,
        grains: &[Grain],
    ) -> Result<(), GrainsError> {
        let failed = GrainsError::unreadable(self.state.time());
        let bodies =
            Bodies::new(grains.iter().map(|grain| source.body(grain.radius))).map_err(|error| failed(error.into()))?;
        let mut state = State::at_rest(grains.len());
        for (i, grain) in grains.iter().enumerate() {
            state.position_mut().set(i, grain.center);
            state.velocity_mut().set(i, source.velocity + source.speed * grain.normal);
            state.set_spin(&bodies, i, source.spin);
            let attitude = Attitude::from_quaternion(grain.rotation);
            state.attitude_mut().set(i, attitude.unwrap_or(Attitude::IDENTITY));
        }
        if self.progress.has_no_attitudes {
            state = state.without_attitudes();
        }
        // Inserted bodies have no contacts yet.
        let gravity = Gravity { acceleration: DVec3::from_array(scene.gravity) };
        let mut field = Both(gravity, blocked(scene));
        evaluate_wrenches(&bodies, &mut field, &mut state).map_err(|error| failed(error.into()))?;
        let Both(gravity, _) = field;
        let kinetic = kinetic_energy(&bodies, &state).total();
        let height = gravity.energy(&bodies, &state);
        let numbering = Renumbering::insertion(self.bodies.len(), grains.len());
        self.renumber(&numbering, &Coming { bodies, state, material: source.material, source: number })?;
        self.progress.account.supply(kinetic + height, kinetic + height.abs());
        Ok(())
    }

    /// Applies a renumbering to everything that refers to body numbers.
    fn renumber(&mut self, numbering: &Renumbering, coming: &Coming) -> Result<(), GrainsError> {
        let failed = GrainsError::unreadable(self.state.time());
        let several = self.plan.stages[0].scene.contact.as_ref().is_some_and(|model| model.names().len() > 1);
        let materials = vec![coming.material; if several { numbering.new_bodies() } else { 0 }];
        let liquid = &self.plan.stages[0].scene.liquid;
        let liquid = liquid.as_ref().map_or_else(Vec::new, |group| on_bodies(group, &coming.bodies));
        let groups = vec![self.progress.groups.of_source(coming.source); numbering.new_bodies()];
        let all = ComingBodies { bodies: &coming.bodies, materials: &materials, groups: &groups, liquid: &liquid };
        self.call_together()?;
        self.engine.renumber(numbering, all).map_err(failed)?;
        let Progress { identities, groups, materials: known, .. } = &mut self.progress;
        let told = numbering
            .apply_with(&mut self.state, &coming.state)
            .and_then(|()| numbering.apply_to_bodies_with(Arc::make_mut(&mut self.bodies), &coming.bodies))
            .and_then(|()| identities.renumber(numbering))
            .and_then(|()| groups.renumber(numbering, coming.source))
            .and_then(|()| if several { numbering.column_with(&known.bodies, &materials) } else { Ok(Vec::new()) });
        known.bodies = told.map_err(|error| failed(error.into()))?;
        Ok(())
    }
}
