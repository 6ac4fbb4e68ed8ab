//! What a list has to know of all radii: the size classes.

use rrp_integrate::ScalarColumn;

/// The size classes of spheres. The diameters of a class, with the skin, differ by less than a factor of two.
#[derive(Debug, Clone)]
pub(crate) struct Census {
    /// Diameter and skin of the smallest sphere, in m.
    smallest: f64,
    /// The largest radius of each class in m, from small spheres to large ones; zero where a class is empty.
    largest: Vec<f64>,
}

impl Census {
    /// Largest number of classes. The last one holds all larger spheres.
    pub(crate) const MOST: usize = 24;

    /// The classes of these radii (m).
    pub(crate) fn of(radius: &ScalarColumn, skin: f64) -> Self {
        if let Some(radius) = radius.uniform() {
            return Self { smallest: 2.0 * radius + skin, largest: vec![radius] };
        }
        let positive = || radius.iter().copied().filter(|&radius| radius > 0.0);
        let least = positive().fold(f64::INFINITY, f64::min);
        let mut census = Self {
            smallest: if least.is_finite() { 2.0 * least + skin } else { skin },
            largest: vec![0.0; Self::MOST],
        };
        for radius in positive() {
            let class = census.class_of_diameter(2.0 * radius + skin);
            census.largest[class] = census.largest[class].max(radius);
        }
        let used = census.largest.iter().rposition(|&largest| largest > 0.0).map_or(1, |last| last + 1);
        census.largest.truncate(used);
        census
    }

    /// The edge of a cell in m: the least distance at which two spheres of the smallest class are not listed.
    pub(crate) fn cell_edge(&self) -> f64 {
        self.smallest
    }

    /// The class of a radius (m).
    pub(crate) fn class(&self, radius: f64) -> usize {
        let fits = |&largest: &f64| largest < radius;
        self.largest.iter().take_while(|largest| fits(largest)).count().min(self.largest.len() - 1)
    }

    fn class_of_diameter(&self, diameter: f64) -> usize {
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
    fn each_radius_is_in_a_class_that_holds_it() {
        let radii = [1.0, 0.0, 0.3, 0.029, 0.5, 0.0291, 7.0, 0.03, 1e-9];
        let census = Census::of(&radii.into_iter().collect(), 0.1);
        for radius in radii {
            let class = census.class(radius);
            assert!(radius <= census.largest[class], "{radius}");
            assert!(class == 0 || radius > census.largest[..class].iter().copied().fold(0.0, f64::max));
        }
        let uniform = Census::of(&ScalarColumn::from_iter(vec![0.5; 4]), 0.1);
        assert_eq!((&uniform.largest[..], uniform.class(0.5), uniform.class(0.0)), (&[0.5][..], 0, 0));
        assert!((uniform.cell_edge() - 1.1).abs() < 1e-15);
    }
}
