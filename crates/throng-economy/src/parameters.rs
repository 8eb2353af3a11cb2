//! The numbers of the model.

/// The numbers of the model; the defaults are those of the authors' standard run.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// Agents of a society.
    pub agents: u32,
    /// Kinds of resources.
    pub resources: u32,
    /// Whether agents barter resources.
    pub trade: bool,
    /// Minutes of a day that an agent extracts.
    pub day_min: f64,
    /// The utility of the first unit of a resource, and of all further ones with it: `D` in `D x^(1/n)`.
    pub utility_of_first: f64,
    /// `n` in `D x^(1/n)`: with a larger one, further units are worth less beside the first.
    pub elasticity: f64,
    /// The least utility of a further unit. Units are worth exactly this from where the curve falls to it.
    pub least_utility: f64,
    /// Minutes for a unit without experience.
    pub most_effort_min: f64,
    /// Minutes for a unit with full experience.
    pub least_effort_min: f64,
    /// Units after which more experience does not help.
    pub full_experience: u32,
    /// Experience that is lost on each day without extraction of a resource.
    pub forgotten_per_day: f64,
    /// By how much the gain per minute of a resource may be less than the best, to be extracted all the same.
    pub extraction_tolerance: f64,
    /// Rounds of a market; each agent has one partner in a round.
    pub market_rounds: u32,
    /// Attempts of a pair to trade in a round.
    pub trade_attempts: u32,
    /// Resources that an agent offers to a partner.
    pub menu_size: u32,
    /// Utility that both have to gain from a trade, and more.
    pub least_surplus: f64,
    /// Mean days until a unit is consumed.
    pub unit_lifetime_days: f64,
    /// Whether agents invent, trade and build tools.
    pub tools: bool,
    /// Resources of which a tool takes a unit each.
    pub resources_in_tool: u32,
    /// Units that are extracted with a tool in the time of one by hand.
    pub tool_factor: f64,
    /// Minutes of extraction after which a tool is used up.
    pub tool_lifetime_min: f64,
    /// Minutes of a tool that are lost on a day without use.
    pub tool_wear_min: f64,
    /// Minutes to build a tool without experience.
    pub most_building_min: f64,
    /// Minutes to build a tool with full experience.
    pub least_building_min: f64,
    /// Tools after which more experience in building does not help.
    pub full_building_experience: u32,
    /// The probability of an invention for each unit of experience that the agent has in what it considers.
    pub invention_probability: f64,
    /// Experience in building of the inventor.
    pub inventor_experience: f64,
    /// Experience in building of who has a tool, at least.
    pub owner_experience: f64,
    /// Units of a resource that an agent holds at least, and one more, to think of it.
    pub held_for_invention: u32,
    /// Rounds of the market of tools.
    pub tool_rounds: u32,
    /// Attempts of a pair to trade tools in a round.
    pub tool_attempts: u32,
    /// Days for which an agent builds tools for itself.
    pub tool_stock_days: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            agents: 24,
            resources: 24,
            trade: true,
            day_min: 600.0,
            utility_of_first: 600.0,
            elasticity: 2.5,
            least_utility: 1.0,
            most_effort_min: 9.0,
            least_effort_min: 3.0,
            full_experience: 600,
            forgotten_per_day: 3.0,
            extraction_tolerance: 0.0,
            market_rounds: 12,
            trade_attempts: 8,
            menu_size: 6,
            least_surplus: 0.1,
            unit_lifetime_days: 5.0,
            tools: false,
            resources_in_tool: 5,
            tool_factor: 3.0,
            tool_lifetime_min: 150.0,
            tool_wear_min: 3.0,
            most_building_min: 27.0,
            least_building_min: 9.0,
            full_building_experience: 40,
            invention_probability: 7.5e-5,
            inventor_experience: 6.0,
            owner_experience: 2.0,
            held_for_invention: 3,
            tool_rounds: 12,
            tool_attempts: 4,
            tool_stock_days: 2.0,
        }
    }
}
