//! Scenarios of fields: whole runs, states on devices, maps of robots, the template.

#[cfg(feature = "gpu")]
mod devices;
mod robot_maps;
mod run;
mod template;
