//! Elastic normal forces.

use serde::{Deserialize, Serialize};

/// Elastic normal force of a contact of overlap δ and reduced radius R.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum NormalLaw {
    /// F = k δ.
    Hooke {
        /// k in N/m.
        stiffness: f64,
    },
    /// F = K √R δ^{3/2}.
    Hertz {
        /// K in Pa, 4/3 of the reduced modulus.
        stiffness: f64,
    },
    /// Hertz' law from the moduli of [`materials`](super::ContactModel::materials), with Mindlin's spring, damping, friction and resistances by
    /// them too: [`dem_contact::law::Materials::hertz_mindlin`].
    HertzMindlin,
}
