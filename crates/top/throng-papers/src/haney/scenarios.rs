//! The scenarios, which differ in the agents' abilities.

use throng_economy::{Devices, Parameters};

use super::deviations::{Deviation, MODEL, compared};
use super::published::{self, Published};
use crate::experiment::listed;

listed! {
    /// A set of abilities of agents.
    Scenario {
        /// No trade and no devices.
        Alone = "alone";
        /// Trade without devices.
        Trade = "trade";
        /// Trade and tools.
        Tools = "tools";
        /// Trade, tools, machines, factories and industries.
        Extracting = "extracting";
    }
}

impl Scenario {
    /// The abilities of agents, for table headings.
    pub fn about(self) -> &'static str {
        match self {
            Self::Alone => "no trade and no devices",
            Self::Trade => "barter, no devices",
            Self::Tools => "barter and tools",
            Self::Extracting => "barter, tools, machines, factories and industries",
        }
    }

    /// Parameters of the authors' standard run, with 24 agents and 24 resources.
    pub fn parameters(self) -> Parameters {
        let devices = match self {
            Self::Alone | Self::Trade => Devices::None,
            Self::Tools => Devices::Tools,
            Self::Extracting => Devices::Extracting,
        };
        Parameters { agents: 24, resources: 24, trade: self != Self::Alone, devices, ..Parameters::default() }
    }

    /// The figures of the published program.
    pub fn published(self) -> &'static [Published] {
        match self {
            Self::Alone => &published::ALONE,
            Self::Trade => &published::TRADE,
            Self::Tools => &published::TOOLS,
            Self::Extracting => &published::EXTRACTING,
        }
    }

    /// The compared rules. All deviations concern trade or devices, so agents that have neither always follow the
    /// model.
    pub fn compared(self) -> Vec<Deviation> {
        if self == Self::Alone { vec![MODEL] } else { compared().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_have_no_effect_without_trade_and_devices() {
        use throng_economy::Society;
        use throng_economy::society::Deviations;

        let mut societies = [Deviations::NONE, Deviations::ALL].map(|deviations| {
            let parameters = Parameters { agents: 4, resources: 6, ..Scenario::Alone.parameters() };
            let mut society = Society::new(&parameters, 3).unwrap();
            society.deviations = deviations;
            society
        });
        for society in &mut societies {
            (0..20).for_each(|_| society.day());
        }
        assert_eq!(societies[0].agents, societies[1].agents);
    }
}
