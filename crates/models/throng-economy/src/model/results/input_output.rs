//! The input-output matrix: how many units of each resource go into devices for each other resource.

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::svg::HeatMap;
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::{INPUT_OUTPUT, Section};
use crate::devices::Kind;
use crate::society::Society;

/// Units of resources in devices, by the resource of the component (row) and of the device (column).
pub struct InputOutput {
    resources: usize,
    units: Vec<u64>,
}

impl InputOutput {
    pub fn new(resources: u32) -> Self {
        let resources = resources as usize;
        Self { resources, units: vec![0; resources * resources] }
    }

    /// Adds the devices made on a day. A component counts with the units of resources that it contains.
    pub fn see(&mut self, society: &Society) {
        for kind in society.parameters.devices.by(Kind::BY_PRODUCTION) {
            let units_in_component = kind.made_of().map_or(1, |component| society.parameters.units_in(component));
            for (resource, &made) in society.today.devices_made[kind as usize].iter().enumerate() {
                for &component in society.recipes.components(kind, resource) {
                    self.units[component * self.resources + resource] += u64::from(made) * units_in_component;
                }
            }
        }
    }

    pub fn write(&self, folder: &RunFolder) -> Result<WrittenFile, Failure> {
        let mut table = TextFile::create(folder, INPUT_OUTPUT, Codec::None)?;
        push_header(table.text(), &["input_resource", "output_resource", "units"]);
        for (at, &units) in self.units.iter().enumerate().filter(|(_, units)| **units > 0) {
            let mut row = Row::new(table.text());
            row.integer((at / self.resources) as i64).integer((at % self.resources) as i64).integer(units as i64).end();
        }
        Ok(table.finish()?)
    }

    pub fn section(&self) -> Section {
        let map = HeatMap {
            label: "Input-output matrix".to_owned(),
            columns: self.resources,
            values: self.units.iter().map(|&units| units as f64).collect(),
            x_title: "resource of the device (output)".to_owned(),
            y_title: "resource of the component (input)".to_owned(),
            unit: "units".to_owned(),
        };
        let caption = "Units of resources that went into devices during the run. A dark row is a resource on which many \
                       others depend; a dark column is one whose devices were made often.";
        Section { heading: "Flows between resources", chart: Box::new(map), caption }
    }
}
