//! The named deviations of the published program.

use throng_economy::society::Deviations;

/// A named deviation of the published program, or a set of deviations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deviation {
    /// The name used in tables.
    pub name: &'static str,
    /// The program's behaviour, as a sentence.
    pub program: &'static str,
    /// The rules that replace rules of the model.
    pub rules: Deviations,
}

/// No deviation: the model itself.
pub const MODEL: Deviation = Deviation { name: "model", program: "The rules of the model.", rules: Deviations::NONE };

/// Prices of 1, the best-known deviation.
pub const PRICE_OF_ONE: Deviation = Deviation {
    name: "price-of-one",
    program: "All prices are 1: the logarithm of the trade power, which is 0, is used instead of that of the worth.",
    rules: Deviations { price_of_one: true, ..Deviations::NONE },
};

/// All deviations together.
pub const ALL: Deviation = Deviation { name: "all", program: "All deviations together.", rules: Deviations::ALL };

/// Each deviation on its own.
pub const DEVIATIONS: [Deviation; 6] = [
    PRICE_OF_ONE,
    Deviation {
        name: "without-last-lot",
        program: "The largest lot that both stocks can cover is not considered, because the list of lots lags by one.",
        rules: Deviations { without_last_lot: true, ..Deviations::NONE },
    },
    Deviation {
        name: "kept-menus",
        program: "When a pair has traded, its previous offers stay on the menus, and the swaps that the two \
                  had not tried stay in the queue.",
        rules: Deviations { kept_menus: true, ..Deviations::NONE },
    },
    Deviation {
        name: "first-is-never-best",
        program: "Resource 0 is never one of the two whose components an inventor of devices makes \
                  best.",
        rules: Deviations { first_is_never_best: true, ..Deviations::NONE },
    },
    Deviation {
        name: "short-recipes",
        program: "An agent that holds too few other resources considers only the two in which it has most experience, \
                  so that a tool has one component.",
        rules: Deviations { short_recipes: true, ..Deviations::NONE },
    },
    Deviation {
        name: "unnoticed-device-trade",
        program: "Trade in devices adds nothing to the utility per minute of a day that is spent on assembly.",
        rules: Deviations { unnoticed_device_trade: true, ..Deviations::NONE },
    },
];

/// The compared rules: the model, each deviation alone, and all of them.
pub fn compared() -> impl Iterator<Item = Deviation> {
    [MODEL].into_iter().chain(DEVIATIONS).chain([ALL])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names all fields, so that a new deviation must be added both in this function and in [`DEVIATIONS`].
    fn fields(rules: Deviations) -> [usize; 6] {
        let Deviations {
            price_of_one,
            without_last_lot,
            kept_menus,
            first_is_never_best,
            short_recipes,
            unnoticed_device_trade,
        } = rules;
        [price_of_one, without_last_lot, kept_menus, first_is_never_best, short_recipes, unnoticed_device_trade]
            .map(usize::from)
    }

    #[test]
    fn each_deviation_is_listed_once() {
        let mut times = [0; 6];
        for deviation in DEVIATIONS {
            let of_deviation = fields(deviation.rules);
            assert_eq!(of_deviation.iter().sum::<usize>(), 1, "{}", deviation.name);
            times.iter_mut().zip(of_deviation).for_each(|(times, field)| *times += field);
        }
        assert_eq!(times, [1; 6]);
        assert_eq!(fields(ALL.rules), [1; 6]);
        assert!(!MODEL.rules.is_any());
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<&str> = compared().map(|deviation| deviation.name).collect();
        assert_eq!(names.len(), 8);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 8);
    }
}
