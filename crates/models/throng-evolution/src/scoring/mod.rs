//! The utility of a day (Charypar and Nagel).
