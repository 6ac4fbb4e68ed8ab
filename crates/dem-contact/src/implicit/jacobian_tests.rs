//! The Jacobian of a step against finite differences, for every law, wall, tie and form.

use cd_solve::LinearOperator;
use proptest::prelude::*;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use crate::bond::ties::Ties;
use crate::error::{DemError, LawError};
use crate::force::ContactForce;
use crate::implicit::block_jacobian::BlockRows;
use crate::implicit::evaluate::MomentumBalance;
use crate::implicit::form::DiscreteForm;
use crate::implicit::implicit_dem::ImplicitDem;
use crate::implicit::step_matrix::StepMatrix;
use crate::implicit::system::StepSystem;
use crate::implicit::trial_list::TrialList;
use crate::implicit::weights::{StepContext, StepWeights};
use crate::law::{
    ContactKinematics, ContactLaw, CoulombViscous, Damping, Frictionless, Hertz, Hooke, Laws, TangentialLaw, Viscous,
};
use crate::neighbor::{Domain, NeighborList};
use crate::stiffness::pair_matrix::PairMatrix;
use crate::wall::{Cylinder, Revolution, Wall};

/// Friction spring with a history, whose derivatives are found by differences.
#[derive(Debug, Clone, Copy)]
struct Spring;

impl TangentialLaw for Spring {
    type History = DVec3;

    fn force(&self, slip: &ContactKinematics, history: &mut DVec3) -> DVec3 {
        *history += slip.velocity * slip.elapsed;
        *history * -300.0 * (1.0 + slip.overlap)
    }
}

/// Makes spheres of two sizes that touch each other and a wall, with random velocities and spins.
fn scene(numbers: &[f64]) -> (Bodies, State) {
    let bodies =
        Bodies::new([0.5, 0.4, 0.55, 0.5].map(|radius| Body::sphere(8.0 * radius * radius * radius, radius))).unwrap();
    let mut state = State::at_rest(4).without_attitudes();
    let mut numbers = numbers.iter().copied().cycle();
    let mut vector = |size: f64| {
        let [x, y, z] = std::array::from_fn(|_| numbers.next().unwrap_or(0.0));
        size * DVec3::new(x, y, z)
    };
    let centres = [DVec3::ZERO, DVec3::X * 0.86, DVec3::new(0.4, 0.85, 0.1), DVec3::new(-0.1, -0.2, 0.95)];
    for (i, centre) in centres.into_iter().enumerate() {
        state.position_mut().set(i, centre + vector(0.01));
        state.velocity_mut().set(i, vector(1.0));
        state.set_spin(&bodies, i, vector(2.0));
    }
    (bodies, state)
}

