//! `cargo xtask heap`: pours heaps of spheres by contact dynamics and with elastic contacts, and compares their slopes.
use anyhow::{Result, ensure};
use rayon::ThreadPoolBuilder;

use crate::command::stopwatch::Stopwatch;
use crate::figures::friction::pour::{Contacts, Mean, Pour, Settings};

/// Options of `cargo xtask heap`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Spheres of each heap.
    #[arg(long, default_value_t = 2000)]
    spheres: usize,
    /// Heaps by each method, at least two; their seeds are 1, 2 and so on.
    #[arg(long, default_value_t = 5)]
    heaps: u64,
    #[command(flatten)]
    settings: Settings,
}

/// Pours the heaps, and prints the slope of each and the means. All work is done on one thread, since the stopwatch
/// measures the time of one thread.
///
/// # Errors
/// If a step fails.
pub(crate) fn heap(args: &Args) -> Result<()> {
    ensure!(args.heaps > 1, "--heaps must be at least 2 for a standard error");
    ThreadPoolBuilder::new().num_threads(1).build()?.install(|| compare(args))
}

/// Pours the heaps one after the other, and prints the results.
fn compare(args: &Args) -> Result<()> {
    let kinds = [Contacts::Rigid, Contacts::Elastic];
    let mut angles = kinds.map(|_| Vec::new());
    println!(
        "{:8} {:>4} {:>7} {:>8} {:>6} {:>8} {:>9}",
        "contacts", "seed", "slope,°", "on disc", "s", "steps", "kinetic"
    );
    for seed in 1..=args.heaps {
        let pour = Pour::new(args.spheres, seed)?;
        for (contacts, angles) in kinds.into_iter().zip(&mut angles) {
            let watch = Stopwatch::start();
            let heap = pour.run(contacts, &args.settings)?;
            let seconds = watch.seconds();
            let angle = heap.surface.angle();
            let effort = &heap.effort;
            println!(
                "{:8} {seed:>4} {angle:>7.3} {:>8} {seconds:>6.0} {:>8} {:>9.1e}",
                format!("{contacts:?}"),
                heap.spheres,
                heap.steps,
                heap.kinetic
            );
            if contacts == Contacts::Rigid {
                println!(
                    "         R1: median {:.1e}, 95 % {:.1e}, largest {:.1e}; {} problems, {} sweeps, {} moves apart, {} \
                     passes of impacts, overlap left {:.1e} d",
                    effort.residual(0.5),
                    effort.residual(0.95),
                    effort.residual(1.0),
                    effort.problems,
                    effort.sweeps,
                    effort.separations,
                    effort.impact_passes,
                    effort.overlap
                );
            }
            angles.push(angle);
        }
    }
    let [rigid, elastic] = angles.map(|angles| Mean::of(&angles));
    let error = rigid.error.hypot(elastic.error);
    println!(
        "mean: rigid {:.2} ± {:.2}, elastic {:.2} ± {:.2} degrees",
        rigid.mean, rigid.error, elastic.mean, elastic.error
    );
    println!("difference {:.2}, its standard error {error:.2}", rigid.mean - elastic.mean);
    Ok(())
}
