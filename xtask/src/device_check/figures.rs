//! Figures of `docs/src/performance.md` that a machine with one GPU produces within minutes. Those of the metropolis
//! and the country are omitted: generating either takes longer than all of these together.

use super::cases::{BERLIN, settings};

/// A set of related measurements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) name: &'static str,
    /// Number of repetitions; the page gives medians.
    pub(super) repeat: u32,
    /// Arguments of `throng`. `{device}` stands for each device in turn, `{out}` for the folder of figures, `{data}`
    /// for the reference data, `{berlin}` for the settings of its Berlin scenario.
    pub(super) arguments: &'static str,
    /// Whether the CPU is also measured, with all its threads.
    pub(super) on_cpu: bool,
}

pub(super) static FIGURES: [Figures; 10] = [
    Figures {
        name: "generation of the city",
        repeat: 1,
        arguments: "generate city --tier city --cache-only --out {out}/city",
        on_cpu: false,
    },
    Figures {
        name: "city, no events",
        repeat: 5,
        arguments: "run {out}/city --device {device} --timing --set controller.writeEventsInterval=0 \
                    --set throng.analysis=false --overwrite --out {out}/run",
        on_cpu: true,
    },
    Figures {
        name: "city, link volumes",
        repeat: 1,
        arguments: "run {out}/city --device {device} --timing --set controller.writeEventsInterval=0 \
                    --set throng.analysis=false --link-volumes --overwrite --out {out}/run",
        on_cpu: false,
    },
    Figures {
        name: "city, events as gz",
        repeat: 3,
        arguments: "run {out}/city --device {device} --timing --set throng.eventsParquet=false \
                    --set throng.analysis=false --overwrite --out {out}/run",
        on_cpu: false,
    },
    Figures {
        name: "Berlin, all outputs",
        repeat: 3,
        arguments: "run --network {data}/berlin_1pct_10s/network.xml.gz \
                    --plans {data}/berlin_1pct_10s/plans_hwh_1pct.xml.gz --device {device} --timing {berlin} \
                    --overwrite --out {out}/run",
        on_cpu: true,
    },
    Figures {
        name: "elmir",
        repeat: 1,
        arguments: "reproduce elmir --device {device} --most-naive-pairs 0 --beyond --overwrite --out {out}/elmir",
        on_cpu: false,
    },
    Figures {
        name: "vigueras",
        repeat: 1,
        arguments: "reproduce vigueras --device {device} --overwrite --out {out}/vigueras",
        on_cpu: false,
    },
    Figures {
        name: "yu",
        repeat: 1,
        arguments: "reproduce yu --device {device} --sizes 100,400,700,1000 --densities 0.1,0.5,0.9 --ticks 200 \
                    --seconds 0.1 --overwrite --out {out}/yu",
        on_cpu: false,
    },
    Figures {
        name: "kloosterman",
        repeat: 1,
        arguments: "reproduce kloosterman --device {device} --longest 10 --overwrite --out {out}/kloosterman",
        on_cpu: false,
    },
    Figures {
        name: "strippgen",
        repeat: 1,
        arguments: "reproduce strippgen {out}/city --device {device} --overwrite --out {out}/strippgen",
        on_cpu: false,
    },
];

impl Figures {
    /// Returns the arguments of one run on a device.
    pub(super) fn on(&self, device: &str, out: &str, data: &str) -> Vec<String> {
        let filled = |word: &str| word.replace("{device}", device).replace("{out}", out).replace("{data}", data);
        let mut arguments: Vec<String> = Vec::new();
        for word in self.arguments.split_whitespace() {
            match word {
                "{berlin}" => arguments.extend(settings(&BERLIN)),
                word => arguments.push(filled(word)),
            }
        }
        if device == "cpu" {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            arguments.extend(["--threads".to_owned(), threads.to_string()]);
        }
        arguments
    }

    /// Returns the devices of the runs; a command without a device runs once.
    pub(super) fn devices<'a>(&self, devices: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        if !self.arguments.contains("{device}") {
            return vec![""];
        }
        self.on_cpu.then_some("cpu").into_iter().chain(devices).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_filled_in() {
        let volumes = &FIGURES[2];
        let expected = "run /o/city --device cuda:0 --timing --set controller.writeEventsInterval=0 \
                        --set throng.analysis=false --link-volumes --overwrite --out /o/run";
        assert_eq!(volumes.on("cuda:0", "/o", "/d").join(" "), expected);
        assert_eq!(volumes.devices(["cuda:0"].into_iter()), ["cuda:0"]);
        assert_eq!(FIGURES[1].devices(["cuda:0"].into_iter()), ["cpu", "cuda:0"]);
        let berlin = FIGURES[4].on("cpu", "/o", "/d").join(" ");
        let part = "--timing --set facilities.facilitiesSource=onePerActivityLinkInPlansFile --set throng.node";
        assert!(berlin.contains(part) && !berlin.contains('{'), "{berlin}");
        assert_eq!(FIGURES[0].devices(["cuda:0", "vulkan:0"].into_iter()), [""]);
        assert_eq!(FIGURES[1].on("cpu", "/o", "/d").iter().filter(|word| *word == "--threads").count(), 1);
    }
}
