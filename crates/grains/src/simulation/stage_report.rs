//! Why a stage ended, and what it left undone.

use super::Simulation;
use crate::build::walls::name_of_wall;
use crate::plan::ends::PlannedEnd;

/// Share of its force within which a servo bears what it should.
const MET: f64 = 0.05;

impl Simulation {
    /// Why stages have ended since the last call, a line each.
    pub fn take_ended(&mut self) -> Vec<String> {
        std::mem::take(&mut self.ended)
    }

    /// Remembers that the present stage is over, because `reached` is, or because its time is.
    pub(super) fn remember_end(&mut self, reached: Option<PlannedEnd>) {
        let clock = self.progress.clock;
        let stage = &self.plan.stages[clock.stage];
        if clock.stages == 1 && stage.end.is_none() {
            return;
        }
        let why = match reached {
            Some(PlannedEnd::KineticEnergy(energy)) => format!("the kinetic energy is below {energy} J"),
            Some(PlannedEnd::Behind { .. }) => "all free bodies are behind the plane".to_owned(),
            Some(PlannedEnd::Passed { mass, .. }) => format!("more than {mass} kg passed the gate"),
            Some(PlannedEnd::ServoAtRest(_)) => "servos bear what they should".to_owned(),
            None if stage.end.is_some() => "its `end` was not reached within its duration".to_owned(),
            None => "its duration is over".to_owned(),
        };
        let (number, lasted) = (clock.stage + 1, clock.in_stage() as f64 * clock.dt);
        let undone: String = self.undone().into_iter().map(|text| format!("; {text}")).collect();
        let line = format!("stage {number} of {} ended after {lasted:.6} s: {why}{undone}", clock.stages);
        self.ended.push(line);
    }

    /// Servos that do not bear what they should, and sources that brought nothing.
    fn undone(&self) -> Vec<String> {
        let stage = &self.plan.stages[self.progress.clock.stage];
        let mut undone = Vec::new();
        for &(number, servo) in self.servos.iter().filter(|(number, _)| self.progress.walls[*number].is_there()) {
            if self.team.is_none() && !self.engine.bears(&[(number, servo)], None, MET) {
                let wall =
                    name_of_wall(&stage.scene, number).map_or_else(|| number.to_string(), |name| format!("`{name}`"));
                undone.push(format!("the servo of the wall {wall} does not bear its {} N", servo.force()));
            }
        }
        let tallies = self.progress.exchange.sources.iter().zip(&stage.running).enumerate();
        for (number, _) in tallies.filter(|(_, (tally, runs))| **runs && tally.count == 0) {
            let source = stage.scene.sources[number].column(number);
            undone.push(format!("the source `{source}` has brought nothing: is there room in front of all walls?"));
        }
        undone
    }
}
