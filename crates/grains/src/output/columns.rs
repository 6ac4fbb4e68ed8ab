//! Columns of the written CSV tables. Numbers have enough digits to read them back bit by bit.

use csv::{Terminator, WriterBuilder};
use dem_contact::law::Partner;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::build::table::{COLUMNS, LABELS};
use crate::progress::Progress;
use crate::progress::exchange::{Exchange, Passage};
use crate::reading::{ContactRow, Energies, Liquid, Reading};
use crate::scene::Scene;
use crate::scene::sources::Gate;
use crate::simulation::FragmentTally;

/// Columns of the time series for a deforming box: its stresses, its edges and its shear offset.
pub(super) const BOX: [&str; 7] = ["stress_x", "stress_y", "stress_z", "box_x", "box_y", "box_z", "box_offset"];

pub(super) const LIQUID: [&str; 6] =
    ["capillary", "capillary_loss", "bridges", "liquid_on_bodies", "liquid_in_bridges", "liquid_removed"];

/// Columns of the time series for the energy that contacts dissipate, by kind of motion, and its part at walls.
pub(super) const DISSIPATION: [&str; 5] =
    ["dissipated_normal", "dissipated_sliding", "dissipated_rolling", "dissipated_twisting", "dissipated_walls"];

/// Columns of the time series in a run with bonds: number of fragments, and mass of the heaviest one.
pub(super) const FRAGMENTS: [&str; 2] = ["fragments", "largest_fragment"];

/// Columns of the time series that every scene has, before the forces on walls.
pub(super) const SERIES: [&str; 32] = [
    "step",
    "time",
    "kinetic_translation",
    "kinetic_rotation",
    "elastic",
    "external",
    "staggered",
    "bonds",
    "released",
    "broken",
    "jump_work",
    "dissipated",
    "damped",
    "gained",
    "wall_work",
    "box_work",
    "supplied",
    "balance",
    "px",
    "py",
    "pz",
    "lx",
    "ly",
    "lz",
    "mean_kinetic",
    "velocity_variance",
    "contacts",
    "contacts_per_body",
    "largest_overlap",
    "iterations",
    "unsolved",
    "bodies",
];

/// Columns of the table of contacts. The branch vector goes from the centre of `a` to that of `b`, or to the nearest
/// point of a wall; the stress is a sum of products of branch vector and force. In contact dynamics branch vector,
/// place and gap are those at the start of the step.
pub(super) const CONTACTS: [&str; 21] = [
    "step",
    "time",
    "a",
    "b",
    "with_wall",
    "x",
    "y",
    "z",
    "gap",
    "nx",
    "ny",
    "nz",
    "branch_x",
    "branch_y",
    "branch_z",
    "normal_force",
    "tangential_fx",
    "tangential_fy",
    "tangential_fz",
    "elastic_energy",
    "dissipated_power",
];

pub(super) const PASSED: [&str; 6] = ["time", "gate", "id", "way", "radius", "mass"];

/// Returns the header line of the time series of `scene`: the columns of every scene, stresses if the box deforms,
/// fragments if there are bonds in any stage, the force on each wall, elastic walls last, the torque on each other
/// wall, the places of the walls with the numbers `with_places`, and number and mass of grains by source and by gate.
pub(super) fn series_header(scene: &Scene, with_places: &[usize], has_bonds: bool) -> String {
    let walls = wall_columns(scene);
    let elastic_walls = scene.walls.iter().filter(|wall| wall.shape.elastic_stiffness().is_some()).count();
    let forces = walls.iter().flat_map(|wall| ["fx", "fy", "fz"].map(|name| format!("{wall}_{name}")));
    let torques = walls.iter().take(walls.len() - elastic_walls);
    let torques = torques.flat_map(|wall| ["tx", "ty", "tz"].map(|name| format!("{wall}_{name}")));
    let places = with_places.iter().filter_map(|&number| walls.get(number));
    let places = places.flat_map(|wall| ["x", "y", "z"].map(|name| format!("{wall}_{name}")));
    let sources = scene.sources.iter().enumerate().map(|(index, source)| source.column(index));
    let gates = scene.gates.iter().enumerate().map(|(index, gate)| gate.column(index));
    let tallies = sources.chain(gates).flat_map(|name| ["count", "mass"].map(|what| format!("{name}_{what}")));
    let of_box: &[&str] = if scene.deforms_in_any_stage() { &BOX } else { &[] };
    let of_liquid: &[&str] = if scene.liquid.is_some() { &LIQUID } else { &[] };
    let by_motion: &[&str] = if scene.output.dissipation.is_some() { &DISSIPATION } else { &[] };
    let of_bonds: &[&str] = if has_bonds { &FRAGMENTS } else { &[] };
    let names = SERIES.iter().chain(of_box).chain(of_liquid).chain(by_motion).chain(of_bonds);
    let names = names.map(|&name| name.to_owned());
    text([names.chain(forces).chain(torques).chain(places).chain(tallies)])
}

