//! Walks between activities and the links on which legs of network modes begin and end.

use rustc_hash::FxHashMap;
use throng_core::{InputError, NONE, Problems};

use super::modes::{self, ModeRules};
use super::places::Place;
use super::teleport::{at_speed, routed_coordinate};
use crate::formats::network::{ACCESS_TIME, EGRESS_TIME, LinkAttribute};
use crate::formats::value::quoted;
use throng_traffic_scenario::settings::{AccessEgress, Settings, TeleportedSpeed};
use throng_traffic_scenario::{ModeId, ModeTable, Network, ValidRange};

/// Durations that links give in their attributes `accesstime_MODE` and `egresstime_MODE`, in seconds.
#[derive(Debug, Clone, Default)]
pub struct LinkTimes {
    by_name: FxHashMap<String, FxHashMap<u32, f64>>,
}

impl LinkTimes {
    /// Parses the attributes of links, if the settings use them.
    ///
    /// # Errors
    /// If a value is no duration.
    pub(super) fn parse(
        attributes: &[LinkAttribute],
        settings: &Settings,
        network: &Network,
    ) -> Result<Self, InputError> {
        let mut times = Self::default();
        if !uses_link_times(settings.routing.access_egress) {
            return Ok(times);
        }
        let mut problems = Problems::new();
        for LinkAttribute { link, name, value } in attributes {
            if !name.starts_with(ACCESS_TIME) && !name.starts_with(EGRESS_TIME) {
                continue;
            }
            let time = value.trim().parse().ok().filter(|&time| ValidRange::NotNegativeFinite.holds(time));
            if let Some(time) = time {
                times.by_name.entry(name.clone()).or_default().insert(*link, time);
            } else {
                let place = format!("link {}", quoted(network.link_ids.name(*link)));
                problems.push(place, format!("{name} is {}", quoted(value)), "Give seconds, 0 or more.");
            }
        }
        problems.into_result().map(|()| times)
    }
}

fn uses_link_times(kind: AccessEgress) -> bool {
    matches!(kind, AccessEgress::ConstantTimeToLink | AccessEgress::ModeToLinkPlusConstantTime)
}

/// End of a leg on the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The walk precedes the leg.
    Access,
    /// The walk follows the leg.
    Egress,
}

/// A walk between an activity and a point of its link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Walk {
    /// Mode of the walk.
    pub(super) mode: ModeId,
    /// The point of the link that is nearest to the activity.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) time_s: f64,
    pub(super) distance_m: f64,
}

/// Reason why a walk cannot be computed, with the remedy.
type Fault = (String, String);

/// Computes walks.
#[derive(Debug)]
pub(super) struct AccessWalks {
    kind: AccessEgress,
    walk: ModeId,
    /// The walk to and from a link on which persons walk.
    off_network: ModeId,
    times: LinkTimes,
}

impl AccessWalks {
    /// # Errors
    /// If there are too many modes.
    pub(super) fn new(settings: &Settings, modes: &mut ModeTable, times: LinkTimes) -> Result<Self, InputError> {
        let kind = settings.routing.access_egress;
        let mut mode = |name: &str| match kind {
            AccessEgress::None => Ok(ModeId::NONE),
            _ => modes::intern(modes, name, "routing.accessEgressType"),
        };
        Ok(Self { kind, walk: mode("walk")?, off_network: mode("non_network_walk")?, times })
    }

    /// Returns the walk between the activity at `place` and `link`, at one side of a leg of `mode`. There is none if
    /// the mode is not routed on the network, or the activity has no coordinate.
    pub(super) fn at(
        &self,
        side: Side,
        mode: ModeId,
        (place, link): (Place, u32),
        (settings, rules, modes, network): (&Settings, &ModeRules, &ModeTable, &Network),
    ) -> Result<Option<Walk>, Fault> {
        if self.kind == AccessEgress::None || !rules.is_routed(mode) || link == NONE {
            return Ok(None);
        }
        let Some(from) = routed_coordinate(place) else { return Ok(None) };
        let walk = if mode == self.walk { self.off_network } else { self.walk };
        let name = modes.name(walk);
        if rules.is_routed(walk) {
            let message = format!("walks to links would follow the network, because {name} is a network mode");
            let remedy = "Remove it from routing.networkModes and qsim.mainMode, or set routing.accessEgressType=none.";
            return Err((message, remedy.to_owned()));
        }
        let rule = rules.teleported(walk, settings);
        let Some((rule, TeleportedSpeed::MetresPerSecond(speed_mps))) = rule.map(|rule| (rule, rule.speed)) else {
            let remedy = format!(
                "Define teleportedModeSpeed for {name} in routing.teleportedModeParameters, or set \
                 routing.accessEgressType=none."
            );
            return Err((format!("the speed of walks to links, {name}, is not known"), remedy));
        };
        let (x, y) = nearest_point(network, link, from);
        let (walked_s, distance_m) = at_speed([from, (x, y)], speed_mps, rule.beeline_distance_factor);
        let time_s = match self.kind {
            AccessEgress::None | AccessEgress::ModeToLink => walked_s,
            AccessEgress::ConstantTimeToLink => self.time_of(side, link, (mode, modes), network)?,
            AccessEgress::ModeToLinkPlusConstantTime => walked_s + self.time_of(side, link, (mode, modes), network)?,
        };
        Ok(Some(Walk { mode: walk, x, y, time_s, distance_m }))
    }