/// Computes the relative error of a product with the Jacobian, compared with finite differences of the residual.
fn compare<M: StepMatrix<D>, const D: usize>(laws: Laws, form: DiscreteForm, exact: bool, numbers: &[f64]) -> f64 {
    let (bodies, state) = scene(numbers);
    let ties = Ties::new(Domain::OPEN, 4, [[1, 2]], 500.0).unwrap();
    let list = NeighborList::new(Domain::OPEN, 0.5).unwrap().without_pairs(ties.pairs().iter().copied());
    let floor = Wall::plane(DVec3::new(0.0, 0.0, -0.45), DVec3::new(0.1, 0.0, 1.0)).moving(DVec3::Z * 0.3);
    let mut walls = vec![floor];
    if form != DiscreteForm::ExactEnergy {
        // A moving hollow wall and the rim of a rod cover all kinds of curvature.
        let pipe = Cylinder::inside(DVec3::new(0.1, 1.0, 0.2), 1.02).unwrap();
        let rod = Revolution::rod(DVec3::new(0.0, 0.2, 1.0), 0.2, [-1.0, 0.0]).unwrap();
        walls.push(Wall::new(pipe, DVec3::new(0.2, 0.0, 0.3)).oscillating(DVec3::X * 0.05, 3.0, 0.4));
        walls.push(Wall::new(rod, DVec3::new(0.55, 1.2, -0.2)));
    }
    let mut contacts = ContactForce::new(list, laws).with_walls(walls).unwrap();
    let step = 0.02;
    let context = StepContext { weights: StepWeights::new(form, step, exact), ties: Some(&ties), time: 0.1 };
    let mut system = StepSystem::default();
    let mut trial_list = TrialList { bodies: &bodies, old: &state, kicked: &state, skin: 0.5, compensation: &[] };
    trial_list.prepare::<D>(&mut contacts, &mut system, &context).unwrap();
    let order = contacts.list().order().to_vec();
    let mut point = vec![0.0; 4 * D];
    for (to, &i) in point.as_chunks_mut::<D>().0.iter_mut().zip(&order) {
        to[..3].copy_from_slice(&(0.8 * state.velocity().get(i as usize)).to_array());
        if D > 3 {
            to[3..].copy_from_slice(&(1.2 * state.spin(&bodies, i as usize)).to_array());
        }
    }
    let direction: Vec<f64> = (0..4 * D).map(|k| numbers[(7 * k + 3) % numbers.len()]).collect();
    let mut matrix = M::default();
    let mut residual = vec![0.0; 4 * D];
    let mut impulse = vec![0.0; 4 * D];
    let mut evaluate = |point: &[f64], matrix: &mut M| {
        let balance = MomentumBalance { residual: residual.as_chunks_mut().0, impulse: impulse.as_chunks_mut().0 };
        system.evaluate(&contacts, &context, point.as_chunks::<D>().0, balance, matrix);
        residual.clone()
    };
    let size = 1e-6;
    let moved = |by: f64| -> Vec<f64> { point.iter().zip(&direction).map(|(p, d)| p + by * d).collect() };
    let above = evaluate(&moved(size), &mut matrix);
    let below = evaluate(&moved(-size), &mut matrix);
    evaluate(&point, &mut matrix);
    let mut product = vec![0.0; 4 * D];
    matrix.apply(&direction, &mut product, &mut Vec::new());
    let largest = product.iter().fold(1e-3_f64, |most, p| most.max(p.abs()));
    let differences = above.iter().zip(&below).map(|(a, b)| (b - a) / (2.0 * size));
    differences.zip(&product).fold(0.0_f64, |most, (d, p)| most.max((d - p).abs())) / largest
}

fn forms(alpha: f64) -> [DiscreteForm; 3] {
    [DiscreteForm::Paper { alpha }, DiscreteForm::MarsdenWest { alpha }, DiscreteForm::ExactEnergy]
}

