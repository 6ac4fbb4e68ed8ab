//! Tests of stored and continued runs: walls, their motion, contact histories, and replaced walls.

use std::sync::Arc;

use crate::prelude::*;
use crate::walls::support::{Own, Spring, block, floor};

#[test]
fn a_run_goes_on_with_the_same_bits() {
    let walls = [
        Wall::new(floor(3.0, 20), DVec3::ZERO).rotating(DVec3::Z * 0.4).oscillating(DVec3::Z * 0.01, 2.0, 0.0),
        Wall::new(block(DVec3::new(-2.0, -2.0, -1.0), DVec3::new(2.0, 2.0, 3.0)).flipped(), DVec3::ZERO),
        Wall::new(Cylinder::outside(DVec3::Z, 0.2).unwrap(), DVec3::new(0.1, 0.0, 0.0)).rotating(DVec3::Z),
        Wall::new(Revolution::disc(DVec3::Z, 3.0, 0.5).unwrap(), DVec3::NEG_Z * 0.02),
        // Concave shallow folds, where patches overlap each other.
        Wall::new(Revolution::tube(DVec3::X, 9.0, [-4.0, 4.0]).unwrap().mesh(120).unwrap(), DVec3::Z * 8.98),
    ];
    let law = Hooke::new(1e4, Damping::restitution(0.6).unwrap()).unwrap();
    let mut field = open(law, Spring { stiffness: 3e3, friction: 0.5 }).with_walls(walls).unwrap().with_ledger();
    let places = [[1.0, 0.2, 0.49], [-0.9, -0.6, 0.49], [0.1, 1.1, 0.5], [1.45, 1.48, 0.9]];
    let (bodies, mut state) = spheres(&places.map(DVec3::from_array));
    (0..4).for_each(|i| state.velocity_mut().set(i, DVec3::new(1.0, 0.7, -0.5) * (i as f64 - 1.4)));
    advance(&bodies, &mut field, &mut state, 2e-4, 2000);
    assert_goes_on(&bodies, &mut field, &mut state, 2e-4, 2000);
}

/// Two spheres that touch each other and a floor of two triangles.
fn resting() -> ContactForce {
    let law = Hooke::new(1e4, Damping::NONE).unwrap();
    let wall = Wall::new(floor(3.0, 1), DVec3::ZERO);
    let mut field = open(law, Spring { stiffness: 3e3, friction: 0.5 }).with_walls([wall]).unwrap().with_ledger();
    let (bodies, mut state) = spheres(&[DVec3::new(0.1, 0.7, 0.49), DVec3::new(1.09, 0.7, 0.49)]);
    state.velocity_mut().set(0, DVec3::Y);
    advance(&bodies, &mut field, &mut state, 1e-4, 3);
    field
}

/// Returns the numbers of stored histories of pairs and of walls.
fn counts(stored: &serde_json::Value) -> [usize; 2] {
    ["pairs", "walls"].map(|kind| stored["histories"][kind]["keys"].as_array().unwrap().len())
}

#[test]
fn what_bodies_left_behind_that_are_gone_is_not_stored() {
    let mut field = resting();
    let (bodies, state) = spheres(&[DVec3::new(0.1, 0.7, 0.49)]);
    field.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(1)).unwrap();
    let stored = serde_json::to_value(field.stored()).unwrap();
    assert_eq!(counts(&stored), [0, 1]);
    serde_json::from_value::<StoredContacts>(stored).unwrap().restore(field.laws().clone()).unwrap();
    // A failed step with fewer bodies drops no history.
    let mut field = resting();
    let (bodies, state) = spheres(&[DVec3::new(0.1, 0.7, 0.0)]);
    assert!(field.accumulate(&bodies, &state, 1e-4, &mut Wrenches::zeros(1)).is_err());
    assert_eq!(counts(&serde_json::to_value(field.stored()).unwrap()), [1, 2]);
}

