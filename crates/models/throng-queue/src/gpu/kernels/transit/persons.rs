//! Lists of persons in the words of public transport: the index of a list is that of its first person, followed by the
//! last one.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::super::record::*;
use super::super::lists::person_word;
use super::super::state::DeviceState;

/// Appends a chain of linked persons to the list whose first person is at an index, followed by the last one.
#[cube]
pub fn append_persons(state: &mut DeviceState, list: usize, from: u32, to: u32) {
    state.persons[person_word(to, NEXT)] = NONE;
    if state.transit_words[list] == NONE {
        state.transit_words[list] = from;
    } else {
        let last = state.transit_words[list + 1];
        state.persons[person_word(last, NEXT)] = from;
    }
    state.transit_words[list + 1] = to;
}

/// Removes a person from a list; `before` is the person in front, or `NONE`.
#[cube]
pub fn remove_person(state: &mut DeviceState, list: usize, before: u32, person: u32) {
    let next = state.persons[person_word(person, NEXT)];
    if before == NONE {
        state.transit_words[list] = next;
    } else {
        state.persons[person_word(before, NEXT)] = next;
    }
    if next == NONE {
        state.transit_words[list + 1] = before;
    }
}
