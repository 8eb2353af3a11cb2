//! Birds that flock, on the CPU and on every device: the same birds, to the last bit.

#![forbid(unsafe_code)]

mod cpu;
mod gpu;
mod rules;
mod scenario;
#[cfg(test)]
mod tests;
mod verification;

use throng_device::{inventory, with_device};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = scenario::Scenario::default();
    let see = |tick: u32, state: &scenario::State| {
        if tick.is_multiple_of(100) {
            println!("  tick {tick:>4}: {:016x}, order {:.3}", state.hash(), verification::order(state));
        }
    };
    println!("cpu");
    cpu::run(&scenario, scenario.start(), see)?;
    for info in inventory().devices {
        println!("{}", info.label());
        with_device!(&info.open()?, |device| gpu::run(device, &scenario, &scenario.start(), see))?;
    }
    for found in [verification::directions_are_equal()?, verification::birds_align()?] {
        println!("expected {}, found {}: {}", found.expected, found.found, if found.holds { "holds" } else { "fails" });
    }
    Ok(())
}
