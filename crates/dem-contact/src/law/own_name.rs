//! Names of laws from the names of their types.

use std::borrow::Cow;

/// Returns the name of a law: the last part of the name of its type, without type parameters.
pub(super) fn own_name<T: ?Sized>() -> Cow<'static, str> {
    let name = std::any::type_name::<T>();
    let name = name.split('<').next().unwrap_or(name);
    Cow::Borrowed(name.rsplit("::").next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_parameters_are_left_out() {
        assert_eq!(own_name::<std::collections::BTreeMap<u8, Vec<u8>>>(), "BTreeMap");
        assert_eq!(own_name::<f64>(), "f64");
    }
}
