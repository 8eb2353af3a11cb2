//! The six kinds of devices: their components, and the work that they speed up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Made of resources; speeds up extraction.
    Tool,
    /// Made of tools; speeds up extraction.
    Machine,
    /// Made of machines; speeds up extraction.
    Factory,
    /// Made of factories; speeds up extraction.
    Industry,
    /// Made of tools; speeds up the assembly of tools.
    DevMachine,
    /// Made of devmachines; speeds up the assembly of machines.
    DevFactory,
}

/// Number of kinds.
pub const KINDS: usize = 6;

impl Kind {
    /// All kinds, by index.
    pub const ALL: [Self; KINDS] =
        [Self::Tool, Self::Machine, Self::Factory, Self::Industry, Self::DevMachine, Self::DevFactory];

    /// Kinds that speed up extraction, in ascending order.
    pub const EXTRACTING: [Self; 4] = [Self::Tool, Self::Machine, Self::Factory, Self::Industry];

    /// All kinds in the order of production: components come before the devices made of them.
    pub const BY_PRODUCTION: [Self; KINDS] =
        [Self::Tool, Self::DevMachine, Self::Machine, Self::DevFactory, Self::Factory, Self::Industry];

    /// All kinds in the order of their markets: devices come before their components.
    pub const BY_MARKET: [Self; KINDS] =
        [Self::Industry, Self::Factory, Self::DevFactory, Self::Machine, Self::DevMachine, Self::Tool];

    /// Returns the name in scenarios and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Machine => "machine",
            Self::Factory => "factory",
            Self::Industry => "industry",
            Self::DevMachine => "devmachine",
            Self::DevFactory => "devfactory",
        }
    }

    /// Returns the plural of the name.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Tool => "tools",
            Self::Machine => "machines",
            Self::Factory => "factories",
            Self::Industry => "industries",
            Self::DevMachine => "devmachines",
            Self::DevFactory => "devfactories",
        }
    }

    /// Returns the kind of its components; `None` if they are units of resources.
    pub fn made_of(self) -> Option<Self> {
        match self {
            Self::Tool => None,
            Self::Machine | Self::DevMachine => Some(Self::Tool),
            Self::Factory => Some(Self::Machine),
            Self::Industry => Some(Self::Factory),
            Self::DevFactory => Some(Self::DevMachine),
        }
    }

    /// Returns the kind whose assembly it speeds up; `None` if it speeds up extraction.
    pub fn assembles(self) -> Option<Self> {
        match self {
            Self::DevMachine => Some(Self::Tool),
            Self::DevFactory => Some(Self::Machine),
            Self::Tool | Self::Machine | Self::Factory | Self::Industry => None,
        }
    }

    /// Returns the kind that speeds up its assembly, if one exists.
    pub fn assembled_with(self) -> Option<Self> {
        [Self::DevMachine, Self::DevFactory].into_iter().find(|kind| kind.assembles() == Some(self))
    }

    /// Returns the next kind that an inventor considers once all components under consideration have a device of this
    /// kind.
    pub fn next_order(self) -> Option<Self> {
        match self {
            Self::Machine => Some(Self::Factory),
            Self::Factory => Some(Self::Industry),
            Self::DevMachine => Some(Self::DevFactory),
            Self::Tool | Self::Industry | Self::DevFactory => None,
        }
    }
}

/// The devices that a society can invent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Devices {
    /// No devices.
    #[default]
    None,
    /// Tools.
    Tools,
    /// Tools, machines, factories and industries.
    Extracting,
    /// All six kinds, including the two that speed up assembly.
    All,
}

impl Devices {
    /// Yields the kinds that the society can invent, in the given order.
    pub fn by(self, order: [Kind; KINDS]) -> impl Iterator<Item = Kind> {
        order.into_iter().filter(move |&kind| self.contain(kind))
    }

    /// Whether the society can invent a kind.
    pub fn contain(self, kind: Kind) -> bool {
        match self {
            Self::None => false,
            Self::Tools => kind == Kind::Tool,
            Self::Extracting => kind.assembles().is_none(),
            Self::All => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_precede_their_devices_in_production() {
        let place = |order: [Kind; KINDS], kind| order.iter().position(|&other| other == kind).unwrap();
        for kind in Kind::BY_PRODUCTION {
            if let Some(component) = kind.made_of() {
                assert!(place(Kind::BY_PRODUCTION, component) < place(Kind::BY_PRODUCTION, kind));
                assert!(place(Kind::BY_MARKET, component) > place(Kind::BY_MARKET, kind));
            }
        }
        assert_eq!(Kind::Machine.assembled_with(), Some(Kind::DevFactory));
        assert_eq!(Kind::Factory.assembled_with(), None);
    }
}
