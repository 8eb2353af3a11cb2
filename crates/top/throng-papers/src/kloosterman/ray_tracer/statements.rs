//! The paper's statements about its ray tracer, each with a verdict.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::program::{ExecutionTarget, Program};
use super::published::{CPU, GPU, GPU_SMALL, SIZE};
use super::reproduce::RayTracerMeasurements;
use crate::experiment::{Judgement, MIN_RUNS, MeasuredOn, SpeedUp, Statements, Times, Verdict};

/// The statements of section 4, and one of section 3.4, each with its verdict; those about times are not measured if
/// images do not have the paper's size. The paper's camera and light are unknown, so the comparison is only
/// qualitative.
pub(crate) fn statements(measurements: &RayTracerMeasurements, on: MeasuredOn) -> Statements {
    let mut all = Statements::on(on);
    let of_paper_size = (measurements.options.size == SIZE).then_some(measurements);
    let [gpu, cpu, small] = [GPU, CPU, GPU_SMALL].map(|speed| speed.frames_per_second);
    let faster = three_figures(GPU.frames_per_second / CPU.frames_per_second);
    all.push_of_gpu(
        "section 4",
        format!(
            "A GPU draws 1,000 spheres {faster} times as fast as a CPU ({gpu} and {cpu} frames per second; read as: \
             faster)."
        ),
        of_paper_size.and_then(device_is_faster),
    );
    all.push_of_gpu(
        "section 4",
        format!("A GPU draws 1,000 spheres at a speed at which the program is interactive ({gpu} frames per second)."),
        of_paper_size.and_then(interactive),
    );
    all.push("section 4", "A CPU takes 1.28 seconds for a frame of 1,000 spheres.", of_paper_size.and_then(cpu_time));
    all.push_of_gpu(
        "section 4",
        format!("With 216 instead of 1,000 spheres a GPU draws {small} instead of {gpu} frames per second."),
        of_paper_size.and_then(fewer_spheres),
    );
    all.push(
        "section 4",
        "Without recursion, which OpenCL does not have, mirrors can show neither lamps' light nor other mirrors.",
        of_paper_size.and_then(recursion),
    );
    all.push(
        "section 4.3",
        "An image that stays on the GPU (OpenGL interoperability) gives more performance.",
        [Verdict::Undecided.with_evidence("not tried: images are copied to the host and to the browser")],
    );
    all.push_of_gpu(
        "section 3.4",
        "Transfers from RAM to the GPU are a main bottleneck (read here as: at least half of a frame's time follows its \
         drawing).",
        of_paper_size.and_then(transfers),
    );
    all
}

/// The CPU target with the most threads.
fn fastest_of_cpu(measurements: &RayTracerMeasurements) -> ExecutionTarget {
    if measurements.options.threads > 1 { ExecutionTarget::Threads } else { ExecutionTarget::OneThread }
}

/// Frames per second of Throng's own program, as text.
fn of_tree(measurements: &RayTracerMeasurements, target: ExecutionTarget) -> String {
    let full = measurements.frames_per_second(GPU.spheres, Program::FULL, target);
    full.map_or_else(String::new, |full| format!("; with a tree and 4 bounces, {} per second", three_figures(full)))
}

fn device_is_faster(measurements: &RayTracerMeasurements) -> Option<Judgement> {
    let [one, all] = [ExecutionTarget::OneThread, fastest_of_cpu(measurements)].map(|target| {
        let [cpu, device] = [target, ExecutionTarget::Device].map(|target| (Program::PAPER, target));
        measurements.rows.compare(GPU.spheres, cpu, device)
    });
    let (one, all) = (one?, all?);
    let found = format!(
        "qualitatively; with its method, this device is {} as fast as one CPU thread and {} as fast as all {}. The paper \
         does not say how many CPU threads its program used",
        one.text(),
        all.text(),
        measurements.options.threads
    );
    Some(all.within(1.0..).with_evidence(found))
}

fn interactive(measurements: &RayTracerMeasurements) -> Option<Judgement> {
    let times = &measurements.rows.row(GPU.spheres, (Program::PAPER, ExecutionTarget::Device))?.times;
    // How many times as fast as the published rate.
    let frame = Times::of(vec![1.0 / GPU.frames_per_second; MIN_RUNS]);
    let found = format!(
        "{} frames per second with its method on this device{}",
        three_figures(1.0 / times.median()),
        of_tree(measurements, ExecutionTarget::Device)
    );
    Some(SpeedUp::of(&frame, times).within(1.0..).with_evidence(found))
}

