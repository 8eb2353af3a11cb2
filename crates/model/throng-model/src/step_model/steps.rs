//! The states of a simulation, and executors that compute them step by step.

use throng_core::StateHash;

use crate::Failure;

/// The state of a simulation between two steps.
pub trait State {
    /// Returns the state hash, which is the same for all executors.
    fn hash(&self) -> u64;
}

/// One column per variable, with one value per agent.
impl<const N: usize> State for [Vec<i32>; N] {
    fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        for agent in 0..self.first().map_or(0, Vec::len) {
            hash.add(agent as u64, &self.each_ref().map(|column| column[agent] as u64));
        }
        hash.finish()
    }
}

/// An executor that computes one step after the other.
pub trait Steps {
    /// The state between two steps.
    type State: State;

    /// Computes a step.
    ///
    /// # Errors
    /// When the device fails.
    fn step(&mut self) -> Result<(), Failure>;

    /// Returns the current state. Reading it from a device takes time.
    ///
    /// # Errors
    /// When the device fails.
    fn state(&self) -> Result<Self::State, Failure>;
}

/// An executor on the CPU that computes each state from the previous one.
///
/// ```
/// use throng_model::step_model::{OnCpu, Steps as _};
///
/// let mut executor = OnCpu::new([vec![1, 2]], |[values], step| [values.iter().map(|value| value + step as i32).collect()]);
/// executor.step()?;
/// executor.step()?;
/// assert_eq!(executor.state()?, [[2, 3]]);
/// # Ok::<(), throng_model::Failure>(())
/// ```
#[derive(Debug)]
pub struct OnCpu<S, F> {
    state: S,
    steps: u64,
    next: F,
}

impl<S: State + Clone, F: Fn(&S, u64) -> S> OnCpu<S, F> {
    /// Creates an executor that starts from `state`. `next` returns the state after a step, given the previous state
    /// and the index of the step from 0.
    pub fn new(state: S, next: F) -> Self {
        Self { state, steps: 0, next }
    }
}

impl<S: State + Clone, F: Fn(&S, u64) -> S> Steps for OnCpu<S, F> {
    type State = S;

    fn step(&mut self) -> Result<(), Failure> {
        self.state = (self.next)(&self.state, self.steps);
        self.steps += 1;
        Ok(())
    }

    fn state(&self) -> Result<S, Failure> {
        Ok(self.state.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_and_its_place_count_in_the_hash() {
        let hash = |columns: [&[i32]; 2]| columns.map(<[i32]>::to_vec).hash();
        let base = hash([&[1, 2], &[3, 4]]);
        for other in [[&[2, 1], &[3, 4]], [&[3, 4], &[1, 2]], [&[1, 2], &[3, -4]]] {
            assert_ne!(hash(other.map(|column: &[i32; 2]| column.as_slice())), base, "{other:?}");
        }
        let mut expected = StateHash::new();
        expected.add(0, &[1, 3]);
        expected.add(1, &[2, 4]);
        assert_eq!((base, hash([&[], &[]])), (expected.finish(), StateHash::new().finish()));
    }
}
