//! The choice of a creation method, and the reasons for it.

use std::fmt;

use super::costs::{
    Estimate, convolution, convolution_on, separable, separable_on, tiles, tiles_in_fixed_point, tiles_on,
};
use super::numbers::{Time, TwoDigits};
use super::{Method, Options};
use crate::entities::{Entity, check_all};
use crate::error::{FieldError, not_negative};
use crate::grid::Grid;
use throng_device::DeviceClass;

/// A method on an executor, which may be chosen.
#[derive(Debug, Clone, PartialEq)]
struct Candidate {
    method: Method,
    /// The executor, if there is a choice: `the CPU`, or the id and name of a device. None for a method that is impossible
    /// on all.
    executor: Option<String>,
    /// Whether it is a device.
    on_device: bool,
    /// The estimate, or the reason why the method cannot be used.
    estimate: Result<Estimate, FieldError>,
}

/// A device that may create fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Available<'d> {
    /// Its id and name.
    pub label: &'d str,
    pub class: DeviceClass,
    /// Whether the user named it.
    pub was_named: bool,
    /// The longest line that a convolution can transform there, points.
    pub longest_line: usize,
}

/// The method that was chosen, and why: printed, it is one sentence.
///
/// ```
/// use throng_fields::{Entity, Grid, Profile, creation::{Method, Options, Plan}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 1000, 1000)?;
/// let disc = Entity::new([500.0, 500.0], Profile::linear(200.0)?);
/// let discs = vec![disc; 5000];
/// let exact = Plan::new(&grid, &discs, &Options::default())?;
/// assert_eq!(exact.method(), Method::Tiles);
/// // tiles: 634.6 M cells covered, about 190 ms; convolution would take 27 ms, but may be off by 18 and 0 is allowed; ...
/// assert!(exact.to_string().contains("and 0 is allowed"));
/// let loose = Plan::new(&grid, &discs, &Options { tolerance: 100.0, ..Options::default() })?;
/// assert_eq!(loose.method(), Method::Convolution);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Chosen by the caller.
    asked: bool,
    tolerance: f32,
    method: Method,
    executor: Option<String>,
    /// Whether the executor is the device.
    on_device: bool,
    estimate: Estimate,
    /// The other candidates.
    others: Vec<Candidate>,
}

impl Plan {
    /// Estimates each method on the CPU, and chooses. Cost: a little for each entity, and for each tile that it touches.
    ///
    /// # Errors
    /// When an entity has a number that is not finite, the tolerance is not a finite number of 0 or more, or the requested method cannot
    /// be used.
    pub fn new(grid: &Grid, entities: &[Entity], options: &Options) -> Result<Self, FieldError> {
        check_all(grid, entities)?;
        let candidate = |method, estimate| Candidate { method, executor: None, on_device: false, estimate };
        let candidates = vec![
            candidate(Method::Tiles, Ok(tiles(grid, entities))),
            candidate(Method::Convolution, convolution(grid, entities)),
            candidate(Method::Separable, separable(grid, entities)),
        ];
        Self::best_of(candidates, *options)
    }

