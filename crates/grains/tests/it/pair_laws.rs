//! Pairs of materials with their own laws, laws derived from moduli, and contact histories that rotate.

use grains::Reading;
use rrp_geom::glam::DVec3;

use crate::refused::assert_refused;
use crate::support::ended;

/// Three spheres in a row, of three materials. The first two overlap by 2 mm, the last two by 1 mm.
const ROW: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-7, duration = 1e-5 }
    bodies = [
        { place = { list = [[0.0, 0.0, 0.0]] }, radius = 0.5, mass = 1.0, material = "glass" },
        { place = { list = [[0.998, 0.0, 0.0]] }, radius = 0.5, mass = 1.0, material = "steel", velocity = [0.0, 1.0, 0.0] },
        { place = { list = [[1.997, 0.0, 0.0]] }, radius = 0.5, mass = 1.0, material = "wax" },
    ]
    [contact]
    LAWS
"#;

fn row(laws: &str) -> String {
    ROW.replace("LAWS", laws)
}

fn end(text: &str) -> Reading {
    ended(text).read().unwrap()
}

fn forces(reading: &Reading) -> Vec<[f64; 2]> {
    reading.contacts.iter().map(|row| [row.normal_force, row.tangential_force.length()]).collect()
}

fn close(found: f64, expected: f64, share: f64) -> bool {
    (found - expected).abs() <= share * expected.abs()
}

/// Materials with these moduli and full restitution.
fn materials(young: [f64; 3]) -> String {
    let of = |(name, young): (&str, f64)| {
        format!("{{ name = \"{name}\", young = {young:?}, poisson = 0.2, friction = 0.4 }}")
    };
    format!("materials = [{}]", ["glass", "steel", "wax"].into_iter().zip(young).map(of).collect::<Vec<_>>().join(", "))
}

/// Pairs with every kind of law in one scene: Hooke's and Hertz', with and without a spring.
#[test]
fn a_pair_of_materials_may_have_other_normal_and_tangential_laws() {
    let laws = "normal = { hooke = { stiffness = 1e5 } }\n\
        tangential = { friction-spring = { stiffness = 3e4, friction = 0.5 } }\n\
        [[contact.pairs]]\nbetween = [\"glass\", \"glass\"]\n\
        [[contact.pairs]]\nbetween = [\"wax\", \"steel\"]\n\
        normal = { hertz = { modulus = 5e7 } }\n\
        tangential = TANGENT\n";
    let slip = 1e-5;
    let depth = [2e-3, 1e-3_f64];
    let radius = 0.25_f64;
    let hertz = 5e7 * radius.sqrt() * depth[1].powf(1.5);
    let of_mindlin = 6e7 * (radius * depth[1]).sqrt() * slip;
    for (tangent, expected) in
        [("{ mindlin-spring = { modulus = 6e7, friction = 0.5 } }", of_mindlin), ("\"frictionless\"", 0.0)]
    {
        let found = forces(&end(&row(&laws.replace("TANGENT", tangent))));
        println!("{found:?}, {hertz} {of_mindlin}");
        assert!(close(found[0][0], 1e5 * depth[0], 1e-4) && close(found[0][1], 3e4 * slip, 1e-2), "{found:?}");
        assert!(close(found[1][0], hertz, 1e-3) && close(found[1][1], expected, 1e-2), "{found:?}");
    }
}

