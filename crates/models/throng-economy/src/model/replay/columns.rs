//! The column of an agent: a stack of coloured pieces.

use throng_scene::{Rgb, colours};

use super::Colouring;
use super::table::{AgentRow, Frame};

/// Number of colours of resources; further resources reuse them from the start.
pub(super) const RESOURCE_COLOURS: u32 = 30;

/// A piece of a column: its size and its colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    pub size: f64,
    pub colour: Rgb,
}

/// Returns the pieces of the columns of all agents of a day, from the ground upwards, without pieces of size 0.
pub(super) fn pieces(frame: &Frame, colouring: Colouring) -> Vec<Vec<Piece>> {
    let of_resources = |units: &[(u32, u32)]| {
        let nonzero = units.iter().filter(|&&(_, units)| units > 0);
        nonzero.map(|&(resource, units)| Piece { size: f64::from(units), colour: of_resource(resource) }).collect()
    };
    match colouring {
        Colouring::Extracted => frame.agents.iter().map(|row| of_resources(&row.extracted)).collect(),
        Colouring::Held => frame.agents.iter().map(|row| of_resources(&row.held)).collect(),
        Colouring::Utility => {
            let piece = |(row, quartile): (&AgentRow, usize)| {
                let piece = Piece { size: row.utility, colour: of_quartile(quartile) };
                Vec::from_iter((row.utility > 0.0).then_some(piece))
            };
            frame.agents.iter().zip(quartiles(&frame.agents)).map(piece).collect()
        }
    }
}

/// Returns the quartile of each agent, 0 for the poorest. Agents with the same utility are ranked by index, the lower
/// one as poorer.
fn quartiles(agents: &[AgentRow]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..agents.len()).collect();
    order.sort_by(|&a, &b| agents[a].utility.total_cmp(&agents[b].utility));
    let mut quartiles = vec![0; agents.len()];
    for (rank, agent) in order.into_iter().enumerate() {
        quartiles[agent] = 4 * rank / agents.len();
    }
    quartiles
}

/// The colour of a quartile, from 0 to 3.
pub(super) fn of_quartile(quartile: usize) -> Rgb {
    // The darkest blue would be lost in the shadows.
    colours::sequential(0.25 + 0.25 * quartile as f64)
}

/// The colour of a resource: ten colours, then lighter and darker ones.
pub(super) fn of_resource(resource: u32) -> Rgb {
    let colour = colours::category(resource as usize % 10);
    match resource / 10 % 3 {
        0 => colour,
        1 => colour.map(|part| 0.5 + part / 2.0),
        _ => colour.map(|part| part * 0.35),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(agent: u32, utility: f64) -> AgentRow {
        AgentRow { agent, utility, extracted: vec![(3, 5), (12, 0)], held: vec![(0, 1), (9, 2)] }
    }

    #[test]
    fn quartiles_match_values_computed_by_hand() {
        let agents = [4.0, 1.0, 3.0, 2.0, 1.0].map(|utility| row(0, utility));
        // Order of agents, poorest first: the second, the fifth, the fourth, the third, the first; ranks 0 to 4 of 5.
        assert_eq!(quartiles(&agents), [3, 0, 2, 1, 0]);
    }

    #[test]
    fn pieces_have_sizes_from_the_table() {
        let frame = Frame { day: 1, agents: vec![row(0, 0.0), row(1, 7.5)] };
        let sizes = |colouring| {
            let of_agent = |pieces: Vec<Piece>| pieces.iter().map(|piece| piece.size).collect::<Vec<_>>();
            pieces(&frame, colouring).into_iter().map(of_agent).collect::<Vec<_>>()
        };
        assert_eq!(sizes(Colouring::Utility), [vec![], vec![7.5]]);
        assert_eq!(sizes(Colouring::Extracted), [vec![5.0], vec![5.0]]);
        assert_eq!(sizes(Colouring::Held), [vec![1.0, 2.0], vec![1.0, 2.0]]);
    }

    #[test]
    fn thirty_resources_have_thirty_colours() {
        for resource in 0..RESOURCE_COLOURS {
            assert!((0..resource).all(|other| of_resource(other) != of_resource(resource)), "{resource}");
        }
        assert_eq!(of_resource(RESOURCE_COLOURS), of_resource(0));
    }
}
