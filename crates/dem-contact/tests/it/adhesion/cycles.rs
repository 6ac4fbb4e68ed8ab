//! Tests of a contact that is pressed and pulled off slowly: where it forms and breaks, and the work that it takes.

use super::{ADHESION, Below, MEETINGS, Meeting, dmt, jkr};
use crate::prelude::*;

/// Gaps, force and work of a driven contact.
#[derive(Debug, Default)]
struct Cycle {
    /// Gaps in m before and after the step in which the contact formed.
    formed: [f64; 2],
    /// Gaps in m before and after the step in which the contact broke.
    broke: [f64; 2],
    least: f64,
    /// Work of the drive in J, by the forces at the ends of steps.
    work: f64,
    /// Dissipated energy of the ledger in J.
    dissipated: f64,
}

/// Moves the sphere down from one and a half steps above the contact by `down` steps, then up by twice as many.
fn drive(meeting: &mut Meeting, step: f64, down: usize) -> Cycle {
    let mut cycle = Cycle::default();
    let mut before = 0.0;
    let speed = 1e-3;
    let mut place = |meeting: &mut Meeting, steps: f64, way: f64| {
        let force = meeting.press(step * steps, DVec3::Z * (way * speed), way.abs() * step / speed).z;
        let was = before != 0.0;
        let acts = force != 0.0;
        if acts && !was {
            cycle.formed = [step * steps, step * (steps - way)];
        }
        if was && !acts {
            cycle.broke = [step * (steps - way), step * steps];
        }
        cycle.least = cycle.least.min(force);
        cycle.work -= 0.5 * (before + force) * way * step;
        before = force;
    };
    place(meeting, 1.5, 0.0);
    (0..down).for_each(|k| place(meeting, 0.5 - k as f64, -1.0));
    (0..2 * down).for_each(|k| place(meeting, 2.5 + k as f64 - down as f64, 1.0));
    cycle.dissipated = meeting.ledger().dissipated;
    cycle
}

#[test]
fn jkr_forms_and_breaks_where_it_should_and_loses_the_work_of_the_closed_form() {
    for (below, own) in MEETINGS {
        let mut meeting = Meeting::new(jkr(), below, own);
        let pull = std::f64::consts::PI * ADHESION * meeting.radius;
        let unit = meeting.unit_of_work();
        let range = jkr().range(meeting.radius);
        // Both jumps are in the middle of a step, so that the mean force over the step gives the right work.
        let count = 5000;
        let cycle = drive(&mut meeting, range / count as f64, count + count / 4);
        assert!(cycle.formed[0] < 0.0 && cycle.formed[1] > 0.0, "{cycle:?}");
        assert!(cycle.broke[0] < range && cycle.broke[1] > range, "{cycle:?} {range}");
        assert!((cycle.least / pull + 1.5).abs() < 1e-6, "{} {pull}", cycle.least);
        let lost = [cycle.work, cycle.dissipated].map(|work| work / unit / 7.092_20 - 1.0);
        println!("{below:?}: work lost is off by {lost:?}");
        assert!(lost.iter().all(|off| off.abs() < 1e-6), "{lost:?}");
        assert!(meeting.field.contacts(&meeting.bodies, &meeting.state).unwrap().is_empty());
    }
}

#[test]
fn dmt_attracts_while_it_touches_and_loses_nothing() {
    for (below, own) in MEETINGS {
        let mut meeting = Meeting::new(dmt(), below, own);
        let attraction = 2.0 * std::f64::consts::PI * ADHESION * meeting.radius;
        let step = 1e-7;
        let count = 2000;
        let cycle = drive(&mut meeting, step, count);
        assert!(cycle.formed[0] < 0.0 && cycle.formed[1] > 0.0, "{cycle:?}");
        assert!(cycle.broke[0] < 0.0 && cycle.broke[1] > 0.0, "{cycle:?}");
        // The force is least at the first step in contact, half a step deep.
        assert!((cycle.least / attraction + 1.0).abs() < 1e-5, "{}", cycle.least);
        let scale = attraction * step * count as f64;
        assert!(cycle.work.abs() < 1e-9 * scale && cycle.dissipated.abs() < 1e-6 * scale, "{cycle:?} {scale}");
    }
}

#[test]
fn a_contact_that_has_not_formed_does_not_attract() {
    let mut meeting = Meeting::new(jkr(), Below::Sphere(0.5), 0.5);
    let half = 0.5 * jkr().range(meeting.radius);
    // The sphere is near, then in contact, then as near as before, out of range, and near again.
    for (gap, acts) in [(half, false), (-half, true), (half, true), (3.0 * half, false), (half, false)] {
        let force = meeting.press(gap, DVec3::ZERO, 1e-3).z;
        assert_eq!(force != 0.0, acts, "{gap}: {force}");
        let contacts = meeting.field.contacts(&meeting.bodies, &meeting.state).unwrap();
        assert_eq!(contacts.len(), usize::from(acts), "{gap}");
        assert!(contacts.iter().all(|contact| (contact.normal_force - force).abs() < 1e-12));
    }
}
