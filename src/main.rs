//! The `gobo` command.

use std::process::ExitCode;

use gobo::app::{self, log, terminal};

fn main() -> ExitCode {
    let cli = app::arguments();
    log::install();
    let terminal = match terminal::install() {
        Ok(terminal) => terminal,
        Err(error) => {
            ::log::error!("the terminal: {error}");
            return ExitCode::from(3);
        }
    };
    match app::main(cli, &terminal) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            ::log::error!("{error}");
            ::log::logger().flush();
            ExitCode::from(error.code())
        }
    }
}
