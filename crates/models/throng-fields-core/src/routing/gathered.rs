//! The agents of several crowds, with lists of their neighbours.
//!
//! All results are computed from positions that stay fixed meanwhile, and the neighbours of an agent are visited in a
//! fixed order: by cells of a grid and, within a cell, by ascending index. The result therefore does not depend on the
//! number of threads.

use throng_core::{InputError, Philox};

use super::bodies::Body;
use super::crowd::Crowd;
use super::ground::Ground;
use super::nearby::Nearby;
use super::purpose;

/// Maximum length of the repulsion, relative to a direction of length 1.
const MAX_REPULSION: f32 = 0.9;
/// The fraction of its distance that an agent walks into bodies if it cannot walk past them.
const PRESSED: f32 = 0.25;
/// Cosine and sine of the angles by which an agent turns to avoid bodies: 30 and 60 degrees.
const ASIDE: [[f32; 2]; 2] = [[0.866_025_4, 0.5], [0.5, 0.866_025_4]];

/// An agent of one of the crowds.
#[derive(Clone, Copy)]
pub(super) struct Present {
    pub crowd: usize,
    pub agent: usize,
    pub at: [f32; 2],
    pub body: Body,
}

/// All agents on the map, and lists of those that are near each other.
pub(super) struct CrowdNeighbours<'a> {
    ground: &'a Ground,
    pub agents: Vec<Present>,
    nearby: Nearby,
    /// For each crowd, the indices of its agents in `agents`; arbitrary for agents that are not on the map.
    numbers: Vec<Vec<u32>>,
    /// Positions of the agents when the lists were built.
    pub listed: Vec<[f32; 2]>,
}

impl<'a> CrowdNeighbours<'a> {
    /// Gathers agents for searches within `reach`; `None` if there are no crowds.
    pub fn new(crowds: &[Crowd<'a>], reach: f32) -> Result<Option<Self>, InputError> {
        let Some(first) = crowds.first() else { return Ok(None) };
        let (mut agents, mut numbers) = (Vec::new(), Vec::new());
        for (number, crowd) in crowds.iter().enumerate() {
            let body = crowd.body();
            let mut of_crowd = Vec::with_capacity(crowd.agents().len());
            for (agent, of) in crowd.agents().iter().enumerate() {
                of_crowd.push(agents.len() as u32);
                if of.is_present() {
                    agents.push(Present { crowd: number, agent, at: of.position, body });
                }
            }
            numbers.push(of_crowd);
        }
        let listed: Vec<[f32; 2]> = agents.iter().map(|present| present.at).collect();
        let ground = first.ground();
        let nearby = Nearby::new(ground.grid(), &listed, reach)?;
        Ok(Some(Self { ground, agents, nearby, numbers, listed }))
    }

    /// The indices of other agents near an agent.
    pub fn around(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        self.nearby.around(self.listed[number]).filter(move |&other| other != number)
    }

    /// The direction away from another agent and its distance, if that is less than `most`.
    pub fn separation(&self, number: usize, other: usize, most: f32) -> Option<([f32; 2], f32)> {
        let [a, b] = [number, other].map(|agent| self.agents[agent].at);
        let [x, y] = [a[0] - b[0], a[1] - b[1]];
        let square = x * x + y * y;
        if square >= most * most {
            return None;
        }
        let distance = square.sqrt();
        if distance > 0.0 {
            return Some(([x / distance, y / distance], distance));
        }
        // Agents at the same point: a random direction per pair.
        let (first, second) = (number.min(other), number.max(other));
        let turn = Philox::new(0).unit(first as u32, second as u32, purpose::APART, 0) as f32;
        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * turn);
        Some((if number == first { [cos, sin] } else { [-cos, -sin] }, 0.0))
    }

    /// Whether no wall is between a point and another agent.
    pub fn is_free(&self, from: [f32; 2], other: usize) -> bool {
        self.ground.is_free(from, self.agents[other].at)
    }

    /// The agents of a crowd, for sensing others.
    pub fn of(&self, crowd: usize) -> Others<'_> {
        Others { gathered: self, numbers: &self.numbers[crowd] }
    }
}

/// The surroundings of the agents of a crowd.
#[derive(Clone, Copy)]
pub(super) struct Others<'g> {
    gathered: &'g CrowdNeighbours<'g>,
    numbers: &'g [u32],
}

impl Others<'_> {
    /// The vector by which an agent turns away from others within its spacing: shorter than 1.
    pub fn repulsion(&self, agent: usize) -> [f32; 2] {
        let number = self.numbers[agent] as usize;
        let (mut sum, spacing) = ([0.0f32; 2], self.gathered.agents[number].body.spacing);
        if spacing == 0.0 {
            return sum;
        }
        let others = self.gathered.around(number).filter_map(|other| self.gathered.separation(number, other, spacing));
        for (away, distance) in others {
            let weight = 1.0 - distance / spacing;
            sum = [sum[0] + weight * away[0], sum[1] + weight * away[1]];
        }
        let length = libm::hypotf(sum[0], sum[1]);
        if length > MAX_REPULSION { sum.map(|part| part * (MAX_REPULSION / length)) } else { sum }
    }

    /// The move of an agent from a position towards `direction`, of length 1, by at most `far`: straight on if no body
    /// is ahead, else in the one of five directions up to 60 degrees aside in which it gets farthest ahead before it
    /// touches a body; ties go to the right. If none leads far, the agent presses on by a fraction of the distance, so
    /// that crowds that meet squeeze past each other. `None` if the agent has no body.
    pub fn free_move(&self, agent: usize, at: [f32; 2], direction: [f32; 2], far: f32) -> Option<[f32; 2]> {
        let number = self.numbers[agent] as usize;
        let radius = self.gathered.agents[number].body.radius;
        if radius == 0.0 {
            return None;
        }
        let straight = self.free(number, at, direction, far);
        let [x, y] = direction;
        if straight >= far {
            return Some([far * x, far * y]);
        }
        let mut best = (straight, [straight * x, straight * y]);
        for [cos, sin] in ASIDE {
            for sin in [-sin, sin] {
                let turned = [cos * x - sin * y, sin * x + cos * y];
                let free = self.free(number, at, turned, far);
                if free * cos > best.0 {
                    best = (free * cos, turned.map(|part| free * part));
                }
            }
        }
        let pressed = PRESSED * far;
        Some(if best.0 < pressed { [pressed * x, pressed * y] } else { best.1 })
    }

    /// The distance that an agent can walk in a direction before its body touches another one, at most `far`. Bodies
    /// that overlap it block it if they are ahead; those behind a wall do not.
    fn free(&self, number: usize, at: [f32; 2], direction: [f32; 2], far: f32) -> f32 {
        let radius = self.gathered.agents[number].body.radius;
        let mut free = far;
        for other in self.gathered.around(number) {
            let Present { at: other_at, body, .. } = self.gathered.agents[other];
            let [x, y] = [other_at[0] - at[0], other_at[1] - at[1]];
            let ahead = x * direction[0] + y * direction[1];
            let touching = radius + body.radius;
            if body.radius == 0.0 || ahead <= 0.0 || ahead >= free + touching {
                continue;
            }
            let aside = x * direction[1] - y * direction[0];
            let within = touching * touching - aside * aside;
            let before = (ahead - within.max(0.0).sqrt()).max(0.0);
            if within > 0.0 && before < free && self.gathered.is_free(at, other) {
                free = before;
            }
        }
        free
    }
}