fn cpu_time(measurements: &RayTracerMeasurements) -> Option<Judgement> {
    let speed = |target| measurements.frames_per_second(CPU.spheres, Program::PAPER, target);
    let threads = fastest_of_cpu(measurements);
    let found = format!(
        "this is another processor and program, with another camera and light; with its method, {} s on one thread and {} s on all {}, {} frames per \
         second{}",
        three_figures(1.0 / speed(ExecutionTarget::OneThread)?),
        three_figures(1.0 / speed(threads)?),
        measurements.options.threads,
        three_figures(speed(threads)?),
        of_tree(measurements, threads)
    );
    Some(Verdict::Undecided.with_evidence(found))
}

/// The factor by which fewer spheres shorten the time per frame with the paper's method.
fn fewer_spheres(measurements: &RayTracerMeasurements) -> Option<Judgement> {
    let ratio = |target| {
        let drawn = |spheres| Some(&measurements.rows.row(spheres, (Program::PAPER, target))?.figures.drawn);
        Some(SpeedUp::of(drawn(GPU.spheres)?, drawn(GPU_SMALL.spheres)?))
    };
    let device = ratio(ExecutionTarget::Device)?;
    let threads = fastest_of_cpu(measurements);
    let mut found = format!("with its method, they take {} less time on this device", device.text());
    if let Some(ratio) = ratio(threads) {
        let _ = write!(found, " and {} less on the CPU", ratio.text());
    }
    let spheres = f64::from(GPU.spheres) / f64::from(GPU_SMALL.spheres);
    let published = GPU_SMALL.frames_per_second / GPU.frames_per_second;
    let _ = write!(
        found,
        "; there are {} times fewer, and the paper's ratio is {}, perhaps because its display limits the rate",
        three_figures(spheres),
        three_figures(published)
    );
    Some(device.within(published..).with_evidence(found))
}

fn recursion(measurements: &RayTracerMeasurements) -> Option<Judgement> {
    let ratio = |target| {
        let seconds = |program| measurements.drawn_s(GPU.spheres, program, target);
        Some(seconds(Program::FULL)? / seconds(Program { tree: true, ..Program::PAPER })?)
    };
    let on_device = ratio(ExecutionTarget::Device).map(|ratio| (ratio, "this device"));
    let (ratio, hardware) = on_device.or_else(|| Some((ratio(fastest_of_cpu(measurements))?, "the CPU")))?;
    let found = format!(
        "a path is a loop with a weight that each mirror lowers. On {hardware}, 4 bounces take {} times as long as the \
         paper's style, both with a tree; the paper says that it is not possible with its implementation",
        three_figures(ratio)
    );
    Some(Verdict::NotConfirmed.with_evidence(found))
}

/// Judged by the paper's method, brute force. At least half of the time follows the drawing if the whole takes at least
/// twice as long as the drawing.
fn transfers(measurements: &RayTracerMeasurements) -> Option<Judgement> {
    let over_drawing = |tree| {
        let row = measurements.rows.row(GPU.spheres, (Program { tree, ..Program::PAPER }, ExecutionTarget::Device))?;
        Some(SpeedUp::of(&row.times, &row.figures.drawn))
    };
    let percents = |ratio: &SpeedUp| {
        let [median, least, greatest] =
            [ratio.median, ratio.least, ratio.greatest].map(|ratio| three_figures((1.0 - 1.0 / ratio) * 100.0));
        format!("{median} % ({least} to {greatest} % over the runs)")
    };
    let brute_force = over_drawing(false)?;
    let mut found = format!(
        "with its method, {} of the time of a frame of 1,000 spheres follow the drawing, mostly the copy to the host",
        percents(&brute_force)
    );
    if let Some(tree) = over_drawing(true) {
        let _ = write!(found, "; with a tree {}", percents(&tree));
    }
    found += "; transfers to the device are not part of a frame";
    Some(brute_force.within(2.0..).with_evidence(found))
}

#[cfg(test)]
mod tests {
    use super::super::testing::measurements;
    use super::*;
    use crate::experiment::statements::found;

    fn verdict(measurements: &RayTracerMeasurements, statement: &str) -> Option<String> {
        found(&statements(measurements, MeasuredOn::Gpu), statement)
    }