    /// Estimates each method on the device and on the CPU, and chooses; tiles are in fixed point. If the user named the
    /// device, the CPU is used only for what the device cannot do.
    ///
    /// # Errors
    /// As for [`Plan::new`].
    pub(crate) fn with_device(
        device: Option<Available<'_>>,
        grid: &Grid,
        entities: &[Entity],
        options: Options,
    ) -> Result<Self, FieldError> {
        check_all(grid, entities)?;
        let cpu = device.map(|_| "the CPU".to_owned());
        let on_cpu =
            |method, estimate| Candidate { method, executor: cpu.clone(), on_device: false, estimate: Ok(estimate) };
        let there = |device: Available<'_>, method, estimate| {
            let executor = Some(device.label.to_owned());
            Candidate { method, executor, on_device: true, estimate }
        };
        let mut candidates = Vec::new();
        if let Some(device) = device {
            candidates.push(there(device, Method::Tiles, Ok(tiles_on(device.class, grid, entities))));
        }
        if device.is_none_or(|device| !device.was_named) {
            candidates.push(on_cpu(Method::Tiles, tiles_in_fixed_point(grid, entities)));
        }
        for (method, estimate) in
            [(Method::Convolution, convolution(grid, entities)), (Method::Separable, separable(grid, entities))]
        {
            let estimate = match estimate {
                Ok(estimate) => estimate,
                Err(error) => {
                    candidates.push(Candidate { method, executor: None, on_device: false, estimate: Err(error) });
                    continue;
                }
            };
            let mut suffices = false;
            if let Some(device) = device {
                let class = device.class;
                let found = match method {
                    Method::Separable => separable_on(class, grid, entities, &estimate),
                    _ => convolution_on((class, device.longest_line), grid, entities, &estimate),
                };
                suffices = device.was_named && found.is_ok();
                candidates.push(there(device, method, found));
            }
            if !suffices {
                candidates.push(on_cpu(method, estimate));
            }
        }
        Self::best_of(candidates, options)
    }

    /// The fastest of the candidates that are allowed.
    fn best_of(mut candidates: Vec<Candidate>, options: Options) -> Result<Self, FieldError> {
        let tolerance = not_negative("tolerance", options.tolerance)?;
        let suits = |candidate: &Candidate, estimate: &Estimate| match options.method {
            Some(method) => candidate.method == method,
            None => candidate.method == Method::Tiles || estimate.error <= tolerance,
        };
        let allowed = candidates.iter().enumerate().filter_map(|(i, candidate)| {
            let estimate = candidate.estimate.as_ref().ok()?;
            suits(candidate, estimate).then_some((i, estimate.seconds))
        });
        let fastest = allowed.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i);
        // Only a requested method can be impossible.
        let wanted = |candidate: &Candidate| options.method.is_none_or(|method| candidate.method == method);
        let chosen = fastest.or_else(|| candidates.iter().position(wanted)).unwrap_or(0);
        let Candidate { method, executor, on_device, estimate } = candidates.remove(chosen);
        Ok(Self {
            asked: options.method.is_some(),
            tolerance,
            method,
            executor,
            on_device,
            estimate: estimate?,
            others: candidates,
        })
    }

    /// The method that was chosen.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Whether a device creates the field, rather than the CPU.
    pub fn is_on_device(&self) -> bool {
        self.on_device
    }

    /// Its estimated time on the available threads, or on the device.
    pub fn seconds(&self) -> f64 {
        self.estimate.seconds
    }

    /// The largest possible error of a cell.
    pub fn error_bound(&self) -> f32 {
        self.estimate.error
    }
}

