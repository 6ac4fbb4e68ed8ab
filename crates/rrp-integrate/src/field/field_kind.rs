//! Tells fields of different types apart.

use crate::field::force_field::ForceField;

/// A hash of the names of the types that a field is made of.
///
/// A state stores the kind of the field that evaluated its wrenches, so that a field of another type does not start
/// from them. It is compared within one process only, and never stored: compilers may name types differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldKind(u64);

impl FieldKind {
    pub(crate) fn of(field: &dyn ForceField) -> Self {
        let mut hash = 0_u64;
        // The mixing of FxHash: each word changes the hash by a bijection.
        let mut mix = |word: u64| hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        field.each_type_name(&mut |name| {
            let (words, rest) = name.as_bytes().as_chunks::<8>();
            words.iter().for_each(|word| mix(u64::from_le_bytes(*word)));
            mix(rest.iter().fold(1, |word, &byte| (word << 8) | u64::from(byte)));
        });
        Self(hash)
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::field::{Both, Gravity, NoForce, PivotedWeight, Sum};

    #[test]
    fn a_sum_is_of_the_kinds_of_its_parts() {
        let gravity = Gravity { acceleration: DVec3::NEG_Z };
        let weight = PivotedWeight { arm: DVec3::X, weight: DVec3::NEG_Z };
        let sum = |fields: Vec<Box<dyn ForceField>>| FieldKind::of(&Sum(fields));
        let both = sum(vec![Box::new(gravity), Box::new(weight)]);
        assert_eq!(both, sum(vec![Box::new(Gravity { acceleration: DVec3::X }), Box::new(weight)]));
        let kinds = [
            both,
            sum(vec![Box::new(gravity)]),
            sum(vec![Box::new(weight), Box::new(gravity)]),
            sum(Vec::new()),
            FieldKind::of(&gravity),
            FieldKind::of(&NoForce),
            FieldKind::of(&Both(gravity, weight)),
            FieldKind::of(&Both(gravity, Sum::<dyn ForceField>(vec![Box::new(gravity)]))),
            FieldKind::of(&Both(gravity, Sum::<dyn ForceField>(vec![Box::new(weight)]))),
        ];
        for (i, kind) in kinds.iter().enumerate() {
            assert_eq!(kinds.iter().position(|other| other == kind), Some(i));
        }
    }
}
