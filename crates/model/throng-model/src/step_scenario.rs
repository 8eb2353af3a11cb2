//! Scenario files of models in steps: the settings that they share, and a declaration that adds them to a model's own.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A scenario file of a [`StepModel`](crate::StepModel): a field for each key, whose comment is the meaning of the key. The
/// defaults, with these comments, are a scenario file to begin with.
///
/// [`step_scenario!`](crate::step_scenario) declares one. A type that is declared in another way has fields `seed`,
/// `folder` and `overwrite`, too, because `--seed`, `--out` and `--overwrite` set the keys of these names.
pub trait StepScenario: Default + Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// The values of the settings that all models in steps have.
    fn plan(&self) -> Plan<'_>;
}

/// The settings that all models in steps have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan<'s> {
    /// The output folder.
    pub folder: &'s Path,
    /// Whether the output folder may hold something else than an earlier run of the same scenario.
    pub overwrite: bool,
    /// The seed of all random draws.
    pub seed: i64,
    /// Steps of the simulation.
    pub steps: u64,
    /// Steps from one row of the table to the next. The last state always has a row. With 0 it is the only row, and there
    /// is no animation.
    pub every: u64,
    /// Maximum number of frames of the animation, which are spread evenly over the rows of the table; 0 for no animation.
    pub animation_frames: u32,
}

/// Declares the [`StepScenario`] of a model: a struct with the settings that all models in steps have, and with keys of
/// the model's own. Each of these has a comment, which is its meaning in `throng config`, a type that serde reads, and a
/// default. A type of the model's own derives `Serialize`, `Deserialize` and `JsonSchema`.
///
/// In parentheses are the defaults of the shared settings: the steps of the simulation, under the key that suits the
/// model, the steps from row to row of the table, and the folder for the results; a model with an animation adds the maximum
/// number of its frames, `; animation_frames = 80`. The struct has fields of these names, and `seed` and `overwrite`. Keys that
/// it does not have are refused when it is read.
///
/// ```
/// use throng_model::{StepScenario as _, step_scenario};
///
/// step_scenario! {
///     /// Rivers that rise.
///     pub struct Rivers(days = 30, frame_every = 1, folder = "output/rivers") {
///         /// Cubic metres in a second.
///         pub flow: f64 = 2.5,
///         /// A file of bridges.
///         pub bridges: Option<std::path::PathBuf> = None,
///     }
/// }
///
/// let flood = Rivers { flow: 40.0, days: 3, ..Rivers::default() };
/// assert_eq!((flood.plan().steps, flood.plan().seed), (3, 1));
/// let text = throng_model::template_text::<Rivers>("rivers", "Rivers")?;
/// assert!(text.contains("# Steps of the simulation.\ndays = 30\n# Cubic metres in a second.\nflow = 2.5\n"), "{text}");
/// # Ok::<(), throng_model::Failure>(())
/// ```
///
/// A module has at most one such declaration.
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
        // The derive macros below find the crates by this name, which a model need not depend on.
        #[allow(clippy::single_component_path_imports)]
        use $crate::derives as throng_model_derives;

        $(#[$about])*
        #[derive(Debug, Clone)]
        #[derive($crate::derives::serde::Serialize, $crate::derives::serde::Deserialize)]
        #[derive($crate::derives::schemars::JsonSchema)]
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
                /// Maximum number of frames of the animation: with more rows in the table it shows every second one, or every
                /// third and so on, and the last one. 0 for no animation; drawing may take longer than the simulation.
                pub $frames: u32,
            )?
            /// The folder for the results.
            pub folder: ::std::path::PathBuf,
            /// Whether the folder may hold something else than an earlier run of the same scenario.
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

        impl $crate::StepScenario for $name {
            fn plan(&self) -> $crate::Plan<'_> {
                $crate::Plan {
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

/// The crates whose derive macros [`step_scenario!`](crate::step_scenario) uses.
#[doc(hidden)]
pub mod derives {
    pub use {schemars, serde};
}
