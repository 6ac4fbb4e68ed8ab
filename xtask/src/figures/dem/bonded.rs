//! `[DK21]` Fig. 10: a pair of bonded spheres that is hit by a third sphere, compared with LAMMPS.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::Plot;
use rrp_geom::glam::DVec3;
use serde_json::json;

use super::lammps::{BONDED, Data};
use super::run::Run;
use super::scene::{STIFFNESS, Scene, contact_time};
use super::scheme::{Scheme, lammps};
use crate::model::{Artifact, Claim, Context};

/// Number of time steps h in the contact time `t_c`, the duration of a collision of two spheres.
const PER_CONTACT: f64 = 160.0;
/// Number of time steps of a simulation, as in the data of LAMMPS.
const STEPS: usize = 5420;
/// Number of time steps between two samples, as in the data of LAMMPS.
const STRIDE: usize = 10;
/// First sample of the forces that is plotted; before it the spheres only fly towards each other.
const SHOWN_FROM: usize = 290;

/// One case of the figure: direction and stiffness of the bond.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// Angle in degrees between the bond and the direction in which the spheres fly.
    angle: f64,
    /// Ratio `k_B`/k of the stiffness `k_B` of the bond to the stiffness k of a contact.
    ratio: f64,
}

/// Positions of the three spheres at one time, and the forces of the bond and of the contact, positive for repulsion.
#[derive(Clone, Copy, Debug)]
struct Sample {
    time: f64,
    places: [DVec3; 3],
    bond: f64,
    contact: f64,
}

impl Case {
    fn sample(self, time: f64, places: [DVec3; 3]) -> Sample {
        let overlap = |a: usize, b: usize| 1.0 - (places[a] - places[b]).length();
        let bond = self.ratio * STIFFNESS * overlap(0, 1);
        let contact = STIFFNESS * overlap(0, 2).max(0.0);
        Sample { time, places, bond, contact }
    }

    /// Simulates by this scheme how the third sphere hits the bonded pair, and returns samples over time.
    fn run(self, scheme: Scheme) -> Result<Vec<Sample>> {
        let angle = self.angle.to_radians();
        let offset = if self.angle > 0.0 { 0.1 } else { 0.0 };
        let first = DVec3::X * -0.6;
        let second = first - DVec3::new(angle.cos(), angle.sin(), 0.0);
        let third = DVec3::new(0.6, offset, 0.0);
        let mut scene = Scene::spheres(&[(first, DVec3::X), (second, DVec3::X), (third, -DVec3::X)])?;
        scene.bond = Some(self.ratio * STIFFNESS);
        let h = contact_time() / PER_CONTACT;
        let mut run = Run::new(scene, scheme, h)?;
        let mut samples = Vec::new();
        for step in 0..=STEPS {
            if step > 0 {
                run.step()?;
            }
            if step % STRIDE == 0 {
                let place = |i| run.state.position().get(i);
                samples.push(self.sample(step as f64 * h, [place(0), place(1), place(2)]));
            }
        }
        Ok(samples)
    }

    /// Returns the samples that LAMMPS computed for this case.
    fn peers(self) -> Result<Vec<Sample>> {
        let data = Data::parse(BONDED)?.only("angle", self.angle)?.only("kb", self.ratio)?;
        let columns = ["step", "x1", "y1", "x2", "y2", "x3", "y3", "bond", "contact"].map(|name| data.column(name));
        let columns = columns.into_iter().collect::<Result<Vec<_>>>()?;
        let row = |k: usize| {
            let place = |i: usize| DVec3::new(columns[1 + 2 * i][k], columns[2 + 2 * i][k], 0.0);
            let time = columns[0][k] * contact_time() / PER_CONTACT;
            Sample { time, places: [place(0), place(1), place(2)], bond: columns[7][k], contact: columns[8][k] }
        };
        Ok((0..columns[0].len()).map(row).collect())
    }

    fn name(self) -> String {
        let stiffness = if self.ratio > 1.0 { "k_B = 4 k" } else { "k_B = k" };
        if self.angle > 0.0 { format!("bond at 45°, {stiffness}") } else { format!("bond in line, {stiffness}") }
    }
}

/// Returns the curves of the bond force and of the contact force over t/`t_c` as one series with a gap between them.
fn forces(samples: &[Sample], stride: usize) -> Vec<(f64, f64)> {
    let of = |force: fn(&Sample) -> f64| {
        samples.iter().skip(SHOWN_FROM).step_by(stride).map(move |s| (s.time / contact_time(), force(s)))
    };
    let gap = (f64::NAN, f64::NAN);
    of(|sample| sample.bond).chain([gap]).chain(of(|sample| sample.contact)).collect()
}

