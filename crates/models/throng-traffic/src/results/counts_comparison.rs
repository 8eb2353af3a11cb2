//! Compares the volumes of a day with traffic counts.

use throng_matsim::compare::{CLOSE_GEH, geh};
use throng_matsim::formats::counts::CountStation;
use throng_output::{OutputError, RunFolder, WrittenFile};

use super::analysis::HourlyVolumes;
use super::iteration_files::path;
use throng_traffic_scenario::Scenario;

/// A counted volume of an hour, or a sum of them, with the simulated volume.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Compared {
    /// Simulated vehicles, multiplied by `counts.countsScaleFactor`.
    pub simulated: f64,
    /// Counted vehicles.
    pub counted: f64,
}

impl Compared {
    /// Returns the signed error as a fraction of the count, at most 1000, as in MATSim: also where nothing was counted.
    pub fn relative_error(self) -> f64 {
        if self.counted > 0.0 {
            ((self.simulated - self.counted) / self.counted).min(1000.0)
        } else if self.simulated > 0.0 {
            1000.0
        } else {
            0.0
        }
    }

    /// Returns the absolute error as a fraction of the larger of the two volumes.
    pub fn normalized_error(self) -> f64 {
        let larger = self.simulated.max(self.counted);
        if larger == 0.0 { 0.0 } else { (self.simulated - self.counted).abs() / larger }
    }

    /// Returns the GEH statistic; 0 if both volumes are 0.
    pub fn geh(self) -> f64 {
        geh([self.simulated, self.counted])
    }

    /// Returns the sum of volumes.
    pub fn sum(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::default(), |a, b| Self { simulated: a.simulated + b.simulated, counted: a.counted + b.counted })
    }
}

/// Counted and simulated volumes by station and hour.
#[derive(Debug)]
pub struct CountsComparison {
    /// Stations sorted by the id of their link, with their hours from 1 to 24.
    pub stations: Vec<(CountStation, Vec<(u8, Compared)>)>,
}

/// The comparison in a few numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CountsSummary {
    /// Number of stations.
    pub stations: u64,
    /// Number of hours of all stations.
    pub values: u64,
    /// Number of hours with GEH below 5.
    pub close: u64,
    /// Sum of all counts.
    pub counted: f64,
    /// Sum of the simulated volumes of the same hours.
    pub simulated: f64,
}

impl CountsComparison {
    /// Compares all counts with the volumes of the same hours.
    pub fn of(scenario: &Scenario, counts: &[CountStation], volumes: &HourlyVolumes) -> Self {
        let factor = scenario.settings.counts.scale_factor;
        let compare = |station: &CountStation| {
            let simulated = volumes.of_link(station.link);
            let of_hour = |(&hour, &counted): (&u8, &f64)| {
                let simulated = f64::from(simulated[usize::from(hour) - 1]) * factor;
                (hour, Compared { simulated, counted })
            };
            (station.clone(), station.volumes.iter().map(of_hour).collect())
        };
        let mut stations: Vec<_> = counts.iter().map(compare).collect();
        stations.sort_by_key(|(station, _)| scenario.network.link_ids.name(station.link));
        Self { stations }
    }

    /// Iterates over all values.
    pub fn values(&self) -> impl Iterator<Item = (u8, Compared)> {
        self.stations.iter().flat_map(|(_, values)| values.iter().copied())
    }

    /// Returns the comparison in a few numbers.
    pub fn summary(&self) -> CountsSummary {
        let Compared { simulated, counted } = Compared::sum(self.values().map(|(_, value)| value));
        CountsSummary {
            stations: self.stations.len() as u64,
            values: self.values().count() as u64,
            close: self.values().filter(|(_, value)| value.geh() < CLOSE_GEH).count() as u64,
            counted,
            simulated,
        }
    }

    /// Writes `countscompare.txt` with the columns and the rounding of MATSim; with `throng.iterationFiles` also at
    /// MATSim's path.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn write(&self, scenario: &Scenario, folder: &RunFolder) -> Result<Vec<WrittenFile>, OutputError> {
        const NAME: &str = "countscompare.txt";
        let mut text = String::from(
            "Link Id\tCount Station Id\tHour\tMATSIM volumes\tCount volumes\tRelative Error\tNormalized Relative Error\tGEH\n",
        );
        for (station, values) in &self.stations {
            for (hour, value) in values {
                let numbers =
                    [value.simulated, value.counted, value.relative_error(), value.normalized_error(), value.geh()];
                let link = scenario.network.link_ids.name(station.link);
                let fields = [link, &station.name, &hour.to_string()].map(str::to_owned);
                let line: Vec<String> = fields.into_iter().chain(numbers.map(three_decimals)).collect();
                text.push_str(&line.join("\t"));
                text.push('\n');
            }
        }
        let mut files = vec![folder.write(NAME, text.as_bytes())?];
        if scenario.settings.extensions.iteration_files {
            files.push(folder.write(&path(&scenario.settings, NAME), text.as_bytes())?);
        }
        Ok(files)
    }
}

/// Formats a number with at most three decimals.
fn three_decimals(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_follow_their_definitions() {
        let of = |simulated, counted| {
            let value = Compared { simulated, counted };
            [value.relative_error(), value.normalized_error(), value.geh()]
        };
        assert_eq!(of(150.0, 100.0), [0.5, 1.0 / 3.0, 20.0f64.sqrt()]);
        assert_eq!(of(50.0, 100.0)[..2], [-0.5, 0.5]);
        assert_eq!(of(0.0, 0.0), [0.0; 3]);
        assert_eq!(of(8.0, 0.0), [1000.0, 1.0, 4.0]);
        assert_eq!(of(1e6, 1.0)[0], 1000.0);
        assert_eq!(
            [0.0, 12.0, 0.5, -1.0 / 3.0, 1000.0, -0.0001].map(three_decimals),
            ["0", "12", "0.5", "-0.333", "1000", "0"]
        );
    }
}
