"""Opens every file of a traffic run as modellers do, and checks that the files agree with each other.

Prints figures of the day as JSON.
"""

import functools
import json
import pathlib
import sys

import geopandas
import matsim
import numpy
import pandas
import yaml
from pandas.testing import assert_series_equal

run = pathlib.Path(sys.argv[1])
BIN_S = 900
# Ids are texts, even if all of them look like numbers.
IDS = ["person", "link", "start_link", "end_link", "stop", "line", "vehicle", "vehicle_id", "link_id", "Link Id", "LINK"]


def table(name, sep=";"):
    return pandas.read_csv(run / name, sep=sep, dtype=dict.fromkeys(IDS, "str"))


def seconds(times):
    return pandas.to_timedelta(times).dt.total_seconds()


def same(left, right, **options):
    """Compares two series by their indices, whatever their names, types and order."""
    left, right = left.sort_index(), right.sort_index()
    assert_series_equal(left, right, check_names=False, check_dtype=False, check_index_type=False, **options)


# Network and map.
network = matsim.read_network(run / "output_network.xml.gz")
links = network.links.set_index("link_id")
assert network.network_attrs["coordinateReferenceSystem"] == "EPSG:25832"
geo_links = network.as_geo().set_index("link_id")
assert geo_links.crs.to_epsg() == 25832
drawn = geopandas.read_file(run / "output_links.geojson").set_index("link")
assert drawn.crs.to_epsg() == 4326 and (drawn.id == drawn.index).all() and (drawn.geom_type == "LineString").all()
expected = geo_links.geometry.to_crs(4326)[drawn.index]
assert len(drawn) == len(links) and drawn.geometry.geom_equals_exact(expected, 2e-7).all()
same(drawn.length_m, links.length)
same(drawn.capacity_per_hour, links.capacity)
same(drawn.lanes, links.permlanes)
same(drawn.modes, links.modes)
same(drawn.freespeed_kmh, links.freespeed * 3.6, rtol=0, atol=0.005)

# Events.
events = pandas.DataFrame(matsim.event_reader(run / "output_events.xml.gz"))
assert events.time.is_monotonic_increasing
columnar = pandas.read_parquet(run / "output_events.parquet")
# One column has the attributes of a kind, whose names in XML depend on the type of the event.
merged = {
    "person": ["person", "driverId"],
    "vehicle": ["vehicle", "vehicleId"],
    "legMode": ["legMode", "networkMode", "mode"],
    "stop": ["atStop", "facility"],
    "link": ["link"],
    "actType": ["actType"],
    "distance": ["distance"],
    "delay": ["delay"],
}
for column, attributes in merged.items():
    in_xml = functools.reduce(pandas.Series.fillna, [events[attribute] for attribute in attributes])
    same(columnar[column], in_xml.astype(columnar[column].dtype))
same(columnar.time, events.time)
same(columnar.type, events.type)
of = dict(list(events.groupby("type")))
drivers, transit_vehicles = set(of["TransitDriverStarts"].driverId), set(of["TransitDriverStarts"].vehicleId)
departures = of["departure"][~of["departure"].person.isin(drivers)]
arrivals = of["arrival"][~of["arrival"].person.isin(drivers)]
assert set(events.link.dropna()) <= set(links.index)

# Vehicles.
vehicles = {}
for name in ["output_vehicles", "output_transitVehicles"]:
    read = matsim.vehicle_reader(run / f"{name}.xml.gz", convert_dataframes_types=False)
    assert set(read.vehicles.type) <= set(read.vehicle_types.id)
    vehicles[name] = set(read.vehicles.id)
assert vehicles["output_transitVehicles"] == transit_vehicles
driving = set(of["vehicle enters traffic"].vehicle)
assert transit_vehicles <= driving and driving - transit_vehicles <= vehicles["output_vehicles"]

# Plans.
plans = matsim.plan_reader_dataframe(run / "output_plans.xml.gz", selected_plans_only=True)
plans.legs = plans.legs.merge(plans.plans, left_on="plan_id", right_on="id", suffixes=("", "_of_plan"))
assert len(plans.routes) == len(plans.legs) and set(plans.activities.link) <= set(links.index)
drives, planned_trips = [], []
for person, plan in matsim.plan_reader(run / "output_plans.xml.gz", selected_plans_only=True):
    number, modes = 0, []
    for element in plan:
        if element.tag == "leg":
            modes.append(element.get("mode"))
            route = element.find("route")
            assert route.get("type") in {"links", "generic", "default_pt"}
            assert route.get("trav_time") == element.get("trav_time")
            if route.get("type") == "links":
                drives.append((person.get("id"), number, route.text.split()[1:]))
            elif route.get("type") == "default_pt":
                assert json.loads(route.text)["accessFacilityId"]
            number += 1
        elif element.tag == "activity" and modes and not element.get("type").endswith("interaction"):
            # No trip has two modes besides walks.
            planned_trips.append(next((mode for mode in modes if mode != "walk"), "walk"))
            modes = []