/// Returns the name of each wall in columns of the time series by wall number; elastic walls come last.
pub(crate) fn wall_columns(scene: &Scene) -> Vec<String> {
    let mut walls = Vec::new();
    for is_elastic in [false, true] {
        for wall in &scene.walls {
            let elastic = wall.shape.elastic_stiffness().is_some();
            let count = if elastic { 1 } else { wall.shape.count() };
            if elastic != is_elastic {
                continue;
            }
            for side in 0..count {
                walls.push(match &wall.name {
                    Some(name) if count == 1 => name.clone(),
                    Some(name) => format!("{name}{side}"),
                    None => format!("wall{}", walls.len()),
                });
            }
        }
    }
    walls
}

/// Formats one line of the time series. Energies without a record are empty. `fragments` is given in a run with bonds
/// only.
pub(crate) fn series_line(
    reading: &Reading,
    progress: &Progress,
    with_places: &[usize],
    fragments: Option<FragmentTally>,
) -> String {
    let Energies { elastic, external, bonds, released, jump_work, dissipated, damped, .. } = reading.energies;
    let Energies { staggered, gained, wall_work, box_work, supplied, .. } = reading.energies;
    let optional = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let mut fields = vec![progress.clock.step.to_string()];
    let kinetic = reading.kinetic;
    let numbers = [reading.time, kinetic.translation, kinetic.rotation, elastic, external, staggered, bonds, released];
    fields.extend(numbers.map(|number| number.to_string()));
    fields.extend([reading.broken_bonds.to_string(), jump_work.to_string()]);
    fields.extend(
        [dissipated, Some(damped), gained, wall_work, Some(box_work), Some(supplied), reading.balance()].map(optional),
    );
    fields.extend([reading.linear_momentum, reading.angular_momentum].into_iter().flat_map(components));
    fields.extend([reading.mean_kinetic, reading.velocity_variance].map(|number| number.to_string()));
    fields.push(reading.contacts.len().to_string());
    fields.extend([reading.contacts_per_body, reading.largest_overlap()].map(|number| number.to_string()));
    fields.extend([progress.iterations.to_string(), progress.unsolved.steps.to_string()]);
    fields.push(progress.identities.all().len().to_string());
    if let Some(domain) = progress.domain {
        let stress = reading.box_stress.map(|stress| stress.to_array());
        fields.extend([0, 1, 2].map(|axis| optional(stress.map(|stress| stress[axis]))));
        // A box whose volume shrinks to zero ends the run.
        let domain = domain.at(reading.time).unwrap_or(domain);
        fields.extend(components(domain.high() - domain.low()));
        fields.push(domain.offset().to_string());
    }
    if let Some(Liquid { bridges, on_bodies, in_bridges, removed }) = reading.liquid {
        let Energies { capillary, capillary_loss, .. } = reading.energies;
        fields.extend([capillary, capillary_loss].map(|number| number.to_string()));
        fields.push(bridges.to_string());
        fields.extend([on_bodies, in_bridges, removed].map(|number| number.to_string()));
    }
    fields.extend(progress.dissipation.energies().into_iter().flatten().map(|energy| energy.to_string()));
    let in_words = |FragmentTally { count, largest }| [count.to_string(), largest.to_string()];
    fields.extend(fragments.into_iter().flat_map(in_words));
    fields.extend(reading.wall_forces.iter().copied().flat_map(components));
    let torque = |wall: usize| {
        let torque = reading.wall_torques.get(wall);
        torque.map_or_else(|| std::array::from_fn(|_| String::new()), |torque| components(*torque))
    };
    fields.extend((0..progress.walls.len()).flat_map(torque));
    let walls = with_places.iter().filter_map(|&number| progress.walls.get(number));
    fields.extend(walls.flat_map(|wall| components(wall.point_at(reading.time))));
    let Exchange { sources, gates, .. } = &progress.exchange;
    fields.extend(sources.iter().flat_map(|tally| [tally.count.to_string(), tally.mass.value().to_string()]));
    fields.extend(gates.iter().flat_map(|tally| [tally.count.to_string(), tally.mass.value().to_string()]));
    text([fields])
}