#[test]
fn history_of_no_contact_is_refused() {
    let read = |alter: &dyn Fn(&mut serde_json::Value)| {
        let field = resting();
        let mut value = serde_json::to_value(field.stored()).unwrap();
        alter(&mut value["histories"]);
        let stored: StoredContacts = serde_json::from_value(value).map_err(|error| error.to_string())?;
        stored.restore(field.laws().clone()).map_err(|error| error.to_string())
    };
    read(&|_| ()).unwrap();
    // Puts the row with this index behind itself, seen from the other side if it flips.
    let twice = |rows: &mut serde_json::Value, index: usize, flips: bool| {
        let mut key = rows["keys"][index].clone();
        if flips {
            key["normal"] = serde_json::json!([0.0, 0.0, -key["normal"][2].as_f64().unwrap()]);
        }
        rows["keys"].as_array_mut().unwrap().insert(index + 1, key);
        let row: Vec<_> = rows["numbers"].as_array().unwrap()[3 * index..3 * index + 3].to_vec();
        rows["numbers"].as_array_mut().unwrap().extend(row);
        let count = rows["keys"].as_array().unwrap().len();
        rows["ends"] = (1..=count).map(|row| 3 * row).collect::<Vec<_>>().into();
    };
    let refused = |problem: &str, alter: &dyn Fn(&mut serde_json::Value)| {
        let error = read(alter).unwrap_err();
        assert!(error.contains(problem), "{error}, not {problem}");
    };
    refused("history of bodies [0, 9]: there is no such body", &|stored| stored["pairs"]["keys"][0]["b"] = 9.into());
    refused("history of bodies [1, 1]: it is not seen from the body with the lower id", &|stored| {
        stored["pairs"]["keys"][0]["a"] = 1.into();
    });
    refused("history of bodies [0, 1]: it is given twice", &|stored| twice(&mut stored["pairs"], 0, false));
    refused("history of wall and body [7, 0]: there is no such wall", &|stored| {
        stored["walls"]["keys"][0]["wall"] = 7.into();
    });
    refused("history of wall and body [0, 5]: there is no such body", &|stored| {
        stored["walls"]["keys"][0]["body"] = 5.into();
    });
    refused("history of wall and body [0, 0]: it is given twice", &|stored| twice(&mut stored["walls"], 0, false));
    // A body between two images of a sheet touches one feature on both sides.
    read(&|stored| twice(&mut stored["walls"], 0, true)).unwrap();
    refused("normal", &|stored| stored["walls"]["keys"][0]["normal"] = serde_json::json!([0.0, 0.0, 0.0]));
}

#[test]
fn walls_of_a_users_own_shape_cannot_be_stored() {
    let own: Arc<dyn WallShape> = Arc::new(Cylinder::inside(DVec3::Z, 1.0).unwrap());
    assert!(serde_json::to_string(&Wall::new(Shape::Own(own), DVec3::ZERO)).is_err());
    let mesh = serde_json::to_string(&Wall::new(floor(1.0, 2), DVec3::ZERO)).unwrap();
    let broken = mesh.replacen("\"triangles\":[[0", "\"triangles\":[[99", 1);
    assert!(broken != mesh && serde_json::from_str::<Wall>(&broken).is_err());
}

/// A motion to and fro along x, faster and faster.
const SWEEP: Own = Own(|time| {
    let phase = 20.0 * time * time;
    let displacement = DVec3::X * 0.01 * phase.sin();
    WallPose { displacement, velocity: DVec3::X * 0.01 * (40.0 * time) * phase.cos(), ..WallPose::REST }
});