# Each person makes the first legs of the plan, in order.
made = departures.groupby("person").legMode.agg(list)
wanted = plans.legs.groupby("person_id")["mode"].agg(list)
assert all(wanted[person][: len(modes)] == modes for person, modes in made.items())
begun = departures.groupby("person").size()
finished = arrivals.groupby("person").size()
own_car = of["entered link"][~of["entered link"].vehicle.isin(transit_vehicles)]
entered = own_car.groupby("vehicle").link.agg(list)
driver_of = of["PersonEntersVehicle"].drop_duplicates("vehicle").set_index("vehicle").person
for vehicle, path in entered.items():
    person = driver_of[vehicle]
    all_links = [link for who, leg, route in drives if who == person and leg < begun[person] for link in route]
    assert path == all_links[: len(path)] and (begun[person] > finished.get(person, 0) or path == all_links)

# Persons and activities.
persons = table("output_persons.csv.gz").set_index("person")
first = plans.activities.groupby("plan_id").first()
first.index = plans.plans.set_index("id").person_id[first.index]
assert persons.index.to_list() == plans.persons.id.to_list() == first.index.to_list()
same(persons.first_act_type, first.type)
for axis in ["x", "y"]:
    same(persons[f"first_act_{axis}"], first[axis].astype(float))
activities = table("output_activities.csv.gz")
stays = {kind: of[kind][~of[kind].actType.str.endswith("interaction")] for kind in ["actstart", "actend"]}
for column, kind in [("start_time", "actstart"), ("end_time", "actend")]:
    rows, of_kind = activities.dropna(subset=column), stays[kind]
    same(rows.groupby("activity_type").size(), of_kind.groupby("actType").size())
    same(rows.set_index(["person", column]).link_id, of_kind.set_index(["person", "time"]).link)
experienced = matsim.plan_reader_dataframe(run / "output_experienced_plans.xml.gz")
same(experienced.legs.groupby("mode").size(), arrivals.groupby("legMode").size())
assert (experienced.routes.type == "default_pt").sum() == (arrivals.legMode == "pt").sum()

# Trips and legs.
trips, legs = table("output_trips.csv.gz"), table("output_legs.csv.gz")
for rows, times in [(trips, table("trip_times.csv.gz")), (legs, table("leg_times.csv.gz"))]:
    assert (rows.trip_id == times.trip_id).all() and (rows.person == times.person).all()
    for column in ["dep_time", "trav_time", "wait_time"]:
        same(seconds(rows[column]), times[column + "_s"])
    for end in ["start", "end"]:
        assert set(rows[end + "_link"]) <= set(links.index)
        assert rows[[end + "_x", end + "_y"]].notna().all(axis=None)
all_legs = arrivals.groupby("legMode").size()
# Legs of trips that were not finished are not in the table.
assert (legs["mode"].value_counts().sort_index() <= all_legs.sort_index()).all()
of_trip = legs.groupby("trip_id")
assert set(legs.trip_id) == set(trips.trip_id) and not trips.trip_id.duplicated().any()
trips = trips.set_index("trip_id")
same(of_trip["mode"].agg("-".join), trips.modes)
same(of_trip.dep_time.first(), trips.dep_time)
assert ((of_trip.distance.sum() - trips.traveled_distance).abs() <= of_trip.size()).all()
first_leg, last_leg = of_trip.first(), of_trip.last()
same(first_leg.start_link, trips.start_link)
same(last_leg.end_link, trips.end_link)
end_s = seconds(last_leg.dep_time) + seconds(last_leg.trav_time)
same(end_s, seconds(trips.dep_time) + seconds(trips.trav_time), rtol=0, atol=1.0)
positions = geopandas.points_from_xy(trips.start_x, trips.start_y)
distances = positions.distance(geopandas.points_from_xy(trips.end_x, trips.end_y))
assert (numpy.floor(distances) - trips.euclidean_distance).abs().max() <= 1
leg_times = table("leg_times.csv.gz")
leg_times["number"] = leg_times.groupby("person").cumcount()
begins = departures.assign(number=departures.groupby("person").cumcount()).set_index(["person", "number"])
ends = arrivals.assign(number=arrivals.groupby("person").cumcount()).set_index(["person", "number"])
leg_times = leg_times.set_index(["person", "number"])
same(numpy.floor(begins.time[leg_times.index]), leg_times.dep_time_s)
same(numpy.floor(ends.time[leg_times.index] - begins.time[leg_times.index]), leg_times.trav_time_s)
same(begins.legMode[leg_times.index], leg_times["mode"])

