//! `grains` on the ranks of MPI: `mpiexec -n 4 grains-mpi run scene.toml`, and `resume`, and `check`.
//!
//! Results have the bits of `grains` on one process.

mod ranks;

use std::process::ExitCode;
use std::time::Duration;
use std::{panic, process, thread};

use mpi::Threading;
use mpi::topology::{Communicator as _, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives as _;

use self::ranks::MpiRanks;

/// Rank 0 has so long to write its results and say what is wrong, before another rank ends all.
const PATIENCE: Duration = Duration::from_secs(60);
/// `mpiexec` has so long to pass on what rank 0 said. What it has not read when it ends all may be lost.
const PASSING_ON: Duration = Duration::from_millis(300);
/// MPI has so long to end, then the process does.
const LAST: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    // Calls come from the thread that takes the steps, one at a time.
    let Some((mut universe, level)) = mpi::initialize_with_threading(Threading::Serialized) else {
        return ExitCode::from(1);
    };
    if level < Threading::Serialized {
        eprintln!("this MPI takes calls from the main thread only: use one that was built with support for threads");
        return ExitCode::from(1);
    }
    end_all_on_panic();
    let ranks = MpiRanks::new();
    universe.set_buffer_size(ranks.buffer());
    let is_first = dem_ranks::Ranks::rank(&ranks) == 0;
    let code = grains::command::main_on_ranks(Box::new(ranks));
    if code != 0 {
        // Rank 0 has the message, and its code counts.
        thread::sleep(if is_first { PASSING_ON } else { PATIENCE });
        SimpleCommunicator::world().abort(code.into());
    }
    SimpleCommunicator::world().barrier();
    // All results are written. Some versions of MPI wait for ever when they end.
    thread::spawn(|| {
        thread::sleep(LAST);
        process::exit(0);
    });
    drop(universe);
    ExitCode::SUCCESS
}

/// A panic on one rank ends all: the others would wait for it.
fn end_all_on_panic() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        tell(panic);
        SimpleCommunicator::world().abort(101);
    }));
}
