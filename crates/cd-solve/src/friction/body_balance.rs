use crate::friction::contact_map::ContactMap;
use crate::friction::contact_rows::DOF;
use crate::friction::problem::norm;
use crate::problem::rows::FIXED;

/// Largest imbalance of the forces on a body, relative to these forces, at which contact forces count as a solution.
/// Since it is relative to the forces on one body, light bodies must be balanced as well as heavy ones.
pub(super) const BALANCED: f64 = 1e-8;

/// Returns the largest imbalance of a body relative to its own forces or torques: `imbalance` (six numbers for each
/// body) over `load` and the absolute values of the local contact forces `force`. A body without load may have no force
/// except rounding errors, so an imbalance within the `rounding` (N) of its contact forces counts as zero.
pub(super) fn worst_imbalance(
    map: &ContactMap,
    force: &[f64],
    load: &[f64],
    imbalance: &[f64],
    rounding: impl Fn(usize) -> f64,
) -> f64 {
    let part =
        |of: &[f64], body: usize, k: usize| norm(of[DOF * body + 3 * k..DOF * body + 3 * (k + 1)].iter().copied());
    let is_weightless: Vec<bool> = load.chunks_exact(DOF).map(|load| load.iter().all(|f| *f == 0.0)).collect();
    let mut size: Vec<[f64; 2]> = (0..map.bodies()).map(|body| [0, 1].map(|k| part(load, body, k))).collect();
    for (i, (r, pair)) in force.chunks_exact(map.block()).zip(map.pairs()).enumerate() {
        let r = norm(r.iter().copied());
        for (side, &body) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
            for (k, size) in size[body as usize].iter_mut().enumerate() {
                let first = side * DOF + 3 * k;
                let rows = map.rows::<3>(i).iter().map(|row| norm(row[first..first + 3].iter().copied()));
                let unknown = if is_weightless[body as usize] { rounding(i) / BALANCED } else { 0.0 };
                *size += (r + unknown) * rows.fold(0.0, f64::max);
            }
        }
    }
    let mut worst = 0.0_f64;
    for (body, size) in size.iter().enumerate() {
        for (k, &size) in size.iter().enumerate() {
            let off = part(imbalance, body, k);
            if off > 0.0 {
                worst = worst.max(off / size);
            }
        }
    }
    worst
}
