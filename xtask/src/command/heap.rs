//! `cargo xtask heap`: heaps by contact dynamics beside heaps of elastic spheres.
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::figures::friction::pour::{Contacts, Mean, Pour};

/// How many heaps of how many spheres.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Spheres of each heap.
    #[arg(long, default_value_t = 2000)]
    spheres: usize,
    /// Heaps by each method, at least two; their seeds are 1, 2 and so on.
    #[arg(long, default_value_t = 5)]
    heaps: u64,
}

/// Prints the slope of each heap, and the means.
///
/// # Errors
/// If a step fails.
pub(crate) fn heap(args: &Args) -> Result<()> {
    ensure!(args.heaps > 1, "--heaps must be at least 2 for a standard error");
    let mut means = Vec::new();
    println!("{:8} {:>5} {:>9} {:>9} {:>8} {:>10}", "contacts", "seed", "slope, °", "steps", "s", "kinetic");
    for contacts in [Contacts::Rigid, Contacts::Elastic] {
        let mut angles = Vec::new();
        for seed in 1..=args.heaps {
            let (pour, start) = (Pour::new(args.spheres, seed)?, Instant::now());
            let heap = pour.run(contacts, &mut |_| ())?;
            println!(
                "{:8} {seed:>5} {:>9.3} {:>9} {:>8.0} {:>10.1e}",
                format!("{contacts:?}"),
                heap.surface.angle(),
                heap.steps,
                start.elapsed().as_secs_f64(),
                heap.kinetic
            );
            angles.push(heap.surface.angle());
        }
        means.push(Mean::of(&angles));
    }
    let [rigid, elastic] = [means[0], means[1]];
    let error = rigid.error.hypot(elastic.error);
    println!("mean: rigid {:.2} ± {:.2}, elastic {:.2} ± {:.2} degrees", rigid.mean, rigid.error, elastic.mean, elastic.error);
    println!("difference {:.2}, its standard error {error:.2}", rigid.mean - elastic.mean);
    Ok(())
}
