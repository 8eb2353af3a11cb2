//! Throng with an additional model: birds that flock.

#![forbid(unsafe_code)]

mod film;
mod model;
mod rules;
mod scenario;
#[cfg(test)]
mod tests;
mod verification;

fn main() -> std::process::ExitCode {
    let mut catalogue = throng::catalogue();
    catalogue.models.push(&model::Flocking);
    throng_cli::main_with(&catalogue)
}
