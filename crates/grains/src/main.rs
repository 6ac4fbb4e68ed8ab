//! The command.

fn main() -> std::process::ExitCode {
    grains::command::main()
}
