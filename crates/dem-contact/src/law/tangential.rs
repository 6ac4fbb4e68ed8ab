//! TODO

pub(crate) mod co_rotating;
pub(crate) mod friction_spring;
pub(crate) mod lever_arm;
pub(crate) mod memoryless;
pub(crate) mod metered;
pub(crate) mod mindlin_spring;
pub(crate) mod partial_slip;
pub(crate) mod rolling;
pub(crate) mod slope;
pub(crate) mod spring_slider;