    #[test]
    fn a_device_is_compared_with_one_thread_and_with_all() {
        let rows = |device| {
            measurements(&[
                (1000, Program::PAPER, ExecutionTarget::OneThread, 4.0),
                (1000, Program::PAPER, ExecutionTarget::Threads, 1.0),
                (1000, Program::PAPER, ExecutionTarget::Device, device),
            ])
        };
        let found = |device| verdict(&rows(device), "A GPU draws 1,000 spheres 23.1 times").unwrap();
        let text = "confirmed: qualitatively; with its method, this device is 40.0 times (40.0 to 40.0; 3 runs) as fast as one CPU thread and 10.0";
        assert!(found(0.1).starts_with(text), "{}", found(0.1));
        assert!(found(1.5).starts_with("not confirmed: "));
        let interactive = |device| verdict(&rows(device), "A GPU draws 1,000 spheres at a speed").unwrap();
        assert_eq!(interactive(0.025), "confirmed: 20.0 frames per second with its method on this device");
        assert!(interactive(0.1).starts_with("not confirmed: "));
    }

    #[test]
    fn statements_without_their_programs_are_left_out() {
        let rows = [
            (1000, Program::PAPER, ExecutionTarget::OneThread, 2.0),
            (1000, Program::PAPER, ExecutionTarget::Threads, 0.5),
        ];
        let text = statements(&measurements(&rows), MeasuredOn::Gpu).text();
        assert_eq!(text.matches("\n* ").count(), 2, "{text}");
        assert!(text.contains("cannot be known: this is another processor"), "{text}");
        let mut small = measurements(&rows);
        small.options.size = 100;
        let summary = "7 statements: 0 confirmed, 0 not confirmed, 1 cannot be known, 6 not measured, because ";
        let small = statements(&small, MeasuredOn::Gpu);
        assert!(small.text().contains(summary), "{}", small.text());
        assert_eq!(small.table().markdown().matches("| not measured |").count(), 6);
        assert!(text.contains("method, 4.00 s on one thread and 1.00 s on all 4, 1.00 frames per second\n"), "{text}");
    }

    #[test]
    fn fewer_spheres_and_bounces_are_judged_on_the_device() {
        let tree = Program { tree: true, ..Program::PAPER };
        let rows = |small| {
            measurements(&[
                (216, Program::PAPER, ExecutionTarget::Device, small),
                (1000, Program::PAPER, ExecutionTarget::Device, 1.0),
                (1000, tree, ExecutionTarget::Device, 0.1),
                (1000, Program::FULL, ExecutionTarget::Device, 0.2),
            ])
        };
        let fewer = |small| verdict(&rows(small), "With 216").unwrap();
        assert!(
            fewer(0.25).starts_with("confirmed: with its method, they take 4.00 times (4.00 to 4.00; 3 runs) less"),
            "{}",
            fewer(0.25)
        );
        assert!(fewer(0.5).starts_with("not confirmed: "));
        // The bytes of a frame are on the host after twice the time.
        let transfers = verdict(&rows(0.25), "Transfers").unwrap();
        let half =
            "confirmed: with its method, 50.0 % (50.0 to 50.0 % over the runs) of the time of a frame of 1,000 spheres";
        let tree = "with a tree 50.0 % (50.0 to 50.0 % over the runs); transfers to the device are not part of a frame";
        assert!(transfers.starts_with(half) && transfers.ends_with(tree), "{transfers}");
        let recursion = verdict(&rows(0.25), "Without recursion").unwrap();
        assert!(
            recursion.starts_with("not confirmed: ") && recursion.contains("On this device, 4 bounces take 2.00 times"),
            "{recursion}"
        );
    }

    #[test]
    fn transfers_are_judged_by_all_runs() {
        let text = |seconds: &[f64]| {
            let mut all = measurements(&[(1000, Program::PAPER, ExecutionTarget::Device, 0.1)]);
            all.rows.0[0].times = Times::of(seconds.to_vec());
            verdict(&all, "Transfers").unwrap()
        };
        assert!(text(&[0.3, 0.4, 0.3]).starts_with("confirmed: with its method, 66.7 %"));
        assert!(text(&[0.15; 3]).starts_with("not confirmed: "));
        assert!(text(&[0.3, 0.15, 0.3]).starts_with("cannot be known: "));
        assert!(text(&[0.3; 2]).starts_with("cannot be known: "));
    }

    #[test]
    fn bounces_are_measured_on_the_cpu_if_there_is_no_device() {
        let tree = Program { tree: true, ..Program::PAPER };
        let rows = [(1000, tree, ExecutionTarget::Threads, 0.1), (1000, Program::FULL, ExecutionTarget::Threads, 0.3)];
        let text = verdict(&measurements(&rows), "Without recursion").unwrap();
        assert!(text.contains("On the CPU, 4 bounces take 3.00 times"), "{text}");
    }
}
