//! Contact laws: forces of one contact from its overlap, its velocity and its history.
//!
//! A law has a normal part, [`ContactLaw`], and a tangential part, [`TangentialLaw`]; implement these traits to add a
//! law. [`Laws::of`] makes an object of both parts, a [`PairLaw`]: all other folders call laws through this trait,
//! which evaluates many contacts with one call. The folder `normal` has normal laws and their damping, `tangential` has
//! tangential laws, `material` the laws of several materials. `contact` states the conventions of signs and frames,
//! `contact_history` what contacts keep, `lever_arm` where tangential forces act, `tangential_slope` has their
//! derivatives for implicit steps, `batch` the columns of the contacts that are evaluated together.
//!
//! Laws know neither bodies nor lists. The contact loop in `force`, and `implicit` and `statics`, call laws.

pub(crate) mod batch;
pub(crate) mod contact;
pub(crate) mod contact_history;
pub(crate) mod contact_law;
pub(crate) mod damped_law;
pub(crate) mod laws;
pub(crate) mod least_rotation;
pub(crate) mod lever_arm;
pub(crate) mod material;
pub(crate) mod normal;
pub(crate) mod one_contact;
pub(crate) mod own_name;
pub(crate) mod pair_law;
pub(crate) mod tangential;
pub(crate) mod tangential_law;
pub(crate) mod tangential_slope;

pub use self::batch::{BATCH, Contacts, Forces};
pub use self::contact::{Contact, ContactKinematics, Partner, PowerByMotion};
pub use self::contact_history::{ContactHistory, Kind, Layout, Sum};
pub use self::contact_law::{ContactLaw, Memory};
pub use self::laws::Laws;
pub use self::lever_arm::LeverArm;
pub use self::material::pair_of_materials::{MaterialTangential, PairOfMaterials};
pub use self::material::pair_table::{LawTable, PairTable};
pub use self::material::properties::{Material, Materials};
pub use self::normal::damping::Damping;
pub use self::normal::dmt::Dmt;
pub use self::normal::hertz::Hertz;
pub use self::normal::hooke::Hooke;
pub use self::normal::jkr::Jkr;
pub use self::normal::plastic::PlasticHooke;
pub use self::one_contact::OneContact;
pub use self::pair_law::{LawTraits, PairLaw, Relaxed};
pub use self::tangential::co_rotating::{CoRotated, CoRotating};
pub use self::tangential::friction_spring::FrictionSpring;
pub use self::tangential::memoryless::{CoulombViscous, Frictionless, Viscous};
pub use self::tangential::mindlin_deresiewicz::{MindlinDeresiewicz, MindlinDeresiewiczHistory};
pub use self::tangential::mindlin_spring::{MindlinHistory, MindlinSpring};
pub use self::tangential::rolling::{Rolled, Rolling};
pub use self::tangential::spring_slider::SpringSlider;
pub use self::tangential_law::TangentialLaw;
pub use self::tangential_slope::TangentialJacobian;
