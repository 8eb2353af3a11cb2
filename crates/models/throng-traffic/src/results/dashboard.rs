//! A dashboard of SimWrapper (<https://simwrapper.app>) over the tables of a run.

use serde_json::{Map, Value, json};
use throng_output::WrittenFile;

use super::geojson::LINKS_GEOJSON;

/// Name of the file. SimWrapper finds it by its beginning, so it has no prefix.
pub(super) const NAME: &str = "dashboard-1-throng.yaml";

/// Returns the dashboard as YAML, with panels for those of the files that it can show.
pub(super) fn text(files: &[WrittenFile]) -> String {
    let written = |names: &[&str]| files.iter().map(|file| &file.name).find(|name| names.contains(&name.as_str()));
    let pie = |names: &[&str], ignored: &str, title: &str| {
        let dataset = written(names)?;
        Some(json!({
            "type": "pie", "title": title, "dataset": dataset, "useLastRow": true, "ignoreColumns": [ignored],
        }))
    };
    let table = |name: &str, title: &str| {
        let dataset = written(&[name])?;
        Some(json!({"type": "csv", "title": title, "dataset": dataset, "enableFilter": true}))
    };
    let shares = [
        pie(&["modestats.csv"], "iteration", "Planned trips by main mode"),
        pie(&["modestats.txt"], "Iteration", "Planned trips by main mode"),
        pie(&["pkm_modestats.csv", "pkm_modestats.txt"], "Iteration", "Person kilometres by mode"),
    ];
    let map = written(&[LINKS_GEOJSON]).map(|name| {
        json!({
            "type": "map",
            "title": "Volumes and mean speeds of links",
            "height": 12,
            "shapes": {"file": name, "join": "link"},
            "display": {
                "lineWidth": {"dataset": name, "columnName": "volume", "scaleFactor": 1000},
                "lineColor": {
                    "dataset": name, "columnName": "mean_speed_kmh", "colorRamp": {"ramp": "Viridis", "steps": 7},
                },
            },
        })
    });
    let counts = table("countscompare.txt", "Simulated and counted volumes");
    let tables = [
        table("traveldistancestats.csv", "Mean distances"),
        table("traveldistancestats.txt", "Mean distances"),
        table("stuck_agents.csv", "Stuck agents"),
        table("leg_histogram.csv", "Departures and arrivals"),
    ];
    let rows = [shares.into_iter().flatten().collect(), Vec::from_iter(map), Vec::from_iter(counts)];
    let rows = rows.into_iter().chain([tables.into_iter().flatten().collect()]);
    let rows = rows.filter(|panels: &Vec<Value>| !panels.is_empty()).enumerate();
    let layout: Map<String, Value> = rows.map(|(i, panels)| (format!("row{}", i + 1), panels.into())).collect();
    let header = json!({"tab": "Throng", "title": "Results of the run", "description": "report.html has more charts."});
    let mut out = String::new();
    push(&json!({"header": header, "layout": layout}), 0, &mut out);
    out
}

/// Appends a value as YAML in block style, except for lists of texts.
fn push(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(map) => {
            for (i, (key, value)) in map.iter().enumerate() {
                // The first key follows the dash of a list.
                if i > 0 || out.is_empty() || out.ends_with('\n') {
                    out.extend(std::iter::repeat_n(' ', indent));
                }
                out.push_str(key);
                out.push(':');
                match value {
                    Value::Object(_) => out.push('\n'),
                    Value::Array(items) if items.first().is_some_and(Value::is_object) => out.push('\n'),
                    _ => out.push(' '),
                }
                push(value, indent + 2, out);
            }
        }
        Value::Array(items) if items.first().is_some_and(Value::is_object) => {
            for item in items {
                out.extend(std::iter::repeat_n(' ', indent));
                out.push_str("- ");
                push(item, indent + 2, out);
            }
        }
        // Texts in JSON are texts in YAML.
        scalar => {
            out.push_str(&scalar.to_string());
            out.push('\n');
        }
    }
}
