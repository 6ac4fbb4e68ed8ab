//! Tests that stored values are checked when they are read back, as new ones are.

use serde::de::DeserializeOwned;

use crate::prelude::*;

/// Stores `value`, changes `from` to `to` in the text, and reads that back.
fn altered<T: serde::Serialize + DeserializeOwned>(value: &T, from: &str, to: &str) -> Result<T, String> {
    let text = serde_json::to_string(value).unwrap();
    assert!(text.contains(from), "{text}");
    serde_json::from_str(&text.replace(from, to)).map_err(|error| error.to_string())
}

#[test]
fn nonsense_is_refused() {
    let hooke = Hooke::new(1e4, Damping::restitution(0.5).unwrap()).unwrap();
    assert_eq!(altered(&hooke, "0.5", "0.5").unwrap(), hooke);
    assert!(altered(&hooke, "10000.0", "-10000.0").unwrap_err().contains("positive"));
    assert!(altered(&hooke, "0.5", "1.5").unwrap_err().contains("restitution"));
    let hertz = Hertz::new(1e4, Damping::NONE).unwrap();
    assert!(altered(&hertz, "10000.0", "0.0").is_err());
    let jkr = Jkr::new(hertz, 0.25).unwrap();
    assert_eq!(altered(&jkr, "0.25", "0.25").unwrap(), jkr);
    assert!(altered(&jkr, "0.25", "-0.25").is_err() && altered(&jkr, "\"capped\":false", "\"capped\":true").is_err());
    let plastic = PlasticHooke::new(hooke, 4e3).unwrap();
    assert_eq!(altered(&plastic, "4000.0", "4000.0").unwrap(), plastic);
    assert!(altered(&plastic, "4000.0", "40000.0").unwrap_err().contains("at most"));
    assert!(altered(&Viscous::new(3.0).unwrap(), "3.0", "-3.0").is_err());
    let coulomb = CoulombViscous::new(3.0, 0.25).unwrap();
    assert!(altered(&coulomb, "3.0", "-3.0").is_err() && altered(&coulomb, "0.25", "-0.25").is_err());
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(7.0), [Boundary::Periodic; 3]).unwrap();
    assert!(altered(&domain, "7.0", "-7.0").unwrap_err().contains("low < high"));
    assert!(altered(&NeighborList::new(domain, 0.125).unwrap(), "0.125", "0.0").is_err());
    let guard = EnergyGuard::new(Gravity { acceleration: DVec3::NEG_Z }, 0.5, 77).unwrap();
    assert!(altered(&guard, "77", "0").is_err() && altered(&guard, "77", "78").is_ok());
    let materials = Materials::new([Material::new(1e7, 0.3, 0.75, 0.5); 2]).with_pair(1, 0, 0.625, 0.2).unwrap();
    assert!(altered(&materials, "0.625", "7.0").unwrap_err().contains("restitution"));
    assert!(altered(&materials, "[0,1]", "[0,2]").unwrap_err().contains("material"));
    assert_eq!(altered(&materials, "[0,1]", "[1,0]").unwrap(), materials);
    let resistance = SpringSlider::new(1e3, 0.0, 0.375).unwrap();
    let rolling = materials.with_rolling(1, 1, Some(resistance)).unwrap().with_twisting(0, 1, None).unwrap();
    assert_eq!(altered(&rolling, "", "").unwrap(), rolling);
    assert!(altered(&rolling, "0.375", "-0.375").is_err());
    assert!(altered(&rolling, "\"rolling\":[[[1,1]", "\"rolling\":[[[1,2]").unwrap_err().contains("material"));
    let walled = open(hooke, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let tilted = altered(&walled.stored(), "1.0]", "0.5]").unwrap();
    assert_matches!(tilted.restore(walled.laws().clone()), Err(DemError::Wall(_)));
}

/// Returns a crowd of two materials in a box of walls: `own` are the laws within material 0, `others` all others.
fn crowd_of(own: &Laws, others: &Laws) -> (Bodies, State, ContactForce) {
    let (bodies, state) = crowd(150, 5.0, 21);
    let field =
        ContactForce::by_material(NeighborList::new(Domain::OPEN, 0.1).unwrap(), table(own, others), materials());
    let walls = Wall::inside_of_box(DVec3::ZERO, DVec3::splat(5.0));
    let field = field.unwrap().with_walls(walls).unwrap().with_wall_materials([0, 1, 0, 1, 0, 1]).unwrap();
    (bodies, state, field.with_ledger())
}

fn materials() -> impl Iterator<Item = u16> {
    (0..150).map(|i| i % 2)
}

fn table(own: &Laws, others: &Laws) -> LawTable {
    LawTable::new(2, |a, b| Ok(if a + b == 0 { own.clone() } else { others.clone() })).unwrap()
}

fn hooke(friction: f64) -> Laws {
    let hooke = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    Laws::of(hooke, FrictionSpring::new(3e3, 5.0, friction).unwrap())
}