/// Yielding and adhesion given for all contacts act only on pairs with the normal law to which they belong.
#[test]
fn pairs_of_another_normal_law_neither_yield_nor_stick() {
    let hertz = "normal = { hertz = { modulus = 5e7 } }";
    let hooke = "normal = { hooke = { stiffness = 1e5 } }";
    let pairs = |other: &str| {
        format!(
            "[[contact.pairs]]\nbetween = [\"glass\", \"glass\"]\n\
             [[contact.pairs]]\nbetween = [\"wax\", \"steel\"]\n{other}\n"
        )
    };
    let plastic = format!("{hooke}\nplastic = {{ loading = 4e4 }}\n{}", pairs(hertz));
    let found = forces(&end(&row(&plastic)));
    let of_hertz = 5e7 * 0.25_f64.sqrt() * 1e-3_f64.powf(1.5);
    assert!(close(found[0][0], 4e4 * 2e-3, 1e-3) && close(found[1][0], of_hertz, 1e-3), "{found:?}");
    let sticking = format!("{hertz}\nadhesion = {{ dmt = 10.0 }}\n{}", pairs(hooke));
    let found = forces(&end(&row(&sticking)));
    let pull = 2.0 * std::f64::consts::PI * 10.0 * 0.25;
    let pushed = 5e7 * 0.25_f64.sqrt() * 2e-3_f64.powf(1.5) - pull;
    assert!(close(found[0][0], pushed, 1e-3) && close(found[1][0], 1e5 * 1e-3, 1e-3), "{found:?}");
    let table = "1e5 } } => 1e5 } }\\nadhesion = 1.0 | `contact.pairs[1].adhesion` | needs the normal law";
    assert_refused(&row(&sticking), table);
}

/// Laws by moduli beside laws by numbers, in both orders.
#[test]
fn moduli_and_numbers_go_together() {
    let young = [5e7, 5e7, 5e7];
    // E* and 8 G* of two bodies of one material.
    let reduced = 5e7 / (2.0 * 0.96);
    let shear = 8.0 * 5e7 / (4.0 * 1.8 * 1.2);
    let of_moduli =
        |depth: f64| [4.0 / 3.0 * reduced * 0.25_f64.sqrt() * depth.powf(1.5), shear * (0.25 * depth).sqrt() * 1e-5];
    let by_numbers = "normal = { hooke = { stiffness = 1e5 } }\n\
        tangential = { friction-spring = { stiffness = 3e4, friction = 0.5 } }\n";
    let pair = "[[contact.pairs]]\nbetween = [\"steel\", \"wax\"]\n";
    let general = format!("normal = \"hertz-mindlin\"\n{}\n{pair}{by_numbers}", materials(young));
    let found = forces(&end(&row(&general)));
    let [normal, tangential] = of_moduli(2e-3);
    assert!(close(found[0][0], normal, 1e-3) && close(found[0][1], tangential, 1e-2), "{found:?}");
    assert!(close(found[1][0], 100.0, 1e-3) && close(found[1][1], 0.3, 1e-2), "{found:?}");
    let own = format!("{by_numbers}{}\n{pair}normal = \"hertz-mindlin\"\n", materials(young));
    let found = forces(&end(&row(&own)));
    let [normal, tangential] = of_moduli(1e-3);
    assert!(close(found[0][0], 200.0, 1e-3) && close(found[0][1], 0.3, 1e-2), "{found:?}");
    assert!(close(found[1][0], normal, 1e-3) && close(found[1][1], tangential, 1e-2), "{found:?}");
}

