//! Contact laws: what a user implements to add one.

pub(crate) mod contact;
pub(crate) mod contact_history;
pub(crate) mod contact_law;
pub(crate) mod material;
pub(crate) mod normal;
pub(crate) mod tangential;

pub use self::contact::{Contact, ContactKinematics};
pub use self::contact_history::ContactHistory;
pub use self::contact_law::{ContactLaw, TangentialLaw};
pub use self::material::law_table::LawTable;
pub use self::material::material::{Material, Materials};
pub use self::normal::damping::Damping;
pub use self::normal::hertz::Hertz;
pub use self::normal::hooke::Hooke;
pub use self::tangential::co_rotating::{CoRotated, CoRotating};
pub use self::tangential::friction_spring::FrictionSpring;
pub use self::tangential::lever_arm::LeverArm;
pub use self::tangential::memoryless::{CoulombViscous, Frictionless, Viscous};
pub use self::tangential::metered::{FrictionWorkHistory, WithFrictionWork};
pub use self::tangential::mindlin_spring::MindlinSpring;
pub use self::tangential::partial_slip::{PartialSlip, PartialSlipHistory};
pub use self::tangential::rolling::{Rolled, Rolling};
pub use self::tangential::slope::TangentialJacobian;
pub use self::tangential::spring_slider::SpringSlider;
