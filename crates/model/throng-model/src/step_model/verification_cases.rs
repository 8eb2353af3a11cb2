//! The list of a model's verification cases.

/// Defines the verification cases of a [`StepModel`](crate::StepModel) as `CASES`, each with its name, its check and
/// the requirement, and, in tests, the checks alone as `CHECKS`, for faulty executors.
///
/// A check is a function of `&dyn CaseExecutor`, a trait of the model that [`Executor`](throng_device::Executor)
/// implements.
#[macro_export]
macro_rules! verification_cases {
    ($($name:literal, $check:path, $promise:expr;)*) => {
        pub const CASES: &[$crate::step_model::Case] =
            &[$($crate::step_model::Case::new($name, |on| $check(on), $promise)),*];

        #[cfg(test)]
        const CHECKS: &[fn(&dyn CaseExecutor) -> Result<throng_core::Finding, $crate::Failure>] = &[$($check),*];
    };
}