/// Tangential laws without numbers equal laws with the numbers that follow from the moduli.
#[test]
fn tangential_laws_of_moduli_are_words() {
    // Partial slip is visible near Coulomb's limit.
    let slippery = materials([5e7; 3]).replace("0.4", "0.02");
    let moduli = |tangential: &str| format!("normal = \"hertz-mindlin\"\n{tangential}\n{slippery}");
    let normal = 4.0 / 3.0 * 5e7 / (2.0 * 0.96);
    let shear = 8.0 * 5e7 / (4.0 * 1.8 * 1.2);
    let numbers = |law: &str| {
        format!(
            "normal = {{ hertz = {{ modulus = {normal:?} }} }}\n\
             tangential = {{ {law} = {{ modulus = {shear:?}, friction = 0.02 }} }}\n\
             pairs = [{{ between = [\"glass\", \"steel\"] }}, {{ between = [\"steel\", \"wax\"] }}]"
        )
    };
    let bits = |laws: &str| forces(&end(&row(laws)));
    let near = |found: &[[f64; 2]], expected: &[[f64; 2]]| {
        let pairs = found.iter().flatten().zip(expected.iter().flatten());
        found.len() == 2 && pairs.into_iter().all(|(found, expected)| close(*found, *expected, 1e-9))
    };
    let springs = bits(&moduli(""));
    assert!(springs.iter().all(|[_, slip]| *slip > 0.1), "{springs:?}");
    assert!(near(&springs, &bits(&numbers("mindlin-spring"))), "{springs:?}");
    for same in ["tangential = \"mindlin-spring\"", "tangential = { mindlin-spring = {} }"] {
        assert_eq!(bits(&moduli(same)), springs, "{same}");
    }
    let slipping = bits(&moduli("tangential = \"mindlin-deresiewicz\""));
    assert!(near(&slipping, &bits(&numbers("mindlin-deresiewicz"))), "{slipping:?}");
    assert!(!near(&slipping, &springs), "partial slip gives way: {slipping:?} {springs:?}");
    let smooth = bits(&moduli("tangential = \"frictionless\""));
    assert!(smooth.iter().all(|[_, slip]| *slip <= 0.0), "{smooth:?}");
    // A pair may have another tangential law.
    let own = moduli("pairs = [{ between = [\"steel\", \"wax\"], tangential = \"frictionless\" }]");
    let [first, second] = [0, 1].map(|contact| bits(&own)[contact][1]);
    assert!(close(first, springs[0][1], 1e-3) && second <= 0.0, "{first} {second}");
}

