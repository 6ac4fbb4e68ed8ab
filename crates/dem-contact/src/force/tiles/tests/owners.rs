//! Tests that a tile is evaluated only from its own spheres and its ghosts.

use std::collections::BTreeSet;

use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::{Bodies, Body, Explicit, ForceField as _, Integrator as _, Map, Wrenches};

use super::walls::walls;
use super::{SIDES, bed, full, hooke, list};
use crate::force::ContactForce;
use crate::force::histories::ListedHistories;
use crate::force::tiles::kernel;
use crate::force::tiles::scene::{Images, LawNeeds, Motion, Needs, Spheres};
use crate::force::tiles::scratch::TileScratch;
use crate::force::tiles::sums::{Row, Sums};
use crate::force::wall_forces::WallForces;
use crate::force::wall_forces::near_walls::NearWalls;
use crate::force::wall_forces::tile_walls::{WallScene, WallScratch};
use crate::law::laws::Laws;
use crate::neighbor::domain::Boundary;
use crate::wall::Wall;

/// Evaluates each tile once more, with NaN for everything that the tile must not read, and checks that forces and
/// histories have the same bits as before. `gradient` is the velocity gradient (1/s) of the box; `fixed` says which
/// bodies are fixed.
fn each_tile_sees_its_own(
    boundary: [Boundary; 3],
    gradient: DMat3,
    walls: impl IntoIterator<Item = Wall>,
    fixed: impl Fn(usize) -> bool,
) {
    let (domain, bodies, mut state) = bed([13, 13, 13], boundary, true);
    let rows = (0..bodies.len()).map(|i| if fixed(i) { Body::fixed(bodies.radius()[i]) } else { bodies.get(i) });
    let bodies = Bodies::new(rows).unwrap();
    bodies.fixed().iter().for_each(|&i| {
        state.velocity_mut().set(i, DVec3::ZERO);
        state.angular_momentum_mut().set(i, DVec3::ZERO);
    });
    let list = list(domain.deforming(0.0, gradient).unwrap());
    let mut field = ContactForce::new(list, Laws::of(hooke(), full())).with_walls(walls).unwrap();
    let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
    (0..5).for_each(|_| map.step(&bodies, &mut field, &mut state).map(drop).unwrap());
    field.accumulate(&bodies, &state, 2e-4, &mut Wrenches::zeros(bodies.len())).unwrap();
    let ListedHistories { tiling, pairs, walls: at_walls, .. } = &field.histories.listed;
    assert!(tiling.tiles.len() > 1 && field.evaluation.sums.force.iter().flatten().all(|force| force.is_finite()));
    let current = &field.list.current;
    let needs = Needs::of(field.law_assignment(), None, 2e-4);
    let moving = WallForces::moving(&field.walls.walls, &field.list, &needs, state.time()).unwrap();
    let images = Images::of(&current.domain, false);
    let law_needs = [LawNeeds::of(field.law().traits(), &needs)];
    let mut touched = 0;
    for (number, tile) in tiling.tiles.iter().enumerate() {
        let read: BTreeSet<usize> = tile.iter_pairs().flat_map(|pair| pair.places()).collect();
        let is_known = |place: usize| tile.places.contains(&place) || read.contains(&place);
        let mut position = field.list.position().to_vec();
        let mut motion = field.evaluation.motion.clone();
        for place in (0..position.len()).filter(|&place| !is_known(place)) {
            position[place] = [f64::NAN; 4];
            motion[place] = Motion { velocity: [f64::NAN; 4], spin: [f64::NAN; 4] };
        }
        let spheres = Spheres { order: &tiling.order, position: &position, motion: &motion, images: &images };
        let mut history = pairs[number].clone();
        let mut wall_history = at_walls[number].clone();
        let mut own = Sums::default();
        own.resize(tile.places.len(), true, false);
        let mut near = NearWalls::default();
        let mut scratch = TileScratch::default();
        scratch.fill(tile, &spheres, false);
        kernel::evaluate(field.law_assignment(), &law_needs, &images, &needs, tile, &mut history, &mut scratch)
            .unwrap();
        let scene = WallScene {
            laws: field.law_assignment(),
            law_needs: &law_needs,
            walls: &moving,
            felt: field.felt_walls(),
            list: &field.list,
            spheres: &spheres,
            needs: &needs,
            velocity: Some(state.velocity()),
        };
        let path = current.path[number];
        let of_walls = &mut WallScratch::default();
        scene.evaluate(&tile.places, path, &mut near, &mut wall_history, &mut scratch, of_walls).unwrap();
        scratch.write(&mut own.as_parts());
        touched += wall_history.pending.len();
        let same = |(a, b): (&Row, &Row)| a.map(f64::to_bits) == b.map(f64::to_bits);
        for (own, all) in [(&own.force, &field.evaluation.sums.force), (&own.torque, &field.evaluation.sums.torque)] {
            assert!(own.iter().zip(&all[tile.places.clone()]).all(same));
        }
        assert_eq!(format!("{:?}", history.pending), format!("{:?}", pairs[number].pending));
        assert_eq!(format!("{:?}", wall_history.pending), format!("{:?}", at_walls[number].pending));
    }
    assert_eq!(touched > 100, !moving.is_empty(), "{touched} contacts with walls");
}

#[test]
fn a_tile_reads_its_own_spheres_and_its_ghosts_alone() {
    for boundary in SIDES {
        each_tile_sees_its_own(boundary, DMat3::ZERO, [], |_| false);
    }
}

#[test]
fn a_tile_beside_walls_with_fixed_spheres_reads_its_own_alone() {
    let size = bed([13, 13, 13], SIDES[1], true).0.high();
    each_tile_sees_its_own(SIDES[1], DMat3::ZERO, walls(size), |i| i % 5 == 0 || i < 170);
}

#[test]
fn a_tile_of_a_box_that_deforms_reads_its_own_alone() {
    let gradient = DMat3::from_cols(DVec3::new(-3.0, 0.0, 0.0), DVec3::X * 40.0, DVec3::Z * 2.0);
    each_tile_sees_its_own(SIDES[0], gradient, [], |i| i % 9 == 0);
}
