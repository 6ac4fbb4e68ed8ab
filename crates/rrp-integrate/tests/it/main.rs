//! Integration tests of the maps.

use rrp_geom::Attitude;
use rrp_geom::glam::DVec3;
use rrp_integrate::*;

fn pendulum() -> (Bodies, PivotedWeight, State) {
    let bodies = Bodies::new([Body::spherical(1.0, 1.0)]).unwrap();
    let field = PivotedWeight { arm: DVec3::Z, weight: DVec3::Z };
    let mut state = State::at_rest(1);
    state.attitude_mut().set(0, Attitude::from_rotation_vector(DVec3::Y * 0.75 * std::f64::consts::PI).unwrap());
    state.angular_momentum_mut().set(0, DVec3::new(0.2, 0.0, 0.2));
    (bodies, field, state)
}

#[test]
fn probe() {
    let mut maps: Vec<(String, Box<dyn Integrator>)> = vec![];
    for map in
        [Map::Legendre, Map::Newmark, Map::SymplecticEuler, Map::VelocityVerlet, Map::Newton, Map::CayleySplitting]
    {
        maps.push((format!("{map:?}"), Box::new(Explicit::new(map, 0.1).unwrap())));
    }
    maps.push(("21".into(), Box::new(BodyFrame::new(0.1).unwrap())));
    maps.push(("26 1/2".into(), Box::new(Implicit::new(0.5, 0.1).unwrap())));
    maps.push(("26 0".into(), Box::new(Implicit::new(0.0, 0.1).unwrap())));
    maps.push(("26 1".into(), Box::new(Implicit::new(1.0, 0.1).unwrap())));
    for (name, mut map) in maps {
        let (bodies, mut field, mut state) = pendulum();
        let e0 = field.energy(&bodies, &state) + kinetic_energy(&bodies, &state).total();
        let mut worst: f64 = 0.0;
        let t = std::time::Instant::now();
        let n = 100000;
        for k in 0..n {
            map.step(&bodies, &mut field, &mut state).unwrap();
            let e = field.energy(&bodies, &state) + kinetic_energy(&bodies, &state).total();
            worst = worst.max((e - e0).abs());
            if k == 99 {
                println!("{name} N=100 {:?} {:?}", state.attitude().get(0), state.angular_momentum().get(0));
            }
        }
        let rho = state.attitude().get(0).rotate(DVec3::Z);
        println!(
            "{name}: max dE {worst:e} R rho.Om {:e} L.e3 {:e} {:?}/step",
            rho.dot(state.angular_momentum().get(0)),
            state.angular_momentum().get(0).z - 0.2,
            t.elapsed() / n
        );
    }
}
