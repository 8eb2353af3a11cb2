//! Scenarios of fields: whole runs, states on devices, robot maps, the template.

#[cfg(feature = "gpu")]
mod devices;
mod robot_maps;
mod run;
mod template;