pub(super) fn contacts_header() -> String {
    text([CONTACTS.map(str::to_owned)])
}

pub(super) fn passages_header() -> String {
    text([PASSED.map(str::to_owned)])
}

/// Formats one line for each grain that passed a gate, with the name or number of the gate.
pub(crate) fn passage_lines(passages: &[Passage], gates: &[Gate]) -> String {
    text(passages.iter().map(|passage| {
        let way = if passage.back { "-1" } else { "1" };
        let numbers = [passage.radius, passage.mass].map(|number| number.to_string());
        let gate = gates.get(passage.gate).map_or_else(String::new, |gate| gate.label(passage.gate));
        let ends = [passage.time.to_string(), gate, passage.id.to_string(), way.to_owned()];
        ends.into_iter().chain(numbers)
    }))
}

/// Formats one line of the table of contacts for each contact of `bodies` with these `ids`.
pub(crate) fn contact_lines(step: u64, time: f64, contacts: &[ContactRow], bodies: &Bodies, ids: &[u64]) -> String {
    let id = |body: usize| ids.get(body).copied().unwrap_or(body as u64);
    let radius = |body: usize| bodies.radius()[body];
    text(contacts.iter().map(|row| {
        let (b, with_wall, beyond) = match row.b {
            Partner::Body(b) => (id(b), "0", radius(b)),
            Partner::Wall(wall) => (wall as u64, "1", 0.0),
        };
        let branch = (radius(row.a) + row.gap + beyond) * row.normal;
        let mut fields = vec![step.to_string(), time.to_string(), id(row.a).to_string(), b.to_string()];
        fields.push(with_wall.to_owned());
        fields.extend(components(row.point));
        fields.push(row.gap.to_string());
        fields.extend([row.normal, branch].into_iter().flat_map(components));
        fields.push(row.normal_force.to_string());
        fields.extend(components(row.tangential_force));
        fields.extend([row.elastic_energy, row.dissipated_power].map(|number| number.to_string()));
        fields
    }))
}

/// Formats bodies as a table that a scene can read. With `labels`, each row ends with the labels of its body.
pub(crate) fn body_table(bodies: &Bodies, state: &State, labels: Option<&Vec<[String; 3]>>) -> String {
    let row = |i: usize| {
        let sizes = [bodies.radius()[i], bodies.mass()[i]].map(|number| number.to_string());
        let [position, velocity] = [state.position(), state.velocity()].map(|column| components(column.get(i)));
        let own = labels.map(|labels| labels[i].clone());
        let motion = velocity.into_iter().chain(components(state.spin(bodies, i)));
        position.into_iter().chain(sizes).chain(motion).chain(own.into_iter().flatten()).collect()
    };
    let names = COLUMNS.iter().chain(labels.iter().flat_map(|_| &LABELS));
    let header = names.map(|&name| name.to_owned()).collect::<Vec<_>>();
    text(std::iter::once(header).chain((0..bodies.len()).map(row)))
}

fn components(vector: DVec3) -> [String; 3] {
    vector.to_array().map(|component| component.to_string())
}

/// Formats records as lines of CSV.
pub(super) fn text<R: IntoIterator<Item = String>>(records: impl IntoIterator<Item = R>) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).flexible(true).from_writer(Vec::new());
    for record in records {
        // Writing to memory never fails.
        let _written = writer.write_record(record.into_iter().map(String::into_bytes));
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
