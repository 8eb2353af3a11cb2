//! The market of tools: agents look for partners with whom they did well, and pay in resources.

use super::market::menu;
use super::{Agent, Society, purpose};

/// What is paid for a tool.
struct Offer {
    /// Units of each resource.
    units: Vec<u32>,
    /// What the buyer loses.
    loss: f64,
    /// What the seller gains.
    gain: f64,
}

impl Society {
    /// A day of the market.
    pub(super) fn trade_tools(&mut self) {
        for agent in &mut self.agents {
            for days in &mut agent.surplus {
                days.rotate_right(1);
                days[0] = 0.0;
            }
        }
        if !self.agents.iter().any(|agent| agent.building.iter().any(|&experience| experience > 0.0)) {
            return;
        }
        let mut met = vec![vec![false; self.agents.len()]; self.agents.len()];
        for round in 0..self.parameters.tool_rounds {
            for [buyer, seller] in self.tool_partners(round, &mut met) {
                self.trade_tools_in_pair(buyer, seller);
            }
        }
    }

    /// The pairs of a round: agents are drawn one by one, and each chooses a partner among those who are left.
    fn tool_partners(&self, round: u32, met: &mut [Vec<bool>]) -> Vec<[usize; 2]> {
        let mut free: Vec<usize> = (0..self.agents.len()).collect();
        let mut pairs = Vec::new();
        while free.len() >= 2 {
            let draw = |number: usize, which: usize| {
                let index = (2 * pairs.len() + which) as u32;
                self.draws.below(number as u32, 0, self.days, purpose::TOOL_PARTNERS | round, index) as usize
            };
            let agent = free.remove(draw(free.len(), 0));
            let remembered = |other: usize| self.agents[agent].surplus[other].iter().sum::<f64>();
            let mut best: Option<usize> = None;
            for (at, &other) in free.iter().enumerate() {
                let is_better = best.is_none_or(|best| remembered(other) > remembered(free[best]));
                if !met[agent][other] && remembered(other) > 0.0 && is_better {
                    best = Some(at);
                }
            }
            let stranger = || free.iter().position(|&other| !met[agent][other]);
            let at = best.or_else(stranger).unwrap_or_else(|| draw(free.len(), 1));
            let partner = free.remove(at);
            met[agent][partner] = true;
            met[partner][agent] = true;
            pairs.push([agent, partner]);
        }
        pairs
    }

    fn trade_tools_in_pair(&mut self, mut buyer: usize, mut seller: usize) {
        let mut bought = vec![[false; 2]; self.recipes.len()];
        // Sides stay with the agents when they exchange their roles.
        let mut side = 0;
        for _ in 0..self.parameters.tool_attempts {
            let is_sold = (0..self.recipes.len()).filter(|&r| !bought[r][1 - side]).collect::<Vec<_>>();
            if let Some(resource) = self.trade_tool(buyer, seller, &is_sold) {
                bought[resource][side] = true;
            } else {
                (buyer, seller) = (seller, buyer);
                side = 1 - side;
            }
        }
    }

    /// The buyer asks for the tool of greatest value to it among those that the seller may sell; returns which was sold.
    fn trade_tool(&mut self, buyer: usize, seller: usize, may_be_sold: &[usize]) -> Option<usize> {
        let (b, s) = (&self.agents[buyer], &self.agents[seller]);
        let mut best = (0.0, None);
        for &resource in may_be_sold.iter().filter(|&&resource| self.can_promise(s, resource)) {
            let value = self.value_of_tool(b, resource);
            if value > best.0 {
                best = (value, Some(resource));
            }
        }
        let (value, Some(resource)) = best else { return None };
        let cost = self.cost_of_tool(s, resource);
        let offer = self.offer(b, s, value, cost);
        if offer.loss >= value || offer.gain <= cost {
            return None;
        }
        let lifetime = self.parameters.tool_lifetime_min;
        let surplus = [value - offer.loss, offer.gain - cost];
        if self.agents[seller].tool_min[resource] >= lifetime {
            self.agents[seller].tool_min[resource] -= lifetime;
        } else {
            self.promise(seller, resource);
        }
        for (r, &units) in offer.units.iter().enumerate().filter(|(_, units)| **units > 0) {
            self.agents[buyer].held[r] -= units;
            self.agents[seller].held[r] += units;
        }
        let Self { agents, utility, building, recipes, parameters, .. } = self;
        let agent = &mut agents[buyer];
        if agent.to_build[resource] > 0 {
            // The tool takes the place of one that the buyer would have built.
            agent.to_build[resource] -= 1;
            agent.set_aside_min -= building.minutes(agent.building[resource]);
            for &r in recipes[resource].iter().flatten() {
                agent.reserved[r] -= 1;
                agent.held[r] += 1;
            }
        } else {
            agent.tool_min[resource] += lifetime;
        }
        // Who has a tool can find out how it is made.
        agent.building[resource] = agent.building[resource].max(parameters.owner_experience);
        agent.remember_price(resource, offer.loss);
        agents[seller].remember_price(resource, cost - offer.gain);
        for (agent, other, surplus) in [(buyer, seller, surplus[0]), (seller, buyer, surplus[1])] {
            agents[agent].surplus[other][0] += surplus;
            agents[agent].gained_by_tools += surplus;
            agents[agent].value_stock(utility);
        }
        self.today.tools_traded += 1;
        Some(resource)
    }

    /// The mean of the least that the seller takes and the most that the buyer gives, both in what the buyer values least.
    fn offer(&self, buyer: &Agent, seller: &Agent, value: f64, cost: f64) -> Offer {
        let menu = menu(&self.parameters, buyer);
        let resources = buyer.held.len();
        let left = |units: &[u32], r: usize| units[r] < buyer.held[r];
        let mut taken = vec![0; resources];
        let mut gain = 0.0;
        while gain < cost {
            let next = |r: usize| self.utility.of_next(seller.held[r] + taken[r]);
            let dearest = menu.iter().copied().filter(|&r| left(&taken, r));
            let Some(r) = dearest.reduce(|a, b| if next(b) > next(a) { b } else { a }) else { break };
            gain += next(r);
            taken[r] += 1;
        }
        let mut given = vec![0; resources];
        let (mut loss, mut last) = (0.0, None);
        while loss < value {
            let next = |r: usize| self.utility.of_last(buyer.held[r] - given[r]);
            let cheapest = menu.iter().copied().filter(|&r| left(&given, r));
            last = cheapest.reduce(|a, b| if next(b) < next(a) { b } else { a });
            let Some(r) = last else { break };
            loss += next(r);
            given[r] += 1;
        }
        if let Some(r) = last {
            given[r] -= 1;
        }
        let units: Vec<u32> = taken.iter().zip(&given).map(|(taken, given)| (taken + given).div_ceil(2)).collect();
        let sum = |of: &dyn Fn(usize) -> f64| (0..resources).map(of).sum::<f64>();
        let loss = sum(&|r| self.utility.loss(buyer.held[r], units[r]));
        let gain = sum(&|r| self.utility.gain(seller.held[r], units[r]));
        Offer { units, loss, gain }
    }
}
