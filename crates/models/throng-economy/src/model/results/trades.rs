//! The list of all trades of resources.

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::TRADES;
use crate::devices::{Devices, Kind};
use crate::society::Society;

const COLUMNS: [&str; 11] = [
    "day",
    "trade",
    "market",
    "phase",
    "round",
    "agent",
    "other",
    "resource_given",
    "units_given",
    "resource_received",
    "units_received",
];

/// The list of trades while it is written.
pub struct TradeList {
    table: TextFile,
    phases: Vec<String>,
}

impl TradeList {
    pub fn create(folder: &RunFolder, devices: Devices) -> Result<Self, Failure> {
        let mut table = TextFile::create(folder, TRADES, Codec::None)?;
        push_header(table.text(), &COLUMNS);
        Ok(Self { table, phases: phases(devices) })
    }

    pub fn write(&mut self, day: u64, society: &Society) -> Result<(), Failure> {
        for (number, trade) in (1..).zip(&society.today.trades) {
            let ([agent, other], [given, received]) = (trade.agents, trade.lot.resources);
            let phase = self.phases.get(trade.at.market as usize).map_or("", String::as_str);
            let mut row = Row::new(self.table.text());
            row.integer(day as i64).integer(number).integer(i64::from(trade.at.market) + 1).text(phase);
            row.integer(i64::from(trade.at.round) + 1).integer(agent as i64).integer(other as i64);
            row.integer(given as i64).integer(trade.lot.given.into());
            row.integer(received as i64).integer(trade.lot.received.into()).end();
        }
        Ok(self.table.flush_full()?)
    }

    pub fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.table.finish()?)
    }
}

/// Returns when each market of resources of a day takes place, in the order of [`Society::day`].
fn phases(devices: Devices) -> Vec<String> {
    let of_devices = devices.by(Kind::BY_MARKET).map(|kind| format!("after {}", kind.plural()));
    let start = (devices != Devices::None).then(|| "start".to_owned());
    let around_extraction = ["before extraction", "after extraction"].map(str::to_owned);
    start.into_iter().chain(of_devices).chain(around_extraction).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;

    #[test]
    fn each_market_of_a_day_has_a_phase() {
        assert_eq!(phases(Devices::None), ["before extraction", "after extraction"]);
        let expected = ["start", "after industries", "after factories", "after machines", "after tools"];
        assert_eq!(phases(Devices::Extracting)[..5], expected);
        for devices in [Devices::None, Devices::Tools, Devices::Extracting, Devices::All] {
            let mut society = Society::of(&Parameters { devices, ..Parameters::default() }, 1);
            let mut last_market = 0;
            for _ in 0..40 {
                society.day();
                last_market = society.today.trades.last().map_or(0, |trade| trade.at.market).max(last_market);
            }
            assert_eq!(last_market as usize + 1, phases(devices).len(), "{devices:?}");
        }
    }
}
