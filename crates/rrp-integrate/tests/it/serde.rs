//! Bodies and states through JSON: bits are preserved, and malformed input is refused.

use serde_json::{Value, json};

use crate::prelude::*;

fn restored(state: &State) -> State {
    serde_json::from_str(&serde_json::to_string(state).unwrap()).unwrap()
}

#[test]
fn bodies_come_back_with_the_same_bits() {
    let mut random = Random(23);
    let rows = (0..50).map(|_| {
        let spread = DVec3::splat(4.0) + random.vector();
        Body { radius: random.number().abs(), ..Body::rigid(1.5 + random.number(), spread) }
    });
    let bodies = Bodies::new(rows.chain([Body::fixed(0.25)])).unwrap();
    let back: Bodies = serde_json::from_str(&serde_json::to_string(&bodies).unwrap()).unwrap();
    let rows = |bodies: Bodies| -> Vec<[u64; 5]> {
        let bits = |row: &Body| [row.mass, row.radius, row.inertia.x, row.inertia.y, row.inertia.z].map(f64::to_bits);
        Vec::from(bodies).iter().map(bits).collect()
    };
    assert_eq!(back.fixed(), [50]);
    assert_eq!(rows(back), rows(bodies));
}

#[test]
fn states_come_back_with_the_same_bits() {
    let mut state = Random(29).state(50);
    state.set_time(0.1 + 0.2);
    state.velocity_mut().set(7, DVec3::new(-0.0, f64::MIN_POSITIVE / 8.0, f64::MAX));
    assert_eq!(bits(&restored(&state)), bits(&state));
}

/// Storage includes the wrenches and the rounding residue of the time; without them the next step would differ.
#[test]
fn a_run_that_was_stored_goes_on_with_the_same_bits() {
    for method in ALL {
        let mut system = tethered(!method.takes_any_shape());
        let uninterrupted = system.clone().after(method, 0.1, 100);
        system.run(method, 0.1, 37, |_, _| ());
        system.state = restored(&system.state);
        assert!(system.state.wrenches().is_some());
        assert_eq!(bits(&system.after(method, 0.1, 63)), bits(&uninterrupted), "{method:?}");
    }
}

fn tampered(change: impl Fn(&mut Value)) -> Result<State, String> {
    let mut system = tethered(true);
    system.run(RODRIGUES_25, 0.1, 1, |_, _| ());
    let mut value = serde_json::to_value(&system.state).unwrap();
    change(&mut value);
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn assert_refused(reason: &str, change: impl Fn(&mut Value)) {
    let error = tampered(change).expect_err(reason);
    assert!(error.contains(reason), "{error:?} does not say {reason:?}");
}

#[test]
fn malformed_states_are_refused() {
    assert!(tampered(|_| ()).is_ok());
    // Columns of wrong lengths.
    assert_refused("for each of 0 bodies", |state| state["position"] = json!([[], [], []]));
    assert_refused("attitude", |state| state["attitude"] = json!([]));
    assert_refused("velocity", |state| state["velocity"] = json!([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]));
    assert_refused("torque", |state| state["wrenches"]["torque"] = json!([[], [], []]));
    assert_refused("z components", |state| state["angular_momentum"][2] = json!([]));
    // JSON has null in place of a number that is not finite.
    assert_refused("null", |state| state["velocity"][1][0] = Value::Null);
    assert_refused("null", |state| state["time"] = Value::Null);
    assert_refused("null", |state| state["wrenches"]["force"][0][0] = Value::Null);
    assert_refused("length is 2", |state| state["attitude"][0] = json!([0.0, 0.0, 0.0, 2.0]));
    assert_refused("missing field", |state| drop(state.as_object_mut().unwrap().remove("angular_momentum")));
}

#[test]
fn unphysical_bodies_are_refused() {
    let read = |mass: f64, inertia: [f64; 3]| {
        let rows = json!([{ "mass": mass, "inertia": inertia, "radius": 0.0 }]);
        serde_json::from_value::<Bodies>(rows).map_err(|error| error.to_string())
    };
    assert!(read(1.0, [1.0, 2.0, 3.0]).is_ok());
    assert!(read(-1.0, [1.0; 3]).unwrap_err().contains("mass"));
    assert!(read(1.0, [1.0, 2.0, 3.1]).unwrap_err().contains("exceeds the sum"));
}
