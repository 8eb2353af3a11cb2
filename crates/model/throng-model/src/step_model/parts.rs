//! Optional parts of a step model.

use std::path::PathBuf;

use throng_core::InputError;
use throng_output::RunFolder;

use super::{AnimationFile, NoObserver, Observer, StepModel};
use crate::flags::{Flag, Flags};
use crate::step_model::joint_simulation::JointSimulation;
use crate::{Calibration, Failure, Figure, Replay};

/// The optional parts of a [`StepModel`]: a model names those that it has in [`StepModel::PARTS`].
///
/// ```ignore
/// const PARTS: Parts<Self> = Parts::NONE.group("crowd").animation(ANIMATION).observed().replay(&WalkReplay);
/// ```
pub struct Parts<M: StepModel> {
    pub(crate) group: Option<&'static str>,
    pub(crate) animation: Option<AnimationFile<M>>,
    pub(crate) replay: Option<&'static dyn Replay>,
    pub(crate) together: Option<JointSimulation<M>>,
    pub(crate) calibration: Option<Calibration>,
    pub(crate) inputs: fn(&mut M::Scenario) -> Vec<&mut PathBuf>,
    pub(crate) flags: &'static [Flag],
    pub(crate) apply: fn(&Flags, &mut M::Scenario) -> Result<(), InputError>,
    pub(crate) files: &'static [&'static str],
    pub(crate) figures: fn(&M::Scenario, &M::State) -> Vec<Figure>,
    pub(crate) meter: StartMeter<M>,
    pub(crate) observer: StartObserver<M>,
}

/// Starts the observer of a run without files.
pub(crate) type StartMeter<M> = fn(&<M as StepModel>::Scenario) -> Option<Box<dyn Observer<<M as StepModel>::State>>>;

/// Starts the observer of a run with files.
pub(crate) type StartObserver<M> = for<'r> fn(
    &<M as StepModel>::Scenario,
    &'r RunFolder,
) -> Result<Box<dyn Observer<<M as StepModel>::State> + 'r>, Failure>;

impl<M: StepModel> Parts<M> {
    /// A model without optional parts.
    pub const NONE: Self = Self {
        group: None,
        animation: None,
        replay: None,
        together: None,
        calibration: None,
        inputs: |_| Vec::new(),
        flags: &[],
        apply: |_, _| Ok(()),
        files: &[],
        figures: |_, _| Vec::new(),
        meter: |_| None,
        observer: |_, _| Ok(Box::new(NoObserver)),
    };

    /// The model is in a group of models that `throng check` checks together.
    #[must_use]
    pub const fn group(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self
    }

    /// Runs have an animation.
    #[must_use]
    pub const fn animation(mut self, animation: AnimationFile<M>) -> Self {
        self.animation = Some(animation);
        self
    }

    /// Runs can be shown as images and animations of scenes.
    #[must_use]
    pub const fn replay(mut self, replay: &'static dyn Replay) -> Self {
        self.replay = Some(replay);
        self
    }

    /// A device simulates many runs of a sweep together.
    #[must_use]
    pub const fn together(mut self, together: JointSimulation<M>) -> Self {
        self.together = Some(together);
        self
    }

    /// `throng doctor --measure` measures the costs of the model with these scenarios.
    #[must_use]
    pub const fn calibration(mut self, calibration: Calibration) -> Self {
        self.calibration = Some(calibration);
        self
    }

    /// The scenario has input files.
    #[must_use]
    pub const fn input_files(mut self) -> Self
    where
        M: HasInputFiles,
    {
        self.inputs = M::inputs;
        self
    }

    /// The model has flags.
    #[must_use]
    pub const fn with_flags(mut self) -> Self
    where
        M: HasFlags,
    {
        self.flags = M::FLAGS;
        self.apply = M::apply;
        self
    }

    /// Runs have an observer.
    #[must_use]
    pub const fn observed(mut self) -> Self
    where
        M: Observed,
    {
        self.files = M::FILES;
        self.figures = M::figures;
        self.meter = M::meter;
        self.observer = M::observer;
        self
    }
}

/// A model whose scenarios have input files; see [`Parts::input_files`].
pub trait HasInputFiles: StepModel {
    /// Returns the input files of a scenario. Relative paths are relative to the folder of the scenario file.
    fn inputs(scenario: &mut Self::Scenario) -> Vec<&mut PathBuf>;
}

/// A model with flags of `throng run` and `throng config`; see [`Parts::with_flags`].
pub trait HasFlags: StepModel {
    /// Flags of the model besides those of all models.
    const FLAGS: &'static [Flag];

    /// Applies the given flags to the scenario.
    ///
    /// # Errors
    /// If the value of a flag cannot be used.
    fn apply(flags: &Flags, scenario: &mut Self::Scenario) -> Result<(), InputError>;
}

/// A model whose runs produce more than the table and the animation; see [`Parts::observed`].
pub trait Observed: StepModel {
    /// Names of the files that the observer writes.
    const FILES: &'static [&'static str];

    /// Starts the observer of a run: it writes files, and adds lines to the summary and sections to the report.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn observer<'r>(
        scenario: &Self::Scenario,
        folder: &'r RunFolder,
    ) -> Result<Box<dyn Observer<Self::State> + 'r>, Failure>;

    /// Returns summary figures of the last state in addition to its measures, for tables of many runs and for the
    /// manifest: for example, when the last pedestrian left.
    fn figures(scenario: &Self::Scenario, last: &Self::State) -> Vec<Figure> {
        let _ = (scenario, last);
        Vec::new()
    }

    /// Returns the observer of a run without files, as in sweeps: it adds [figures](super::FurtherResults::figures)
    /// that depend on more than the last state. `None` if there are none.
    fn meter(scenario: &Self::Scenario) -> Option<Box<dyn Observer<Self::State>>> {
        let _ = scenario;
        None
    }
}
