//! Help for scenario files: all keys, derived from the types that read them, and a template.

use crate::tables::Tables;

/// Returns the description of all keys of scenario files for fields: meaning with unit, permitted values, default.
///
/// ```
/// let schema = throng_fields_scenario::schema();
/// assert!(schema.contains("  run.steps\n      Steps of the simulation.\n      a whole number, 0 or more; needed\n"));
/// assert!(schema.contains("  influence.momentum\n"));
/// ```
pub fn schema() -> String {
    throng_model::scenario_file::schema_text::<Tables>(
        "Keys of a scenario file of fields, also for --set. Lengths and times are in units of the scenario.",
    )
}

/// Returns a valid scenario file, with a comment for each key. Optional keys are commented out, with an example or
/// their default.
pub fn template() -> &'static str {
    include_str!("template.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_meaning_kind_and_default() {
        let text = schema();
        for block in text.split("\n  ").filter(|block| block.contains("\n      ")) {
            assert!(block.lines().all(|line| line.trim().len() > 2), "{block}");
        }
        for part in [
            "  run.time_step\n      Length of a step, units of time.\n      a number; needed\n",
            "\n[[output.arrays]]\n  Arrays for NumPy",
            "  output.arrays.N.quantity\n      The quantity that is written.\n      one of \"layer\", \"combined\"",
            "  run.bits\n      Fractional bits of fields in fixed point.\n      a whole number, 0 or more; default 16\n",
            "one of \"fixed-point\", \"float\"; default \"fixed-point\"\n",
            "\n[[entities]]\n",
            "\n[profiles.NAME]\n",
            "  profiles.NAME.form\n      How a charge falls off.\n      one of \"linear\", \"quadratic\", \"gaussian\"",
            "  grid.sample\n",
            "one of \"centre\", \"corner\"; default \"centre\"\n",
            "two numbers: [x, y]; needed\n",
            "combinations of only these.\n      two texts: [a, b]\n",
            "  output.queries.N.quantity\n      The queried field.\n      one of \"layer\", \"combined\", \"influence\", \
             \"balance\", \"tension\", \"vulnerability\", \"travel_times\"; needed\n",
            "; default \"output/fields\"\n",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
    }
}