/// A method, and the executor if there is a choice.
fn write_candidate(f: &mut fmt::Formatter<'_>, method: Method, executor: Option<&str>) -> fmt::Result {
    match executor {
        Some(executor) => write!(f, "{method} on {executor}"),
        None => write!(f, "{method}"),
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_candidate(f, self.method, self.executor.as_deref())?;
        let asked = if self.asked { ", as requested" } else { "" };
        write!(f, "{asked}: {}, about {}", self.estimate.amount, Time(self.estimate.seconds))?;
        if self.estimate.error > 0.0 {
            write!(f, ", off by at most {}", TwoDigits(self.estimate.error))?;
        }
        for Candidate { method, executor, estimate, .. } in &self.others {
            f.write_str("; ")?;
            write_candidate(f, *method, executor.as_deref())?;
            match estimate {
                Ok(estimate) => {
                    write!(f, " would take {}", Time(estimate.seconds))?;
                    if estimate.error > self.tolerance {
                        let (off, allowed) = (TwoDigits(estimate.error), self.tolerance);
                        write!(f, ", but may be off by {off} and {allowed} is allowed")?;
                    }
                }
                Err(why) => write!(f, " cannot ({}: {})", why.place, why.value)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Profile;

    fn candidate(method: Method, executor: &str, seconds: f64, error: f32) -> Candidate {
        let estimate = Estimate { amount: "work".to_owned(), seconds, error };
        let on_device = executor != "the CPU";
        Candidate { method, executor: Some(executor.to_owned()), on_device, estimate: Ok(estimate) }
    }

    /// A device, the CPU and its other methods; two passes are impossible.
    fn candidates(on_device: f64, on_cpu: f64, by_convolution: f64) -> Vec<Candidate> {
        let impossible = FieldError::new("entity 0, profile", "linear", "use another");
        vec![
            candidate(Method::Tiles, "cuda:0", on_device, 0.0),
            candidate(Method::Tiles, "the CPU", on_cpu, 0.0),
            candidate(Method::Convolution, "the CPU", by_convolution, 0.5),
            Candidate { estimate: Err(impossible), ..candidate(Method::Separable, "the CPU", 0.0, 0.0) },
        ]
    }

    #[test]
    fn the_fastest_executor_and_method_are_chosen() {
        let plan = |candidates, method, tolerance| Plan::best_of(candidates, Options { method, tolerance });
        let exact = plan(candidates(1.0, 2.0, 0.5), None, 0.0).unwrap();
        assert_eq!((exact.method(), exact.is_on_device(), exact.seconds()), (Method::Tiles, true, 1.0));
        assert_eq!(
            exact.to_string(),
            "tiles on cuda:0: work, about 1.0 s; tiles on the CPU would take 2.0 s; convolution on the CPU would take \
             500 ms, but may be off by 0.50 and 0 is allowed; two passes on the CPU cannot (entity 0, profile: linear)"
        );
        let small = plan(candidates(1.0, 0.1, 0.5), None, 0.0).unwrap();
        assert!(!small.is_on_device() && small.to_string().starts_with("tiles on the CPU: "), "{small}");
        let loose = plan(candidates(1.0, 2.0, 0.5), None, 0.6).unwrap();
        assert_eq!((loose.method(), loose.is_on_device()), (Method::Convolution, false));
        let asked = plan(candidates(1.0, 2.0, 0.5), Some(Method::Tiles), 0.6).unwrap();
        assert!(asked.is_on_device() && asked.to_string().starts_with("tiles on cuda:0, as requested: "), "{asked}");
        let asked = plan(candidates(1.0, 2.0, 9.0), Some(Method::Convolution), 0.0).unwrap();
        assert_eq!((asked.method(), asked.error_bound()), (Method::Convolution, 0.5));
        assert_eq!(
            plan(candidates(1.0, 2.0, 0.5), Some(Method::Separable), 0.0).unwrap_err().place,
            "entity 0, profile"
        );
    }

    #[test]
    fn all_methods_are_estimated_on_both_executors() {
        let grid = Grid::new([0.0, 0.0], 1.0, 512, 512).unwrap();
        let bells = vec![Entity::new([200.0, 100.0], Profile::gaussian(40.0, 150.0).unwrap()); 3000];
        let plan = |was_named, longest_line, method| {
            let device = Available { label: "cuda:0 (GPU)", class: DeviceClass::Discrete, was_named, longest_line };
            Plan::with_device(Some(device), &grid, &bells, Options { method, tolerance: 1e9 }).unwrap()
        };
        let candidates = |plan: &Plan| {
            let all = std::iter::once((plan.method, plan.on_device))
                .chain(plan.others.iter().map(|candidate| (candidate.method, candidate.on_device)));
            let mut all: Vec<String> = all.map(|(method, on_device)| format!("{method} {on_device}")).collect();
            all.sort();
            all.join(", ")
        };
        let any = plan(false, 29_056, None);
        let both = "convolution false, convolution true, tiles false, tiles true, two passes false, two passes true";
        assert_eq!(candidates(&any), both, "{any}");
        assert!(any.is_on_device() && any.method() != Method::Tiles, "{any}");
        let named = plan(true, 29_056, None);
        assert_eq!(candidates(&named), "convolution true, tiles true, two passes true");
        // Rows of 512 + 2 * 149 points.
        let short = plan(true, 809, Some(Method::Convolution));
        assert_eq!(candidates(&short), "convolution false, convolution true, tiles true, two passes true");
        assert!(!short.is_on_device() && short.method() == Method::Convolution);
        assert!(short.to_string().contains("convolution on cuda:0 (GPU) cannot (convolution, points of a row: 810)"));
        let none = Plan::with_device(None, &grid, &bells, Options::default()).unwrap();
        assert_eq!(candidates(&none), "convolution false, tiles false, two passes false");
        let linear = [Entity::new([20.0, 20.0], Profile::linear(9.0).unwrap())];
        let device =
            Available { label: "cuda:0 (GPU)", class: DeviceClass::Discrete, was_named: true, longest_line: 4096 };
        let plan = Plan::with_device(Some(device), &grid, &linear, Options::default()).unwrap();
        assert!(plan.to_string().ends_with("; two passes cannot (entity 0, profile: linear)"), "{plan}");
    }

    #[test]
    fn devices_are_for_much_work() {
        let disc = |radius| Entity::new([1024.0, 1024.0], Profile::linear(radius).unwrap());
        let grid = |side| Grid::new([0.0, 0.0], 2048.0 / side as f32, side, side).unwrap();
        let seconds = |grid: &Grid, entities: &[Entity]| {
            [tiles_in_fixed_point(grid, entities), tiles_on(DeviceClass::Discrete, grid, entities)]
                .map(|candidate| candidate.seconds)
        };
        let [cpu, gpu] = seconds(&grid(64), &[disc(100.0)]);
        assert!(cpu < gpu, "{cpu} {gpu}");
        let one_thread = throng_core::thread_pool(1).unwrap();
        let [cpu, gpu] = one_thread.install(|| seconds(&grid(2048), &vec![disc(100.0); 1000]));
        assert!(gpu < cpu / 4.0, "{cpu} {gpu}");
        let [slow, fast] = [DeviceClass::Integrated, DeviceClass::Discrete]
            .map(|class| tiles_on(class, &grid(64), &[disc(100.0)]).seconds);
        assert!(slow > fast);
    }
}