/// Spheres between a lid and a floor that is driven.
fn start() -> (Bodies, State, ContactForce) {
    let law = Hooke::new(1e4, Damping::restitution(0.6).unwrap()).unwrap();
    let walls = [Wall::plane(DVec3::Z * 0.997, DVec3::NEG_Z), driven()];
    let field = open(law, Spring { stiffness: 3e3, friction: 0.5 }).with_walls(walls).unwrap().with_ledger();
    let (bodies, mut state) = spheres(&[DVec3::new(0.1, 0.7, 0.499), DVec3::new(1.09, 0.7, 0.499)]);
    state.velocity_mut().set(0, DVec3::Y);
    (bodies, state, field)
}

fn driven() -> Wall {
    Wall::new(floor(3.0, 7), DVec3::ZERO).driven(SWEEP)
}

#[test]
fn a_run_with_a_driven_wall_is_stored_and_goes_on_with_the_same_bits() {
    let (bodies, mut state, mut field) = start();
    advance(&bodies, &mut field, &mut state, 2e-4, 500);
    assert!(serde_json::to_string(&field.stored()).is_err());
    let parked = field.clone().with_wall(1, Wall::plane(DVec3::ZERO, DVec3::Z)).unwrap();
    let (mut there, again) = restored(&state, &parked);
    let mut again = again.with_wall(1, driven()).unwrap();
    advance(&bodies, &mut field, &mut state, 2e-4, 500);
    advance(&bodies, &mut again, &mut there, 2e-4, 500);
    assert_eq!(bits(&state), bits(&there));
    assert_eq!(field.wall_loads(), again.wall_loads());
    assert_eq!(energies(&bodies, &field, &state), energies(&bodies, &again, &there));
    assert!(field.wall_loads()[1].force.x.abs() > 0.1, "{:?}", field.wall_loads());
}

#[test]
fn a_wall_that_was_taken_for_another_is_felt_at_once() {
    let (bodies, mut state, mut field) = start();
    advance(&bodies, &mut field, &mut state, 2e-4, 500);
    // The new wall is far from the former one, so bodies near it were not near the former one.
    let mut field = field.with_wall(0, Wall::plane(DVec3::X * (state.position().get(0).x - 0.49), DVec3::X)).unwrap();
    state.discard_wrenches();
    advance(&bodies, &mut field, &mut state, 2e-4, 1);
    assert_eq!(field.wall_loads()[0].contacts, 1);
}

/// With another normal or shape at the same point, bodies near the former wall may not be near the new one.
#[test]
fn a_wall_at_the_same_point_is_another_one() {
    let law = Hooke::new(1e4, Damping::NONE).unwrap();
    let (bodies, state) = spheres(&[DVec3::new(5.0, 0.7, 0.499), DVec3::new(0.499, 0.7, 7.0)]);
    let plane = |normal| Wall::plane(DVec3::ZERO, normal);
    let mut field = open(law, Spring { stiffness: 3e3, friction: 0.5 }).with_walls([plane(DVec3::Z)]).unwrap();
    let mesh = Wall::new(floor(8.0, 7), DVec3::ZERO);
    for (wall, out) in [(plane(DVec3::X), DVec3::X), (mesh, DVec3::Z), (plane(DVec3::X), DVec3::X)] {
        wrenches(&bodies, &mut field, &state);
        field = field.with_wall(0, wall).unwrap();
        wrenches(&bodies, &mut field, &state);
        let load = field.wall_loads()[0];
        assert!(load.contacts == 1 && (load.force + 10.0 * out).length() < 1e-9, "{load:?}");
    }
}

#[test]
fn what_cannot_take_the_place_of_a_wall() {
    let (_, _, field) = start();
    let plane = || Wall::plane(DVec3::ZERO, DVec3::Z);
    let refused = field.clone().with_wall(2, plane());
    assert_matches!(refused, Err(DemError::InvalidParameter { value, .. }) if value.to_bits() == 2.0_f64.to_bits());
    assert_matches!(
        field.with_wall(1, plane().moving(DVec3::NAN)),
        Err(DemError::Wall(WallError::InvalidWall { wall: 1, .. }))
    );
}