#[test]
fn laws_that_lack_numbers_or_have_too_many_are_refused_with_their_key() {
    let table = r#"
        LAWS => HERTZ\ntangential = "mindlin-spring" | `contact.tangential | `modulus` is missing
        LAWS => HERTZ\ntangential = { mindlin-deresiewicz = { modulus = 1e7 } } | `contact.tangential | `friction` is missing
        LAWS => HERTZ\ntangential = "friction-spring" | `contact.tangential | a word alone
        LAWS => MODULI\ntangential = { mindlin-spring = { modulus = 1e7, friction = 0.5 } }
            | `contact.tangential` | without numbers
        LAWS => MODULI\ntangential = { mindlin-spring = { gamma = 1.0 } } | `contact.tangential` | without numbers
        LAWS => MODULI\npairs = [{ between = ["wax", "wax"], tangential = { viscous = { gamma = 1.0 } } }]
            | `contact.pairs[0].tangential` | without numbers
        LAWS => MODULI\npairs = [{ between = ["wax", "wax"], damping = "none" }] | `contact.pairs[0].damping` | materials
        LAWS => MODULI\nadhesion = { dmt = 1.0 }\ntangential = "mindlin-deresiewicz"
            | `contact.tangential` | `mindlin-spring`
        LAWS => NORMAL\npairs = [{ between = ["glass", "steel"], restitution = 0.5 }, SECOND]
            | `contact.pairs[0].restitution` | `damping = { restitution =
        LAWS => NORMAL\npairs = [{ between = ["glass", "steel"], friction = 0.5 }, SECOND]
            | `contact.pairs[0].friction` | `tangential = { friction-spring =
        LAWS => normal = { hooke = { stiffness = 1e5 } }\npairs = [WORD, { between = ["wax", "wax"] }]
            | `contact` | `materials` is missing
    "#;
    let moduli = format!("normal = \"hertz-mindlin\"\\n{}", materials([5e7; 3]));
    let table = table
        .replace("HERTZ", r#"NORMAL\npairs = [{ between = ["glass", "steel"] }, SECOND]"#)
        .replace("NORMAL", "normal = { hertz = { modulus = 1e7 } }")
        .replace("SECOND", r#"{ between = ["steel", "wax"] }"#)
        .replace("WORD", r#"{ between = ["glass", "steel"], normal = "hertz-mindlin" }"#)
        .replace("MODULI", &moduli);
    assert_refused(ROW, &table);
    let smooth = row(&format!("{}\ntangential = \"frictionless\"", moduli.replace("\\n", "\n")));
    assert_refused(&smooth, "\"verlet\" => { contact-dynamics = {} } | `contact.tangential` | contact dynamics");
}

/// A ball spins on the spot, on a floor that moves below it.
const DRAWN: &str = r#"
    integrator = "verlet"
    blocked = ["x", "y", "z", "spin-x", "spin-y"]
    time = { dt = 1e-4, duration = 0.5 }
    bodies = [{ place = { list = [[0.0, 0.0, 0.499]] }, radius = 0.5, mass = 1.0, spin = [0.0, 0.0, 3.0] }]
    walls = [{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], velocity = [1e-3, 0.0, 0.0] } }]
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    tangential = { friction-spring = { stiffness = 3e4, friction = 1e3, OBJECTIVE } }
"#;

/// With Ω half the spin of the ball, the mean of both surfaces, the spring s follows ds/dt = v + Ω × s.
#[test]
fn an_objective_spring_turns_about_the_normal() {
    let spring =
        |objective: &str| -> DVec3 { end(&DRAWN.replace("OBJECTIVE", objective)).contacts[0].tangential_force };
    let plain = spring("objective = false");
    assert!(close(plain.x.abs(), 3e4 * 1e-3 * 0.5, 1e-3) && plain.y.abs() < 1e-9, "{plain}");
    let rate = 1.5;
    let time = 0.5;
    let [sin, cos] = [f64::sin, f64::cos].map(|of| of(rate * time));
    let turned = DVec3::new(sin, 1.0 - cos, 0.0) * (3e4 * 1e-3 / rate);
    let found = spring("objective = true") * plain.x.signum();
    println!("{found} {turned}");
    assert!((found - turned).length() < 1e-3 * turned.length(), "{found} {turned}");
    let table = r#"
        "verlet" => { implicit = { alpha = 0.5 } } | `contact.tangential.friction-spring.objective` | only explicit
        friction-spring = { stiffness = 3e4, friction = 1e3, objective = true } => viscous = { gamma = 1.0, objective = true }
            | objective
    "#;
    assert_refused(&DRAWN.replace("OBJECTIVE", "objective = true").replace("blocked", "# blocked"), table);
}

/// Springs of laws with rolling, adhesion or partial slip rotate as well.
#[test]
fn all_springs_may_be_objective() {
    let text = DRAWN.replace("hooke = { stiffness = 1e5 }", "hertz = { modulus = 1e7 }");
    let resists = "\nrolling = { stiffness = 1e4, friction = 0.1 }";
    for (law, more) in [
        ("mindlin-spring = { modulus = 1e7, friction = 10.0, OBJECTIVE }", ""),
        ("mindlin-deresiewicz = { modulus = 1e7, friction = 10.0, OBJECTIVE }", ""),
        ("mindlin-deresiewicz = { modulus = 1e7, friction = 10.0, OBJECTIVE }", resists),
        ("mindlin-spring = { modulus = 1e7, friction = 10.0, OBJECTIVE }", "\nadhesion = { dmt = 1.0 }"),
    ] {
        let text = text.replace("friction-spring = { stiffness = 3e4, friction = 1e3, OBJECTIVE }", law);
        let text = format!("{text}{more}\n");
        let force = |objective: &str| end(&text.replace("OBJECTIVE", objective)).contacts[0].tangential_force;
        let [plain, turned] = ["objective = false", "objective = true"].map(force);
        assert!(
            plain.y.abs() < 1e-9 * plain.length() && turned.y.abs() > 0.2 * turned.length(),
            "{law}: {plain} {turned}"
        );
    }
}
