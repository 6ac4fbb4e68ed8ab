//! All contact laws of scenes, for runs on ranks.

/// Friction springs that differ by material.
pub(crate) const SPRINGS: &str = r#"
    normal = { hooke = { stiffness = 2e4 } }
    damping = { restitution = 0.7 }
    tangential = { friction-spring = { stiffness = 6e3, gamma = 2.0, friction = 0.3 } }
    [[contact.pairs]]
    between = ["glass", "steel"]
    tangential = { friction-spring = { stiffness = 9e3, gamma = 1.0, friction = 0.2 } }
"#;

/// The other laws, named by their difference. Pairs name the materials.
pub(crate) const OTHER_LAWS: [(&str, &str); 13] = [
    (
        "no memory",
        r#"normal = { hooke = { stiffness = 2e4 } }
        damping = { coefficient = 20.0 }
        tangential = { viscous = { gamma = 2.0 } }
        [[contact.pairs]]
        between = ["glass", "steel"]
        normal = { hooke = { stiffness = 3e4 } }
        damping = { restitution-capped = 0.7 }
        tangential = { coulomb-viscous = { gamma = 30.0, friction = 0.3 } }
        [[contact.pairs]]
        between = ["steel", "steel"]
        damping = "none"
        tangential = "frictionless""#,
    ),
    (
        "Mindlin's springs",
        r#"normal = { hertz = { modulus = 2e4 } }
        damping = { restitution = 0.7 }
        tangential = { mindlin-spring = { modulus = 2e4, gamma = 2.0, friction = 0.3 } }
        [[contact.pairs]]
        between = ["glass", "steel"]
        tangential = { mindlin-spring = { modulus = 1e4, friction = 0.2, objective = true } }"#,
    ),
    (
        "resistance to rolling",
        r#"normal = { hertz = { modulus = 2e4 } }
        damping = { restitution = 0.7 }
        tangential = { friction-spring = { stiffness = 6e3, gamma = 2.0, friction = 0.3 } }
        rolling = { stiffness = 3e3, damping = 20.0, friction = 0.05 }
        twisting = { stiffness = 500.0, damping = 1.0, friction = 0.02 }
        [[contact.pairs]]
        between = ["glass", "steel"]
        rolling = { stiffness = "tangential", friction = 0.05 }
        twisting = { stiffness = "tangential", friction = 0.02 }
        [[contact.pairs]]
        between = ["steel", "steel"]
        rolling = { friction = 0.05 }"#,
    ),
    (
        "partial slip",
        r#"normal = { hertz = { modulus = 2e4 } }
        damping = { restitution = 0.7 }
        tangential = { mindlin-deresiewicz = { modulus = 2e4, friction = 0.3 } }
        [[contact.pairs]]
        between = ["glass", "steel"]"#,
    ),
    (
        "partial slip and rolling",
        r#"normal = { hertz = { modulus = 2e4 } }
        damping = { restitution = 0.7 }
        tangential = { mindlin-deresiewicz = { modulus = 2e4, friction = 0.3 } }
        rolling = { stiffness = 3e3, damping = 20.0, friction = 0.05 }
        [[contact.pairs]]
        between = ["glass", "steel"]"#,
    ),
    (
        "laws of several kinds, some of which turn",
        r#"normal = { hooke = { stiffness = 3e4 } }
        damping = { restitution = 0.7 }
        tangential = { friction-spring = { stiffness = 6e3, gamma = 2.0, friction = 0.3, objective = true } }
        [[contact.pairs]]
        between = ["glass", "steel"]
        normal = { hertz = { modulus = 2e4 } }
        tangential = { mindlin-deresiewicz = { modulus = 2e4, friction = 0.3, objective = true } }
        [[contact.pairs]]
        between = ["steel", "steel"]
        tangential = "frictionless"
        rolling = { stiffness = 3e3, damping = 20.0, friction = 0.05 }"#,
    ),
    (
        "moduli",
        r#"normal = "hertz-mindlin"
        materials = [
            { name = "glass", young = 5e4, poisson = 0.2, restitution = 0.8, friction = 0.3 },
            { name = "steel", young = 9e4, poisson = 0.3, restitution = 0.6, friction = 0.5 },
        ]
        [[contact.pairs]]
        between = ["glass", "steel"]
        friction = 0.2
        restitution = 0.5"#,
    ),
    (
        "moduli and partial slip",
        r#"normal = "hertz-mindlin"
        tangential = "mindlin-deresiewicz"
        materials = [
            { name = "glass", young = 5e4, poisson = 0.2, restitution = 0.8, friction = 0.3 },
            { name = "steel", young = 9e4, poisson = 0.3, restitution = 0.6, friction = 0.5 },
        ]"#,
    ),
    (
        "moduli and rolling",
        r#"normal = "hertz-mindlin"
        [[contact.materials]]
        name = "glass"
        young = 5e4
        poisson = 0.2
        friction = 0.3
        rolling = { stiffness = 3e3, damping = 20.0, friction = 0.05 }
        twisting = { stiffness = 500.0, damping = 1.0, friction = 0.02 }
        [[contact.materials]]
        name = "steel"
        young = 9e4
        poisson = 0.3
        friction = 0.5
        rolling = { stiffness = "tangential", friction = 0.05 }
        twisting = { stiffness = "tangential", friction = 0.02 }"#,
    ),
    (
        "smooth moduli",
        r#"normal = "hertz-mindlin"
        materials = [{ name = "glass", young = 5e4, poisson = 0.2 }, { name = "steel", young = 9e4, poisson = 0.3 }]"#,
    ),
    (
        "JKR",
        r#"normal = "hertz-mindlin"
        adhesion = { jkr = 20.0 }
        materials = [
            { name = "glass", young = 5e4, poisson = 0.2, friction = 0.3, adhesion = 15.0 },
            { name = "steel", young = 9e4, poisson = 0.3, friction = 0.5 },
        ]"#,
    ),
    (
        "DMT",
        r#"normal = { hertz = { modulus = 4e4 } }
        adhesion = { dmt = 5.0 }
        tangential = { friction-spring = { stiffness = 6e3, friction = 0.3 } }
        [[contact.pairs]]
        between = ["glass", "steel"]
        adhesion = 3.0"#,
    ),
    (
        "plastic",
        r#"normal = { hooke = { stiffness = 3e4 } }
        plastic = { loading = 1e4, adhesion = 2e3 }
        [[contact.pairs]]
        between = ["glass", "steel"]"#,
    ),
];
