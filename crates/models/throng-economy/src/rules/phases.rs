//! The phases of a day in order. An executor carries out each of them for all agents.

use crate::devices::{Devices, Kind};

/// A phase of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The market of resources with this index, from 0.
    Market(u32),
    /// The market of a kind of device.
    DeviceMarket(Kind),
    /// Agents promise devices of a kind to themselves.
    OwnDevices(Kind),
    /// Promised devices are made.
    Production,
    /// Agents extract resources.
    Extraction,
    /// Agents try to invent.
    Invention,
    /// Agents that can make devices lose experience.
    Forgetting,
}

/// Returns the phases between the removals scheduled for the end of yesterday and the evening, in which the day is
/// measured, stock is consumed, and devices wear out.
pub fn phases(devices: Devices) -> Vec<Phase> {
    let mut markets = (0..).map(Phase::Market);
    let mut phases = Vec::new();
    if devices != Devices::None {
        phases.extend(markets.next());
        for kind in devices.by(Kind::BY_MARKET) {
            phases.extend([Phase::DeviceMarket(kind), Phase::OwnDevices(kind)]);
            phases.extend(markets.next());
        }
        phases.push(Phase::Production);
    }
    phases.extend(markets.next());
    phases.push(Phase::Extraction);
    phases.extend(markets.next());
    if devices != Devices::None {
        phases.extend([Phase::Invention, Phase::Forgetting]);
    }
    phases
}
