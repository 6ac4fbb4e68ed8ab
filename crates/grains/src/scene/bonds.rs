//! `[bonds]` and `[ties]`: what holds bodies together.

use std::borrow::Cow;
use std::fmt;

use dem_contact::bond::ShearForm;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The bonds that are made at one time: a table, or a list of tables with bonds of different kinds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum BondGroups {
    /// One table: bonds of one kind.
    One(Box<BondGroup>),
    /// A list of tables: bonds of several kinds, or none.
    Many(Vec<BondGroup>),
}

impl BondGroups {
    /// Returns whether there are no tables of bonds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// Returns the tables in the order in which their bonds are made.
    #[must_use]
    pub fn all(&self) -> &[BondGroup] {
        match self {
            Self::One(group) => std::slice::from_ref(group),
            Self::Many(groups) => groups,
        }
    }

    /// Returns the tables in the order in which their bonds are made, each with its key in the scene or the stage.
    pub(crate) fn with_keys(&self) -> impl Iterator<Item = (String, &BondGroup)> {
        let is_list = matches!(self, Self::Many(_));
        let key = move |index: usize| if is_list { format!("bonds[{index}]") } else { "bonds".to_owned() };
        self.all().iter().enumerate().map(move |(index, group)| (key(index), group))
    }

    /// Returns these tables of bonds, followed by the later ones.
    pub(crate) fn and(&self, later: &Self) -> Self {
        if later.is_empty() { self.clone() } else { Self::Many([self.all(), later.all()].concat()) }
    }
}

impl Default for BondGroups {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl JsonSchema for BondGroups {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "BondGroups".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let group = generator.subschema_for::<BondGroup>();
        json_schema!({ "anyOf": [group, { "type": "array", "items": group }] })
    }
}

impl<'de> Deserialize<'de> for BondGroups {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TableOrList)
    }
}

struct TableOrList;

impl<'de> Visitor<'de> for TableOrList {
    type Value = BondGroups;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table, or a list of tables")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BondGroups, A::Error> {
        BondGroup::deserialize(MapAccessDeserializer::new(map)).map(|group| BondGroups::One(group.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<BondGroups, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items)).map(BondGroups::Many)
    }
}

/// Bonds between all bodies whose surfaces are closer than a gap when the bonds are made, also across periodic sides of
/// a box that does not deform from then on: bonds by `[BG21] (44)-(56)`, or parallel bonds. A new bond stores no energy. Bodies that
/// an intact bond joins get no other one: of several tables the first one that has a pair bonds it. Explicit
/// integrators only.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BondGroup {
    /// Largest gap in m between the surfaces of two bodies that are bonded.
    #[schemars(extend("unit" = "m", "toml" = "1e-4"))]
    pub gap: f64,
    /// Bonds only between a body of the first group and one of the second group: names of `[[bodies]]` or of
    /// `[[sources]]`. A name that stands twice bonds the bodies of its group with each other.
    #[schemars(extend("toml" = r#"["rock", "rock"]"#))]
    pub between: Option<[String; 2]>,
    /// Stiffness K of bending and torsion of a bond in J.
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub bending: Option<f64>,
    /// Stiffness K of stretching of a bond in J.
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub stretching: Option<f64>,
    /// Stiffness K of shear of a bond in J.
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub shearing: Option<f64>,
    /// The formula for the energy of shear.
    #[schemars(extend("toml" = r#""monotone""#))]
    pub shear: Option<ShearForm>,
    /// Elongation r/r₀ − 1 at which a bond breaks; it never does if not given.
    #[schemars(extend("toml" = "0.05"))]
    pub break_stretch: Option<f64>,
    /// Force in N at which a bond breaks; it never does if not given.
    #[schemars(extend("unit" = "N", "toml" = "10.0"))]
    pub break_force: Option<f64>,
    /// Parallel bonds, in place of all other keys beside `gap` and `between`.
    #[schemars(extend("toml" = "{ modulus = 1e8, stiffness-ratio = 2.5, tensile-strength = 1e5, shear-strength = 1e5 }"))]
    pub parallel: Option<ParallelBondGroup>,
}

/// Parallel bonds `[PC04]`: each is a round beam of glue, from centre to centre, that bends, twists and breaks by its
/// stresses.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ParallelBondGroup {
    /// Radius of a bond over the smaller of the radii of its bodies.
    #[serde(default = "super::one")]
    #[schemars(extend("toml" = "0.5"))]
    pub radius_multiplier: f64,
    /// Young's modulus of the glue in Pa. The normal stiffness by area is the modulus over the sum of the radii.
    #[schemars(extend("unit" = "Pa", "toml" = "1e8"))]
    pub modulus: f64,
    /// Normal stiffness by area over shear stiffness by area; 2 (1 + Poisson's ratio) for a beam.
    #[serde(default = "super::one")]
    #[schemars(extend("toml" = "2.5"))]
    pub stiffness_ratio: f64,
    /// Tension in Pa at the rim of a bond at which the bond breaks; it never does if not given.
    #[schemars(extend("unit" = "Pa", "toml" = "1e5"))]
    pub tensile_strength: Option<f64>,
    /// Shear stress in Pa at the rim of a bond at which the bond breaks; it never does if not given.
    #[schemars(extend("unit" = "Pa", "toml" = "1e5"))]
    pub shear_strength: Option<f64>,
}

/// Ties: pairs that touch at the start get a contact that also pulls, `[DK21]` section 3.3.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TieGroup {
    /// Stiffness `k_B` of a tie in N/m.
    #[schemars(extend("unit" = "N/m", "toml" = "1e4"))]
    pub stiffness: f64,
}
