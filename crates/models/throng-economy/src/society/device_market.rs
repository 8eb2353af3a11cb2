//! The market of a kind of device: agents look for partners with whom they gained before, and pay in resources.

use super::market::write_menu;
use super::{Agent, Society, purpose};
use crate::devices::Kind;
use crate::rules::barter::offered;

/// What is paid for a device.
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
    pub(super) fn trade_devices(&mut self, kind: Kind) {
        for agent in &mut self.agents {
            agent.of_mut(kind).age_surplus();
        }
        if !self.agents.iter().any(|agent| agent.of(kind).is_any_known()) {
            return;
        }
        let mut met = vec![Vec::new(); self.agents.len()];
        for round in 0..self.parameters.device_market.rounds {
            for [buyer, seller] in self.device_partners(kind, round, &mut met) {
                self.trade_devices_in_pair(kind, buyer, seller);
            }
        }
    }

    /// The pairs of a round: agents are drawn one by one, and each chooses a partner among those who are left. First comes the
    /// partner with whom it gained most in the last days, then the first that it did not meet today, then any.
    fn device_partners(&self, kind: Kind, round: u32, met: &mut [Vec<usize>]) -> Vec<[usize; 2]> {
        let mut free: Vec<usize> = (0..self.agents.len()).filter(|&agent| self.is_present[agent]).collect();
        let mut pairs = Vec::new();
        while free.len() >= 2 {
            let draw = |number: usize, which: usize| {
                let (index, purpose) = ((2 * pairs.len() + which) as u32, purpose::DEVICE_PARTNERS | round);
                self.draws.below(number as u32, kind as u32, self.days, purpose, index) as usize
            };
            let agent = free.remove(draw(free.len(), 0));
            let own = self.agents[agent].of(kind);
            let mut best: Option<(f64, usize)> = None;
            for &(other, _) in &own.surplus {
                let gained = own.surplus_with(other);
                if gained > best.map_or(0.0, |(gained, _)| gained)
                    && !met[agent].contains(&other)
                    && let Ok(at) = free.binary_search(&other)
                {
                    best = Some((gained, at));
                }
            }
            let stranger = || free.iter().position(|other| !met[agent].contains(other));
            let at = best.map(|(_, at)| at).or_else(stranger).unwrap_or_else(|| draw(free.len(), 1));
            let partner = free.remove(at);
            met[agent].push(partner);
            met[partner].push(agent);
            pairs.push([agent, partner]);
        }
        pairs
    }

    fn trade_devices_in_pair(&mut self, kind: Kind, mut buyer: usize, mut seller: usize) {
        // An agent does not sell what it bought in this round. Sides stay with the agents when they exchange their roles.
        let mut bought = [Vec::new(), Vec::new()];
        let mut side = 0;
        let mut failures = 0;
        for _ in 0..self.parameters.device_market.attempts {
            if let Some(resource) = self.trade_device(kind, buyer, seller, &bought[1 - side]) {
                bought[side].push(resource);
                failures = 0;
            } else {
                (buyer, seller) = (seller, buyer);
                side = 1 - side;
                failures += 1;
            }
            if failures == 2 {
                // Neither buys, and a failed attempt changes nothing: so it would go on.
                break;
            }
        }
    }

    /// The buyer asks for the device of greatest value to it among those that the seller can promise; returns which was sold.
    fn trade_device(&mut self, kind: Kind, buyer: usize, seller: usize, not_sold: &[usize]) -> Option<usize> {
        let (b, s) = (&self.agents[buyer], &self.agents[seller]);
        let mut best = (0.0, None);
        for resource in 0..self.is_left.len() {
            if !not_sold.contains(&resource) && self.can_promise(s, kind, resource) {
                let value = self.value_of_device(b, kind, resource);
                if value > best.0 {
                    best = (value, Some(resource));
                }
            }
        }
        let (value, Some(resource)) = best else { return None };
        let cost = self.cost_of_device(s, kind, resource);
        let powers = [buyer, seller].map(|agent| self.parameters.trade_power(agent));
        let offer = self.offer([b, s], powers, value, cost);
        if offer.loss >= value || offer.gain <= cost {
            return None;
        }
        self.hand_over(kind, resource, buyer, seller);
        for (resource, &units) in offer.units.iter().enumerate() {
            self.agents[buyer].held[resource] -= units;
            self.agents[seller].held[resource] += units;
        }
        self.agents[buyer].of_mut(kind).remember_price(resource, offer.loss);
        self.agents[seller].of_mut(kind).remember_price(resource, cost - offer.gain);
        for (agent, other, surplus) in [(buyer, seller, value - offer.loss), (seller, buyer, offer.gain - cost)] {
            let is_noticed = !self.deviations.unnoticed_device_trade;
            let agent = &mut self.agents[agent];
            agent.of_mut(kind).remember_surplus(other, surplus);
            if is_noticed {
                agent.gained_by_devices += surplus;
            }
            agent.value_stock(&self.utility);
        }
        Some(resource)
    }

    /// The seller gives a device that it has, or promises one, which the buyer can use at once.
    fn hand_over(&mut self, kind: Kind, resource: usize, buyer: usize, seller: usize) {
        let lifetime = self.parameters.of(kind).lifetime_min;
        if self.agents[seller].minutes(kind, resource) >= lifetime {
            self.agents[seller].of_mut(kind).minutes[resource] -= lifetime;
        } else {
            self.promise(seller, kind, resource);
        }
        if self.agents[buyer].of(kind).to_make[resource] > 0 {
            // It takes the place of one that the buyer would have made.
            self.withdraw(buyer, kind, resource);
        } else {
            self.agents[buyer].of_mut(kind).minutes[resource] += lifetime;
        }
        // An agent that has a device can find out how it is made.
        let experience = &mut self.agents[buyer].of_mut(kind).experience[resource];
        *experience = experience.max(self.parameters.invention.owner_experience);
        if let Some(of) = kind.made_of() {
            for &component in self.recipes.components(kind, resource) {
                let experience = &mut self.agents[buyer].of_mut(of).experience[component];
                *experience = experience.max(1.0);
            }
        }
    }

    /// The mean of the least that the seller takes and the most that the buyer gives, both in what the buyer values least,
    /// weighted with powers in trade.
    fn offer(&self, [buyer, seller]: [&Agent; 2], powers: [u32; 2], value: f64, cost: f64) -> Offer {
        let mut menu = Vec::new();
        write_menu(&self.parameters, buyer, &mut menu);
        let resources = buyer.held.len();
        let has_more = |units: &[u32], r: usize| units[r] < buyer.held[r];
        let mut taken = vec![0; resources];
        let mut gain = 0.0;
        while gain < cost {
            let next = |r: usize| self.utility.of_next(seller.held[r] + taken[r]);
            let dearest = menu.iter().copied().filter(|&r| has_more(&taken, r));
            let Some(r) = dearest.reduce(|a, b| if next(b) > next(a) { b } else { a }) else { break };
            gain += next(r);
            taken[r] += 1;
        }
        let mut given = vec![0; resources];
        let (mut loss, mut last) = (0.0, None);
        while loss < value {
            let next = |r: usize| self.utility.of_last(buyer.held[r] - given[r]);
            let cheapest = menu.iter().copied().filter(|&r| has_more(&given, r));
            last = cheapest.reduce(|a, b| if next(b) < next(a) { b } else { a });
            let Some(r) = last else { break };
            loss += next(r);
            given[r] += 1;
        }
        if let Some(r) = last {
            given[r] -= 1;
        }
        let [of_buyer, of_seller] = powers;
        let mean = |(&taken, &given): (&u32, &u32)| offered(taken, of_buyer, given, of_seller);
        let units: Vec<u32> = taken.iter().zip(&given).map(mean).collect();
        let sum = |of: &dyn Fn(usize) -> f64| (0..resources).map(of).sum::<f64>();
        let loss = sum(&|r| self.utility.loss(buyer.held[r], units[r]));
        let gain = sum(&|r| self.utility.gain(seller.held[r], units[r]));
        Offer { units, loss, gain }
    }
}
