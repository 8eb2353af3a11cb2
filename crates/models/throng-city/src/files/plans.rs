//! The plans of the city in MATSim's format, version 6.

use throng_core::{clock, java_double};
use throng_output::{Codec, OutputError, RunFolder, WrittenFile};

use crate::City;
use throng_traffic_scenario::{PlanElement, RouteKind};

/// Number of persons in a block of text, which is about half a megabyte.
const BLOCK: usize = 250;

const SEPARATOR: &str = "<!-- ====================================================================== -->\n\n";

pub(super) fn write(city: &City, folder: &RunFolder, codec: Codec) -> Result<WrittenFile, OutputError> {
    let head = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <!DOCTYPE population SYSTEM \"http://www.matsim.org/files/dtd/population_v6.dtd\">\n\n\
         <population desc=\"{} persons of a made-up city\">\n\n{SEPARATOR}",
        city.population.persons()
    );
    let persons = city.population.persons();
    super::blocks::write(
        folder,
        "plans.xml",
        codec,
        (&head, "</population>\n"),
        persons.div_ceil(BLOCK),
        |block, text| {
            for person in block * BLOCK..persons.min((block + 1) * BLOCK) {
                push_person(city, person as u32, text);
            }
        },
    )
}

fn push_person(city: &City, person: u32, out: &mut String) {
    let population = &city.population;
    out.push_str("\t<person id=\"");
    out.push_str(population.person_ids.name(person));
    out.push_str("\">\n\t\t<plan selected=\"yes\">\n");
    let mut departure = f64::NAN;
    for element in population.plan(person) {
        match element {
            PlanElement::Activity(activity) => {
                push_activity(city, activity as usize, out);
                departure = population.activities.end_time[activity as usize];
            }
            PlanElement::Leg(leg) => push_leg(city, leg, departure, out),
        }
    }
    out.push_str("\t\t</plan>\n\n\t</person>\n\n");
    out.push_str(SEPARATOR);
}

fn push_activity(city: &City, activity: usize, out: &mut String) {
    let (population, a) = (&city.population, &city.population.activities);
    out.push_str("\t\t\t<activity type=\"");
    out.push_str(population.activity_types.name(a.kind[activity]));
    out.push_str("\" link=\"");
    out.push_str(city.network.link_ids.name(a.link[activity]));
    out.push_str("\" x=\"");
    java_double::push(out, a.x[activity]);
    out.push_str("\" y=\"");
    java_double::push(out, a.y[activity]);
    push_time(out, "\" end_time=\"", a.end_time[activity]);
    out.push_str("\" >\n\t\t\t</activity>\n");
}

fn push_leg(city: &City, leg: u32, departure: f64, out: &mut String) {
    let (legs, links) = (&city.population.legs, &city.network.link_ids);
    let l = leg as usize;
    let mode = city.modes.name(legs.mode[l]);
    out.push_str("\t\t\t<leg mode=\"");
    out.push_str(mode);
    push_time(out, "\" dep_time=\"", departure);
    if !is_routed_by_schedule(city, leg) {
        push_time(out, "\" trav_time=\"", legs.travel_time[l]);
    }
    out.push_str("\">\n\t\t\t\t<attributes>\n\t\t\t\t\t<attribute name=\"routingMode\" class=\"java.lang.String\">");
    out.push_str(mode);
    out.push_str("</attribute>\n\t\t\t\t</attributes>\n");
    if is_routed_by_schedule(city, leg) {
        out.push_str("\t\t\t</leg>\n");
        return;
    }
    out.push_str("\t\t\t\t<route type=\"");
    let driven = legs.route[l] == RouteKind::Links;
    out.push_str(if driven { "links" } else { "generic" });
    out.push_str("\" start_link=\"");
    out.push_str(links.name(legs.start_link[l]));
    out.push_str("\" end_link=\"");
    out.push_str(links.name(legs.end_link[l]));
    push_time(out, "\" trav_time=\"", legs.travel_time[l]);
    out.push_str("\" distance=\"");
    java_double::push(out, legs.distance[l]);
    out.push_str("\">");
    if driven {
        for (i, &link) in city.population.route(leg).iter().enumerate() {
            if i > 0 {
                out.push(' ');
            }
            out.push_str(links.name(link));
        }
    }
    out.push_str("</route>\n\t\t\t</leg>\n");
}

/// Whether a leg has no route, so that its person gets a connection in public transport when the plans are read.
fn is_routed_by_schedule(city: &City, leg: u32) -> bool {
    !city.lines.routes.is_empty() && city.modes.get("pt") == Some(city.population.legs.mode[leg as usize])
}

fn push_time(out: &mut String, before: &str, seconds: f64) {
    if !seconds.is_nan() {
        out.push_str(before);
        out.push_str(&clock::format(seconds));
    }
}