fn dampings() -> [Damping; 4] {
    [
        Damping::NONE,
        Damping::coefficient(8.0).unwrap(),
        Damping::restitution(0.6).unwrap(),
        Damping::restitution_capped(0.5).unwrap(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_exact_jacobian_is_that_of_differences(
        numbers in proptest::collection::vec(-1.0..1.0_f64, 37),
        alpha in 0.0..=1.0_f64,
        damping in 0..4_usize,
    ) {
        let hooke = Hooke::new(2000.0, dampings()[damping])?;
        let hertz = Hertz::new(9000.0, dampings()[damping])?;
        let viscous = Viscous::new(20.0)?;
        let limited = CoulombViscous::new(20.0, 0.3)?;
        let plain = [Laws::of(hooke, Frictionless), Laws::of(hertz, Frictionless)];
        let rubbing = [
            Laws::of(hooke, viscous),
            Laws::of(hertz, viscous),
            Laws::of(hooke, limited),
            Laws::of(hertz, limited),
            Laws::of(hooke, Spring),
            Laws::of(hertz, Spring),
        ];
        for form in forms(alpha) {
            for laws in &plain {
                let found = compare::<BlockRows<3>, 3>(laws.clone(), form, true, &numbers);
                prop_assert!(found < 2e-6, "{:?}, {:?}: {}", laws, form, found);
            }
            for laws in &rubbing {
                let found = compare::<BlockRows<6>, 6>(laws.clone(), form, true, &numbers);
                prop_assert!(found < 2e-6, "{:?}, {:?}: {}", laws, form, found);
            }
        }
    }

    #[test]
    fn without_dissipation_the_symmetric_one_is_too(
        numbers in proptest::collection::vec(-1.0..1.0_f64, 37),
        alpha in 0.0..=1.0_f64,
    ) {
        let hooke = Hooke::new(2000.0, Damping::NONE)?;
        let hertz = Hertz::new(9000.0, Damping::NONE)?;
        let hooke = Laws::of(hooke, Frictionless);
        let hertz = Laws::of(hertz, Frictionless);
        for form in [DiscreteForm::Paper { alpha }, DiscreteForm::MarsdenWest { alpha }] {
            let found = [
                compare::<PairMatrix, 3>(hooke.clone(), form, false, &numbers),
                compare::<PairMatrix, 3>(hertz.clone(), form, false, &numbers),
                compare::<BlockRows<3>, 3>(hertz.clone(), form, false, &numbers),
            ];
            prop_assert!(found.iter().all(|&error| error < 2e-6), "{:?}: {:?}", form, found);
        }
    }
}

/// Checks that the symmetric matrix is symmetric, and that its diagonal blocks agree with products.
#[test]
fn diagonal_blocks_are_those_of_the_matrix() {
    let numbers: Vec<f64> = (0..37).map(|k| f64::from(k * k).sin()).collect();
    let (bodies, state) = scene(&numbers);
    let law = Hooke::new(2000.0, Damping::coefficient(8.0).unwrap()).unwrap();
    let laws = Laws::of(law, Viscous::new(4.0).unwrap());
    let list = NeighborList::new(Domain::OPEN, 0.5).unwrap();
    let mut contacts = ContactForce::new(list, laws);
    let context =
        StepContext { weights: StepWeights::new(DiscreteForm::SECOND_ORDER, 0.02, false), ties: None, time: 0.0 };
    let mut system = StepSystem::default();
    let mut trial_list = TrialList { bodies: &bodies, old: &state, kicked: &state, skin: 0.5, compensation: &[] };
    trial_list.prepare::<6>(&mut contacts, &mut system, &context).unwrap();
    let mut matrix = BlockRows::<6>::default();
    let mut residual = [[0.0; 6]; 4];
    let mut impulse = [[0.0; 6]; 4];
    let balance = MomentumBalance { residual: &mut residual, impulse: &mut impulse };
    system.evaluate(&contacts, &context, &[[0.3; 6]; 4], balance, &mut matrix);
    let column = |k: usize| {
        let mut unit = vec![0.0; 24];
        let mut product = vec![0.0; 24];
        unit[k] = 1.0;
        matrix.apply(&unit, &mut product, &mut Vec::new());
        product
    };
    let columns: Vec<Vec<f64>> = (0..24).map(column).collect();
    for (i, column) in columns.iter().enumerate() {
        for (j, value) in column.iter().enumerate() {
            assert!((value - columns[j][i]).abs() < 1e-12, "{i} {j}");
        }
    }
    for (k, &[xx, xy, xz, yy, yz, zz]) in matrix.diagonal().iter().enumerate() {
        for (i, row) in [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]].iter().enumerate() {
            for (j, value) in row.iter().enumerate() {
                assert!((columns[3 * k + j][3 * k + i] - value).abs() < 1e-12, "block {k}, {i} {j}");
            }
        }
    }
}

/// Test law whose normal force begins at a gap, before bodies touch.
#[derive(Debug, Clone, Copy)]
struct FarReaching;

impl ContactLaw for FarReaching {
    fn energy(&self, overlap: f64, _: f64) -> f64 {
        overlap
    }

    fn force(&self, _: f64, _: f64) -> f64 {
        1.0
    }

    fn stiffness(&self, _: f64, _: f64) -> f64 {
        0.0
    }

    fn range(&self, _: f64) -> f64 {
        0.05
    }
}

#[test]
fn a_law_that_acts_before_bodies_touch_is_refused() {
    let list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
    let refused = ImplicitDem::new(ContactForce::new(list, Laws::of(FarReaching, Frictionless)), 1e-3).unwrap_err();
    assert!(matches!(refused, DemError::Law(LawError::ExplicitOnly)), "{refused}");
}

#[test]
fn fixed_bodies_that_spin_are_refused() {
    let list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
    let law = Hooke::new(1e3, Damping::NONE).unwrap();
    let mut contacts = ContactForce::new(list, Laws::of(law, Frictionless));
    contacts.spin_fixed([(0, 2.0 * DVec3::X)]);
    let refused = ImplicitDem::new(contacts, 1e-3).unwrap_err();
    assert!(matches!(refused, DemError::InvalidParameter { value: 2.0, .. }), "{refused}");
}
