//! The components of the five node transitions. Only this module maps a transition to the values on which executors
//! branch.

use throng_traffic_scenario::settings::NodeTransition;

/// How a node selects the in-link whose vehicles cross next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeSelection {
    /// In-links are drawn in proportion to their capacity.
    Lottery {
        /// A drawn in-link empties its buffer as far as possible and then leaves the selection. If false, it moves one
        /// vehicle, and leaves the selection when it cannot move any.
        whole_buffer: bool,
        /// The first full out-link ends the step of the node.
        block_node: bool,
    },
    /// The in-link with the lowest accumulated inverse capacity is next; the first full out-link ends the step.
    Priorities,
}

impl NodeSelection {
    /// Returns the selection of a transition.
    pub fn of(transition: NodeTransition) -> Self {
        let lottery = |whole_buffer, block_node| Self::Lottery { whole_buffer, block_node };
        match transition {
            NodeTransition::EmptyBufferDontBlockNode => lottery(true, false),
            NodeTransition::EmptyBufferBlockNode => lottery(true, true),
            NodeTransition::VehByVehDontBlockNode => lottery(false, false),
            NodeTransition::VehByVehBlockNode => lottery(false, true),
            NodeTransition::DeterministicPriorities => Self::Priorities,
        }
    }

    /// Whether in-links are selected by priority.
    pub fn by_priority(self) -> bool {
        match self {
            Self::Lottery { .. } => false,
            Self::Priorities => true,
        }
    }

    /// Whether a selected in-link moves as many vehicles as possible.
    pub fn empties_whole_buffer(self) -> bool {
        match self {
            Self::Lottery { whole_buffer, .. } => whole_buffer,
            Self::Priorities => false,
        }
    }

    /// Whether the first full out-link ends the step of the node.
    pub fn is_blocked_by_full_link(self) -> bool {
        match self {
            Self::Lottery { block_node, .. } => block_node,
            Self::Priorities => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn matsim_names_select_the_matching_transition_rules() {
        let of = |name: &str| {
            let mut settings = throng_traffic_scenario::settings::Settings::default();
            let parameter = throng_matsim::config::apply_set(
                &mut settings,
                &format!("throng.nodeTransition={name}"),
                Path::new("."),
            );
            parameter.unwrap_or_else(|error| panic!("{name}: {error}"));
            let selection = NodeSelection::of(settings.qsim.node_transition);
            (selection.by_priority(), selection.empties_whole_buffer(), selection.is_blocked_by_full_link())
        };
        assert_eq!(of("emptyBufferAfterBufferRandomDistribution_dontBlockNode"), (false, true, false));
        assert_eq!(
            of("emptyBufferAfterBufferRandomDistribution_nodeBlockedWhenSingleOutlinkFull"),
            (false, true, true)
        );
        assert_eq!(of("moveVehByVehRandomDistribution_dontBlockNode"), (false, false, false));
        assert_eq!(of("moveVehByVehRandomDistribution_nodeBlockedWhenSingleOutlinkFull"), (false, false, true));
        assert_eq!(of("moveVehByVehDeterministicPriorities_nodeBlockedWhenSingleOutlinkFull"), (true, false, true));
    }
}
