//! Contact laws: forces of one contact from its overlap, its velocity and its history.
//!
//! A law has a normal part, [`ContactLaw`], and a tangential part, [`TangentialLaw`]; implement them to add a law. The
//! folder `normal` has the normal laws and their damping, `tangential` the tangential laws, `material` the laws of
//! several materials. `contact` states the conventions of signs and frames.
//!
//! Laws know neither bodies nor lists. The contact loop in `force`, and `implicit` and `statics`, call them.

pub(crate) mod contact;
pub(crate) mod contact_history;
pub(crate) mod contact_law;
pub(crate) mod least_rotation;
pub(crate) mod material;
pub(crate) mod normal;
pub(crate) mod tangential;

pub use self::contact::{Contact, ContactKinematics, Partner, PowerByMotion};
pub use self::contact_history::ContactHistory;
pub use self::contact_law::{ContactLaw, TangentialLaw, WithContactLaw, WithTangentialLaw};
pub use self::material::law_table::LawTable;
pub use self::material::properties::{Material, Materials};
pub use self::normal::adhesive::{AdhesiveLaw, AnyAdhesive};
pub use self::normal::damping::Damping;
pub use self::normal::dmt::Dmt;
pub use self::normal::hertz::Hertz;
pub use self::normal::hooke::Hooke;
pub use self::normal::jkr::Jkr;
pub use self::normal::plastic::PlasticHooke;
pub use self::tangential::adhesive::{Adhered, Adhesive};
pub use self::tangential::co_rotating::{CoRotated, CoRotating};
pub use self::tangential::friction_spring::FrictionSpring;
pub use self::tangential::lever_arm::LeverArm;
pub use self::tangential::memoryless::{CoulombViscous, Frictionless, Viscous};
pub use self::tangential::metered::{FrictionWorkHistory, WithFrictionWork};
pub use self::tangential::mindlin_spring::{MindlinHistory, MindlinSpring};
pub use self::tangential::partial_slip::{PartialSlip, PartialSlipHistory};
pub use self::tangential::rolling::{Rolled, Rolling};
pub use self::tangential::slope::TangentialJacobian;
pub use self::tangential::spring_slider::SpringSlider;