# Statistics by mode.
shares = table("modestats.csv").drop(columns="iteration").iloc[-1]
same(shares, pandas.Series(planned_trips).value_counts(normalize=True))
assert abs(shares.sum() - 1) < 1e-12
# Kilometres, means and hours are those of finished legs.
kilometres = table("pkm_modestats.csv").drop(columns="Iteration").iloc[-1]
metres = sum(links.length[list(route)].sum() for person, leg, route in drives if leg < finished.get(person, 0))
assert abs(kilometres.car - metres / 1000) <= 0.5
of_trips = table("traveldistancestats.csv").iloc[-1]["avg. Average Trip distance"]
assert abs(of_trips - trips.traveled_distance.mean()) < 1
hours = table("ph_modestats.csv").iloc[-1]
travel_s = (ends.time - begins.time).groupby(begins.legMode).sum()
for mode, time_s in travel_s.items():
    assert abs(hours[mode + "_travel"] + hours[mode + "_wait"] - time_s / 3600) <= 1, (mode, time_s)

# Links.
left = of["left link"]
volumes = left.groupby([left.time // BIN_S * BIN_S, "link"]).size()
stats = table("link_stats.csv.gz")
same(seconds(stats.time_start), stats.time_start_s)
same(seconds(stats.time_end), stats.time_end_s)
stats = stats.set_index(["time_start_s", "link"])
same(stats.volume, volumes)
same(table("link_volumes.csv.gz").set_index(["time_start_s", "link"]).volume, volumes)
as_parquet = pandas.read_parquet(run / "link_stats.parquet").set_index(["time_start", "link"])
for column, tolerance in [("volume", 0), ("traversals", 0), ("mean_travel_time_s", 0.05), ("mean_speed_kmh", 0.005)]:
    same(stats[column], as_parquet[column], rtol=0, atol=tolerance + 1e-9)
# A traversal begins when its vehicle enters the link, unless it serves a stop there.
kinds = ["entered link", "left link", "vehicle enters traffic", "VehicleArrivesAtFacility"]
moves = events[events.type.isin(kinds)]
before = moves.groupby("vehicle")[["time", "type"]].shift()
moves = moves.assign(since=before.time, entry=before.type)
traversals = moves[(moves.type == "left link") & (moves.entry == "entered link")]
by_link = (traversals.time - traversals.since).groupby([traversals.time // BIN_S * BIN_S, traversals.link])
same(as_parquet.traversals[as_parquet.traversals > 0], by_link.size())
same(as_parquet.mean_travel_time_s.dropna(), by_link.mean())
# Vehicles drive links that they enter from another one, to a stop, the next link or the end of their trip.
ends = ["left link", "vehicle leaves traffic", "VehicleArrivesAtFacility"]
moves = events[events.type.isin(["entered link", "vehicle enters traffic", *ends])]
before = moves.groupby("vehicle")[["link", "type"]].shift()
driven = before.link[moves.type.isin(ends) & (before.type == "entered link")]
network_distance_m = links.length[driven].sum()
speed = links.length[as_parquet.index.get_level_values("link")].to_numpy() / as_parquet.mean_travel_time_s * 3.6
same(as_parquet.mean_speed_kmh.dropna(), speed.dropna())
total = volumes.groupby("link").sum()
same(drawn.volume[drawn.volume > 0], total)
same(drawn.peak_volume[drawn.volume > 0], volumes.groupby("link").max())
assert (drawn.volume > 0).equals(drawn.peak_time_s.notna())
hourly = table("ITERS/it.0/0.linkstats.txt.gz", sep="\t").set_index("LINK")
same(hourly["HRS0-24avg"][hourly["HRS0-24avg"] > 0], total)
for hour in range(24):
    in_hour = left[left.time // 3600 == hour].groupby("link").size()
    of_hour = hourly[f"HRS{hour}-{hour + 1}avg"]
    same(of_hour[of_hour > 0], in_hour)
same(hourly.LENGTH, links.length)

# Counts.
counts = table("countscompare.txt", sep="\t")
in_hours = left.groupby(["link", left.time // 3600 + 1]).size()
simulated = [in_hours.get((link, hour), 0) for link, hour in zip(counts["Link Id"], counts.Hour)]
assert counts["MATSIM volumes"].to_list() == simulated
counted = counts["Count volumes"]
geh = (2 * (counts["MATSIM volumes"] - counted) ** 2 / (counts["MATSIM volumes"] + counted)) ** 0.5
same(counts.GEH, geh.fillna(0), rtol=0, atol=0.0005)
stations = pandas.read_xml(run / "output_counts.xml.gz", xpath=".//count", parser="etree", dtype={"loc_id": "str"})
assert set(stations.loc_id) == set(counts["Link Id"]) and set(stations.cs_id) == set(counts["Count Station Id"])

# Public transport.
schedule, texts = run / "output_transitSchedule.xml.gz", {"id": "str", "linkRefId": "str"}
stops = pandas.read_xml(schedule, xpath=".//stopFacility", parser="etree", dtype=texts)
calls = table("stop_calls.csv.gz")
same(stops.set_index("id").linkRefId[calls.stop].reset_index(drop=True), calls.link)
same(seconds(calls.departure), calls.departure_s)
same((calls.departure_s - calls.planned_departure_s), calls.departure_delay_s, rtol=0, atol=1.0)
of_calls = calls.dropna(subset="departure_s").groupby(["vehicle", "stop"]).size()
departing = of["VehicleDepartsAtFacility"]
same(of_calls, departing.groupby(["vehicle", "facility"]).size())
boarding = of["PersonEntersVehicle"]
boarding = boarding[boarding.vehicle.isin(transit_vehicles) & ~boarding.person.isin(drivers)]
same(calls.groupby("vehicle").boarded.sum()[lambda boarded: boarded > 0], boarding.groupby("vehicle").size())
rides = legs[legs["mode"] == "pt"]
assert rides[["access_stop_id", "egress_stop_id", "transit_line", "transit_route"]].notna().all(axis=None)

# Departures, arrivals and stuck agents.
bins = table("leg_histogram.csv")
same(seconds(bins.time), bins.time_s)
for column, kind in [("departures", departures), ("arrivals", arrivals)]:
    sums = bins.groupby("mode")[column].sum()
    same(sums[sums > 0], kind.groupby("legMode").size())
histogram = table("ITERS/it.0/0.legHistogram.txt", sep="\t")
for mode in all_legs.index:
    assert histogram[f"departures_{mode}"].sum() == (departures.legMode == mode).sum()
table("ITERS/it.0/0.legdurations.txt", sep="\t")
stuck = table("stuck_agents.csv")
aborted = of["stuckAndAbort"]
assert sorted(stuck.person) == sorted(aborted.person) and (seconds(stuck.time) == stuck.time_s).all()

# Facilities.
facilities = matsim.facility_reader(run / "output_facilities.xml.gz").facilities
assert set(facilities.linkId) <= set(links.index) and facilities[["x", "y"]].notna().all(axis=None)

# The dashboard of SimWrapper. It finds a separator by itself.
dashboard = yaml.safe_load((run / "dashboard-1-throng.yaml").read_text())
panels = [panel for row in dashboard["layout"].values() for panel in row]
for panel in panels:
    if panel["type"] == "map":
        file = panel["shapes"]["file"]
        columns = geopandas.read_file(run / file).columns
        needed = {panel["shapes"]["join"]} | {of_lines["columnName"] for of_lines in panel["display"].values()}
    else:
        file = panel["dataset"]
        columns = pandas.read_csv(run / file, sep=None, engine="python").columns
        needed = set(panel.get("ignoreColumns", []))
    assert needed <= set(columns) and len(columns) > 1, (file, needed, columns)

print(
    json.dumps(
        {
            "links": len(links),
            "persons": len(plans.persons),
            "events": len(events),
            "legs_ended": len(of["arrival"]),
            "moves_over_nodes": len(left),
            "stuck": len(aborted),
            "trips": len(trips),
            "modes": trips.main_mode.value_counts().sort_index().to_dict(),
            "boarded": len(boarding),
            "planned_calls": len(calls),
            "simulated_at_counts": int(sum(simulated)),
            "network_distance_m": float(network_distance_m),
            "mean_trip_s": float(seconds(trips.trav_time).mean()),
            "panels": len(panels),
        }
    )
)
