use crate::error::DemError;
use crate::error::bridge::BridgeError;
use crate::neighbor::domain::Domain;
use crate::wall::Wall;
use crate::wall::placed::Placed;
use crate::wall::shape::Shape;

/// A plane, fixed or moving, to which liquid bridges can form. It carries no liquid: all liquid of a bridge comes from
/// the body, and returns to the body when the bridge breaks.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WetWall {
    /// Number by which liquid bridges refer to this wall, such as its number among the walls of contacts.
    pub number: usize,
    /// The plane that liquid bridges reach, with its motion.
    pub wall: Wall,
}

impl WetWall {
    pub(super) fn check(&self, domain: &Domain) -> Result<(), DemError> {
        let &Self { number, ref wall } = self;
        match wall.shape() {
            Shape::Plane(_) => wall.check(number, domain.periods()),
            _ => Err(DemError::Bridge(BridgeError::NoPlane { wall: number })),
        }
    }
}

/// A wall that liquid bridges reach, in its pose at one time.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedWall<'a> {
    pub(super) number: usize,
    pub(super) placed: Placed<'a>,
}
