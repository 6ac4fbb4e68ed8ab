//! Problems with exact solutions that are hard in floating-point numbers, in any units. The solutions in `algebra.json`
//! come from enumeration of active sets in 80 digits.

use cd_solve::pivoting::Pivoting;
use serde_json::Value;

use crate::prelude::*;

fn problems(kind: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../data/algebra.json")).unwrap();
    all["problems"].as_array().unwrap().iter().filter(|problem| problem["kind"] == kind).cloned().collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Powers of two from 1e-8 to 1e8, which scale without rounding; ones for the unscaled problem.
fn scales(n: usize, draw: usize) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(draw as u64);
    (0..n).map(|_| if draw == 0 { 1.0 } else { 2.0_f64.powi(random.random_range(-26..=26)) }).collect()
}

/// Whether each value has a relative error of at most 1e-9, and each zero is one up to rounding of the largest value.
fn is_right(found: &[f64], expected: &[f64]) -> bool {
    let rounding = 1e-15 * expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    found
        .iter()
        .zip(expected)
        .all(|(a, b)| (a - b).abs() <= (1e-9 * b.abs()).max(rounding * f64::from(u8::from(*b == 0.0))))
}

#[test]
fn complementarity_in_any_units() {
    let mut wrong = Vec::new();
    for problem in problems("lcp") {
        let name = problem["name"].as_str().unwrap();
        let rows: Vec<Vec<f64>> = problem["A"].as_array().unwrap().iter().map(numbers).collect();
        let b = numbers(&problem["b"]);
        let guess = numbers(&problem["guess"]);
        for draw in 0..4 {
            let s = scales(b.len(), draw);
            let matrix = Mat::from_fn(b.len(), b.len(), |i, j| s[i] * rows[i][j] * s[j]);
            let offset: Vec<f64> = b.iter().zip(&s).map(|(b, s)| b * s).collect();
            // Scaling underflows for the smallest numbers, which makes another problem.
            if (0..b.len()).any(|i| (0..b.len()).any(|j| (matrix[(i, j)] / s[i] / s[j] - rows[i][j]).abs() > 0.0)) {
                continue;
            }
            let posed = Lcp::new(LcpMatrix::Dense(matrix.as_ref()), &offset).unwrap();
            let solvers: [(&str, Box<dyn LcpSolver>); 3] = [
                ("APGD", Box::new(Apgd::default())),
                ("Gauss-Seidel", Box::new(ProjectedGaussSeidel::default())),
                ("pivoting", Box::new(Pivoting::default())),
            ];
            for (solver_name, mut solver) in solvers {
                let mut z: Vec<f64> = guess.iter().zip(&s).map(|(z, s)| z / s).collect();
                let report = solver.solve(&posed, &mut z).unwrap();
                z.iter_mut().zip(&s).for_each(|(z, s)| *z *= s);
                let right = match &problem["solution"] {
                    Value::String(_) => report.status == Status::Infeasible,
                    solution if name == "dup4" => {
                        // Only the sum is unique.
                        let sum = |z: &[f64]| z.iter().sum::<f64>();
                        report.converged() && is_right(&[sum(&z)], &[sum(&numbers(&solution["z"]))])
                    }
                    solution => report.converged() && is_right(&z, &numbers(&solution["z"])),
                };
                if !right {
                    wrong.push(format!("{name}, {solver_name}, draw {draw}: {report:?} {z:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn compatibility_in_any_units() {
    let mut wrong = Vec::new();
    for problem in problems("compatibility") {
        let name = problem["name"].as_str().unwrap();
        let dof = problem["columns_per_body"].as_u64().unwrap() as usize;
        let bodies = problem["bodies"].as_u64().unwrap() as usize;
        let exponent = problem["exponent"].as_f64().unwrap();
        let pairs: Vec<[Option<usize>; 2]> = problem["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| [0, 1].map(|side| usize::try_from(pair[side].as_i64().unwrap()).ok()))
            .collect();
        let rows: Vec<Vec<f64>> = problem["rows"].as_array().unwrap().iter().map(numbers).collect();
        let load = numbers(&problem["load"]);
        let stiffness = numbers(&problem["stiffness"]);
        for draw in 0..4 {
            let r = scales(rows.len(), draw);
            let t = scales(dof * bodies, draw + usize::from(draw > 0) * 100);
            let column = |i: usize, k: usize| pairs[i][k / dof].map_or(1.0, |body| t[dof * body + k % dof]);
            let coefficients: Vec<f64> = (0..rows.len())
                .flat_map(|i| (0..2 * dof).map(|k| r[i] * rows[i][k] * column(i, k)).collect::<Vec<_>>())
                .collect();
            let loads: Vec<f64> = load.iter().zip(&t).map(|(load, t)| load * t).collect();
            // A row whose gap changes twice as fast has half the force, and a stiffness divided by 2ᵖ.
            let stiffnesses: Vec<f64> = stiffness.iter().zip(&r).map(|(k, r)| k / r.powf(exponent)).collect();
            let jacobian = ContactJacobian::new(3, bodies, &pairs, &padded(dof, &coefficients)).unwrap();
            let loads = padded(dof, &loads);
            let posed = CompatibilityProblem::new(&jacobian, &loads, &stiffnesses, exponent).unwrap();
            for (solver_name, mut solver) in compatibility_solvers(1e-10) {
                let mut force = vec![0.0; rows.len()];
                let report = solver.solve(&posed, &mut force).unwrap();
                force.iter_mut().zip(&r).for_each(|(force, r)| *force *= r);
                let right = match &problem["force"] {
                    Value::String(_) => report.status == Status::Infeasible,
                    expected => report.converged() && is_right(&force, &numbers(expected)),
                };
                if !right {
                    wrong.push(format!("{name}, {solver_name}, draw {draw}: {report:?} {force:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