/// Returns the paths of the three spheres relative to their initial positions as one series with gaps between them.
fn paths(samples: &[Sample], stride: usize) -> Vec<(f64, f64)> {
    let path = |i: usize| {
        samples.iter().step_by(stride).map(move |s| {
            let from_start = s.places[i] - samples[0].places[i];
            (from_start.x, from_start.y)
        })
    };
    (0..3).flat_map(|i| path(i).chain([(f64::NAN, f64::NAN)])).collect()
}

/// Returns the largest difference between our forces and those of LAMMPS over the peak contact force, and the largest
/// distance between our positions and those of LAMMPS in d.
fn differences(samples: &[Sample], peers: &[Sample]) -> (f64, f64) {
    let peak = peers.iter().map(|peer| peer.contact).fold(0.0, larger);
    let mut worst = (0.0, 0.0);
    for (ours, theirs) in samples.iter().zip(peers) {
        let force = larger((ours.bond - theirs.bond).abs(), (ours.contact - theirs.contact).abs());
        worst.0 = larger(worst.0, force / peak);
        for (a, b) in ours.places.iter().zip(theirs.places) {
            worst.1 = larger(worst.1, (*a - b).length());
        }
    }
    worst
}

/// Makes `[DK21]` Fig. 10: the forces and paths of the three spheres by each scheme and by LAMMPS.
pub(super) fn impact(_: &Context) -> Result<Artifact> {
    let mut artifact = Artifact::new(
        "Sphere 3 comes from the right and hits sphere 1, to which 2 is bonded. The contact force has one peak, the bond \
         rings on. The paper gives no geometry and prints the inverse of the limit \
         of the step: it is that of the shorter of √(m/2k) and √(m/2k_B). What the schemes differ by from LAMMPS is the \
         phase of the ringing: velocity Verlet shortens the period by (ωh)²/24, α = ½ lengthens it by (ωh)²/12.",
    )
    .parameters(json!({
        "common": Scene::parameters(), "t_c_over_h": PER_CONTACT, "steps": STEPS, "speeds": [1.0, 1.0, -1.0],
        "places_in_line": [[-0.6, 0.0], [-1.6, 0.0], [0.6, 0.0]],
        "places_at_45": [[-0.6, 0.0], [-1.307_106_781_186_547_5, -0.707_106_781_186_547_5], [0.6, 0.1]],
    }));
    let cases = [
        (0.0, 1.0, "line-k", ""),
        (0.0, 4.0, "line-4k", ""),
        (45.0, 1.0, "oblique-k", "paths-k"),
        (45.0, 4.0, "oblique-4k", "paths-4k"),
    ];
    for (angle, ratio, id, paths_id) in cases {
        let case = Case { angle, ratio };
        let peers = case.peers()?;
        let title = format!("Forces of bond and contact, {}, h = t_c/160", case.name());
        let mut plot = Plot::linear(id, title, ("t/t_c", ""), ("force", "m g"));
        let title = format!("Paths of the three centres from their starts, {}", case.name());
        let mut map = Plot::linear(paths_id, title, ("x − x(0)", "d"), ("y − y(0)", "d"));
        (plot, map) = (plot.series(lammps(forces(&peers, 2))), map.series(lammps(paths(&peers, 18))));
        for scheme in Scheme::ALL {
            let samples = case.run(scheme)?;
            (plot, map) = (plot.series(scheme.line(forces(&samples, 1))), map.series(scheme.line(paths(&samples, 4))));
            let (force, place) = differences(&samples, &peers);
            let text = format!(
                "largest difference of a force from LAMMPS over the peak force, {}, {}",
                scheme.name(),
                case.name()
            );
            let paper = "the forces and trajectories follow LAMMPS";
            artifact = artifact.claim(match scheme {
                Scheme::Printed | Scheme::Midpoint => Claim::as_paper(text, paper, force, 0.0..=0.01),
                Scheme::First => Claim::ours(text, force, 0.0..=0.05),
                _ => Claim::ours(text, force, 0.0..=0.01),
            });
            let text = format!("largest distance of a centre from LAMMPS', {}, {}", scheme.name(), case.name());
            artifact = artifact.claim(Claim::ours(text, place, 0.0..=1e-4).unit("d"));
        }
        artifact = artifact.plot(plot);
        if !paths_id.is_empty() {
            artifact = artifact.plot(map);
        }
    }
    Ok(artifact)
}