    /// Returns the duration that a link gives.
    fn time_of(
        &self,
        side: Side,
        link: u32,
        (mode, modes): (ModeId, &ModeTable),
        network: &Network,
    ) -> Result<f64, Fault> {
        let stem = if side == Side::Access { ACCESS_TIME } else { EGRESS_TIME };
        let name = format!("{stem}{}", modes.name(mode));
        let time = self.times.by_name.get(&name).and_then(|times| times.get(&link));
        time.copied().ok_or_else(|| {
            let message = format!("link {} has no attribute {name}", quoted(network.link_ids.name(link)));
            let remedy = "Give it the seconds between activities and vehicles, or set \
                routing.accessEgressType=accessEgressModeToLink.";
            (message, remedy.to_owned())
        })
    }
}

/// Returns the point of a link, which is straight, that is nearest to a coordinate.
fn nearest_point(network: &Network, link: u32, (x, y): (f64, f64)) -> (f64, f64) {
    let end = |of: &[u32]| {
        let node = of[link as usize] as usize;
        (network.node_x[node], network.node_y[node])
    };
    let ((ax, ay), (bx, by)) = (end(&network.from), end(&network.to));
    let (dx, dy) = (bx - ax, by - ay);
    let fraction = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
    // Not a number if the nodes are in the same place.
    if fraction >= 1.0 {
        (bx, by)
    } else if fraction > 0.0 {
        (ax + fraction * dx, ay + fraction * dy)
    } else {
        (ax, ay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    fn network() -> Network {
        let builder = NetworkBuilder::new().node("a", 0.0, 0.0).node("b", 300.0, 400.0).node("c", 300.0, 400.0);
        let builder = builder.link("ab", "a", "b", 500.0, 10.0, 1.0, 1.0);
        builder.link("bc", "b", "c", 1.0, 10.0, 1.0, 1.0).build().unwrap()
    }

    #[test]
    fn the_nearest_point_is_on_the_link() {
        let network = network();
        let (x, y) = nearest_point(&network, 0, (190.0, 70.0));
        assert!((x - 102.0).abs() < 1e-9 && (y - 136.0).abs() < 1e-9, "{x} {y}");
        assert_eq!(nearest_point(&network, 0, (-5.0, -1.0)), (0.0, 0.0));
        assert_eq!(nearest_point(&network, 0, (300.0, 900.0)), (300.0, 400.0));
        assert_eq!(nearest_point(&network, 1, (1.0, 2.0)), (300.0, 400.0));
    }

    fn walk(kind: AccessEgress, times: &[(&str, &str)], change: impl Fn(&mut Settings)) -> Result<Option<Walk>, Fault> {
        let (network, mut settings, mut modes) = (network(), Settings::default(), ModeTable::default());
        settings.routing.access_egress = kind;
        change(&mut settings);
        let attribute = |(name, value): &(&str, &str)| LinkAttribute {
            link: 0,
            name: (*name).to_owned(),
            value: (*value).to_owned(),
        };
        let attributes: Vec<LinkAttribute> = times.iter().map(attribute).collect();
        let times = LinkTimes::parse(&attributes, &settings, &network).map_err(|e| (e.to_string(), String::new()))?;
        let rules = ModeRules::new(&settings, &mut modes).unwrap();
        let walks = AccessWalks::new(&settings, &mut modes, times).unwrap();
        let car = modes.get("car").unwrap();
        let place = Place { routed_x: 190.0, routed_y: 70.0, ..Place::NOWHERE };
        walks.at(Side::Egress, car, (place, 0), (&settings, &rules, &modes, &network))
    }

    #[test]
    fn the_duration_comes_from_the_distance_or_the_link() {
        use AccessEgress::{ConstantTimeToLink, ModeToLink, ModeToLinkPlusConstantTime, None as NoWalks};
        // 110 m to the link, times 1.3, at 3 km/h.
        let time = |kind, times: &[_]| walk(kind, times, |_| {}).map(|walk| walk.map(|walk| walk.time_s));
        assert_eq!(time(NoWalks, &[]), Ok(None));
        assert_eq!(time(ModeToLink, &[]), Ok(Some(171.0)));
        let given = [("egresstime_car", "75.5"), ("accesstime_car", "1")];
        assert_eq!(time(ConstantTimeToLink, &given), Ok(Some(75.5)));
        assert_eq!(time(ModeToLinkPlusConstantTime, &given), Ok(Some(246.5)));
        let (message, _) = time(ConstantTimeToLink, &given[1..]).unwrap_err();
        assert_eq!(message, "link \"ab\" has no attribute egresstime_car");
        let (message, _) = time(ConstantTimeToLink, &[("egresstime_car", "-1")]).unwrap_err();
        assert!(message.contains("link \"ab\": egresstime_car is \"-1\""), "{message}");
    }

    #[test]
    fn walks_need_a_speed() {
        let without = walk(AccessEgress::ModeToLink, &[], |settings| settings.routing.teleported_modes.clear());
        assert_eq!(without.unwrap_err().0, "the speed of walks to links, walk, is not known");
        let routed = walk(AccessEgress::ModeToLink, &[], |settings| settings.routing.network_modes.push("walk".into()));
        assert!(routed.unwrap_err().0.contains("walk is a network mode"));
    }
}
