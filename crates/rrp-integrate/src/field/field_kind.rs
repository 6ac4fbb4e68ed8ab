//! The kind of a force field: which types it is made of.

use crate::body::field_kind::FieldKind;
use crate::field::force_field::ForceField;

/// The kind of `field` and of the fields that it contains.
pub(crate) fn kind_of(field: &dyn ForceField) -> FieldKind {
    FieldKind::of_names(|show| field.each_type_name(show))
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::kind_of;
    use crate::field::{Both, ForceField, Gravity, NoForce, PivotedWeight, Sum};

    #[test]
    fn a_sum_is_of_the_kinds_of_its_parts() {
        let gravity = Gravity { acceleration: DVec3::NEG_Z };
        let weight = PivotedWeight { arm: DVec3::X, weight: DVec3::NEG_Z };
        let sum = |fields: Vec<Box<dyn ForceField>>| kind_of(&Sum(fields));
        let both = sum(vec![Box::new(gravity), Box::new(weight)]);
        assert_eq!(both, sum(vec![Box::new(Gravity { acceleration: DVec3::X }), Box::new(weight)]));
        let kinds = [
            both,
            sum(vec![Box::new(gravity)]),
            sum(vec![Box::new(weight), Box::new(gravity)]),
            sum(Vec::new()),
            kind_of(&gravity),
            kind_of(&NoForce),
            kind_of(&Both(gravity, weight)),
            kind_of(&Both(gravity, Sum::<dyn ForceField>(vec![Box::new(gravity)]))),
            kind_of(&Both(gravity, Sum::<dyn ForceField>(vec![Box::new(weight)]))),
        ];
        for (i, kind) in kinds.iter().enumerate() {
            assert_eq!(kinds.iter().position(|other| other == kind), Some(i));
        }
    }
}
