//! The size classes of the spheres of a list.

/// Size classes of spheres: within a class, diameters plus the skin differ by less than a factor of two.
#[derive(Debug, Clone)]
pub(super) struct Census {
    skin: f64,
    /// Edge of a grid cell in m: the diameter of the smallest sphere plus the skin.
    pub(super) smallest: f64,
}

impl Census {
    /// Largest number of size classes. The last class has all larger spheres.
    pub(super) const MOST: usize = 24;

    pub(super) fn of(radii: impl Iterator<Item = f64>, skin: f64) -> Self {
        let least = radii.filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min);
        Self { skin, smallest: if least.is_finite() { 2.0 * least + skin } else { skin } }
    }

    pub(super) fn class(&self, radius: f64) -> usize {
        let diameter = 2.0 * radius + self.skin;
        let mut class = 0;
        let mut bound = 2.0 * self.smallest;
        while diameter >= bound && class + 1 < Self::MOST {
            class += 1;
            bound *= 2.0;
        }
        class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diameters_of_a_class_differ_by_less_than_two() {
        let radii = [1.0, 0.0, 0.3, 0.029, 0.5, 0.0291, 7.0, 0.03, 1e-9];
        let census = Census::of(radii.into_iter(), 0.1);
        assert!((census.smallest - (0.1 + 2e-9)).abs() < 1e-15);
        for radius in radii {
            let share = (2.0 * radius + 0.1) / census.smallest / f64::powi(2.0, census.class(radius) as i32);
            assert!((0.99..2.0).contains(&share), "{radius}: {share}");
        }
        let huge = Census::of([1e-9, 1e9].into_iter(), 1e-9);
        assert_eq!((huge.class(1e9), huge.class(0.0)), (Census::MOST - 1, 0));
    }
}
