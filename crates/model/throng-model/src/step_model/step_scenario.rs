//! Scenario files of step models: the shared settings, and a macro that combines them with model-specific settings.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A scenario file of a [`StepModel`](crate::StepModel): one field per key, whose doc comment is the meaning of the
/// key. The defaults and these comments form the template of the scenario file.
///
/// [`step_scenario!`](macro@crate::step_scenario) declares one. A type declared in another way must also have
/// fields `seed`, `folder` and `overwrite`, because `--seed`, `--out` and `--overwrite` set the keys of these names.
pub trait StepScenario: Default + Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// Returns the values of the shared settings.
    fn plan(&self) -> Plan<'_>;
}

/// The settings shared by all step models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan<'s> {
    /// Output folder.
    pub folder: &'s Path,
    /// Whether the output folder may contain something other than an earlier run of the same scenario.
    pub overwrite: bool,
    /// Seed of all random numbers.
    pub seed: i64,
    /// Number of steps.
    pub steps: u64,
    /// Number of steps per row of the table. The last state always has a row. With 0 it is the only row, and there is
    /// no animation.
    pub every: u64,
    /// Maximum number of frames of the animation, spread evenly over the rows of the table; 0 for no animation.
    pub animation_frames: u32,
}

/// Declares the [`StepScenario`] of a model: a struct with the shared settings of all step models and with
/// model-specific keys. Each of these has a doc comment, which is its meaning in `throng config`, a type that
/// implements the `serde` traits, and a default. The model's own types must derive `Serialize`, `Deserialize` and
/// `JsonSchema`.
///
/// The parentheses contain the defaults of the shared settings: the number of steps, under a key that suits the model,
/// the number of steps per row of the table, and the output folder. A model with an animation adds the maximum number
/// of its frames, `; animation_frames = 80`. The struct has fields of these names, and `seed` and `overwrite`. Reading
/// rejects unknown keys.
///
/// ```
/// use throng_model::{step_scenario, step_model::StepScenario as _};
///
/// step_scenario! {
///     /// Rivers that rise.
///     pub struct Rivers(days = 30, frame_every = 1, folder = "output/rivers") {
///         /// Cubic metres per second.
///         pub flow: f64 = 2.5,
///         /// A file of bridges.
///         pub bridges: Option<std::path::PathBuf> = None,
///     }
/// }
///
/// let flood = Rivers { flow: 40.0, days: 3, ..Rivers::default() };
/// assert_eq!((flood.plan().steps, flood.plan().seed), (3, 1));
/// let text = throng_model::scenario_file::template_text::<Rivers>("rivers", "Rivers")?;
/// assert!(text.contains("# Steps of the simulation.\ndays = 30\n# Cubic metres per second.\nflow = 2.5\n"), "{text}");
/// # Ok::<(), throng_model::Failure>(())
/// ```
///
/// A module can contain at most one such declaration.
#[macro_export]
macro_rules! step_scenario {
    (
        $(#[$about:meta])*
        $visibility:vis struct $name:ident(
            $steps:ident = $number:expr, frame_every = $every:expr, folder = $folder:expr $(; $frames:ident = $most:expr)?
        ) {
            $($(#[$meaning:meta])* $of_key:vis $key:ident: $kind:ty = $default:expr,)*
        }
    ) => {
        // The derive macros below find the crates by this name; a model need not depend on them.
        #[allow(clippy::single_component_path_imports)]
        use $crate::step_model::derives as throng_model_derives;

        $(#[$about])*
        #[derive(Debug, Clone)]
        #[derive($crate::step_model::derives::serde::Serialize, $crate::step_model::derives::serde::Deserialize)]
        #[derive($crate::step_model::derives::schemars::JsonSchema)]
        #[serde(crate = "throng_model_derives::serde", deny_unknown_fields, default)]
        #[schemars(crate = "throng_model_derives::schemars")]
        $visibility struct $name {
            /// Seed of all random draws.
            pub seed: u32,
            /// Steps of the simulation.
            pub $steps: u32,
            $($(#[$meaning])* $of_key $key: $kind,)*
            /// Steps from one row of the table to the next; 0 for the last row only, without an animation.
            pub frame_every: u32,
            $(
                /// Maximum number of frames of the animation: with more rows in the table it shows every second one, or
                /// every third and so on, and the last one. 0 for no animation; drawing may take longer than the
                /// simulation.
                pub $frames: u32,
            )?
            /// The folder for the results.
            pub folder: ::std::path::PathBuf,
            /// Whether the folder may contain something other than an earlier run of the same scenario.
            pub overwrite: bool,
        }

        impl ::core::default::Default for $name {
            fn default() -> Self {
                Self {
                    seed: 1,
                    $steps: $number,
                    $($key: $default,)*
                    frame_every: $every,
                    $($frames: $most,)?
                    folder: ::std::path::PathBuf::from($folder),
                    overwrite: false,
                }
            }
        }

        impl $crate::step_model::StepScenario for $name {
            fn plan(&self) -> $crate::step_model::Plan<'_> {
                $crate::step_model::Plan {
                    folder: &self.folder,
                    overwrite: self.overwrite,
                    seed: self.seed.into(),
                    steps: self.$steps.into(),
                    every: self.frame_every.into(),
                    animation_frames: 0 $(+ self.$frames)?,
                }
            }
        }
    };
}

/// The crates whose derive macros [`step_scenario!`](macro@crate::step_scenario) uses.
#[doc(hidden)]
pub mod derives {
    pub use {schemars, serde};
}