fn hertz() -> Laws {
    let hertz = Hertz::new(3e4, Damping::restitution(0.6).unwrap()).unwrap();
    Laws::of(hertz, MindlinSpring::matching_hertz(&hertz, 0.4).unwrap())
}

fn is_other_law(result: &Result<ContactForce, DemError>, names: [&str; 2]) -> bool {
    let Err(DemError::Law(LawError::OtherLaw { stored, given })) = result else { return false };
    stored.starts_with(names[0]) && given.starts_with(names[1])
}

#[test]
fn contacts_are_restored_with_laws_of_their_names_and_any_numbers() {
    let (bodies, mut state, mut field) = crowd_of(&hooke(0.4), &hertz());
    advance(&bodies, &mut field, &mut state, 1e-3, 60);
    let text = serde_json::to_string(&field.stored()).unwrap();
    let restored = |laws: LawTable| serde_json::from_str::<StoredContacts>(&text).unwrap().restore(laws);
    let [with_springs, with_mindlin] = ["Hooke with FrictionSpring", "Hertz with MindlinSpring"];
    assert!(is_other_law(&restored(table(&hertz(), &hertz())), [with_springs, with_mindlin]));
    assert!(is_other_law(&restored(table(&hooke(0.4), &hooke(0.4))), [with_mindlin, with_springs]));
    let renamed = hooke(0.4).named("a spring", "FrictionSpring");
    let error = restored(table(&renamed, &hertz()));
    assert!(is_other_law(&error, [with_springs, "a spring with FrictionSpring"]), "{error:?}");
    // The laws have the same names, but wider histories.
    let hertz_that_sticks = || Jkr::new(Hertz::new(3e4, Damping::NONE).unwrap(), 0.1).unwrap();
    let spring = FrictionSpring::new(3e3, 5.0, 0.4).unwrap();
    let wider = Laws::of(hertz_that_sticks(), spring).named("Hooke", "FrictionSpring");
    assert!(is_other_law(&restored(table(&wider, &hertz())), [with_springs; 2]));
    // A material without laws.
    assert_matches!(restored(hooke(0.4).into()), Err(DemError::Law(LawError::UnknownMaterial { .. })));
    // Laws with other parameters keep the histories, and the run differs from then on.
    let mut same = restored(table(&hooke(0.4), &hertz())).unwrap();
    let mut other = restored(table(&hooke(0.1), &hertz())).unwrap();
    let histories = |field: &ContactForce| serde_json::to_value(field.stored()).unwrap()["histories"].clone();
    assert!(histories(&same) == histories(&field) && histories(&other) == histories(&field));
    let end = |field: &mut ContactForce| {
        let mut state = state.clone();
        advance(&bodies, field, &mut state, 1e-3, 60);
        bits(&state)
    };
    let expected = end(&mut field);
    assert!(end(&mut same) == expected && end(&mut other) != expected);
}

#[test]
fn histories_of_other_laws_are_dropped_and_all_others_go_on() {
    let (bodies, mut state, mut field) = crowd_of(&hooke(0.4), &hooke(0.4));
    advance(&bodies, &mut field, &mut state, 1e-3, 60);
    let before = field.contacts(&bodies, &state).unwrap();
    let material = |contact: &Contact| match contact.b {
        Partner::Body(b) => (contact.a + b) % 2 + (contact.a % 2) * (b % 2),
        Partner::Wall(wall) => contact.a % 2 + wall % 2,
    };
    let other_laws = before.iter().filter(|contact| material(contact) > 0).count();
    assert!(other_laws > 50 && before.len() > other_laws + 20, "{other_laws} of {}", before.len());
    let (_, _, begun) = crowd_of(&hooke(0.4), &hertz());
    let mut histories = field.all_histories();
    let refused = begun.clone().with_histories(histories.clone(), bodies.len());
    assert!(is_other_law(&refused, ["Hooke with FrictionSpring", "Hertz with MindlinSpring"]));
    assert_eq!(histories.keep_known(&begun), other_laws);
    assert_eq!(histories.keep_known(&begun), 0);
    let mut begun = begun.with_histories(histories, bodies.len()).unwrap();
    let after = begun.contacts(&bodies, &state).unwrap();
    assert_eq!(after.len(), before.len());
    let mut loaded = 0;
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((before.a, before.b), (after.a, after.b));
        if material(before) > 0 {
            assert!(after.tangential_energy <= 0.0, "{after:?}");
        } else {
            assert_eq!(before, after);
            loaded += usize::from(after.tangential_energy > 0.0);
        }
    }
    assert!(loaded > 20, "{loaded}");
    state.discard_wrenches();
    advance(&bodies, &mut begun, &mut state, 1e-3, 20);
    // The continued contacts know the new laws only.
    assert_eq!(begun.all_histories().keep_known(&begun), 0);
    assert!(begun.all_histories().keep_known(&field) > 50);
}
