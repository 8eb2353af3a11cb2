//! One person of a plans file, with all data in the file.

use throng_core::NONE;

/// A reference to a string in the buffer of a [`PersonRecord`], or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    start: u32,
    end: u32,
}

impl Text {
    /// No text: the attribute is absent.
    pub const NONE: Self = Self { start: NONE, end: NONE };

    /// Whether there is no text.
    pub fn is_none(self) -> bool {
        self.start == NONE
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::NONE
    }
}

/// One `<attribute>` of a person, plan, activity or leg.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attribute {
    /// `name`.
    pub name: Text,
    /// `class`: the Java class of the value.
    pub class: Text,
    /// Content of the element.
    pub value: Text,
}

/// The attributes of one element: a range of the attributes of its [`PersonRecord`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttributeRange {
    start: u32,
    end: u32,
    /// Whether there was an `<attributes>` element, even an empty one; before version 6, whether there are any.
    pub present: bool,
}

/// One `<plan>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanRecord {
    /// Line in the file.
    pub line: u64,
    /// Whether it is marked as selected.
    pub selected: bool,
    /// Score; NaN if there is none.
    pub score: f64,
    /// `type`.
    pub kind: Text,
    /// Attributes of the plan.
    pub attributes: AttributeRange,
    first_element: u32,
    end_element: u32,
}

/// One `<activity>` or `<act>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActivityRecord {
    /// Line in the file.
    pub line: u64,
    /// `type`.
    pub kind: Text,
    /// Link id.
    pub link: Text,
    /// Facility id.
    pub facility: Text,
    /// Coordinate; NaN if absent.
    pub x: f64,
    /// See [`ActivityRecord::x`].
    pub y: f64,
    /// Elevation; NaN if absent.
    pub z: f64,
    /// `start_time` in seconds; NaN if undefined.
    pub start_time: f64,
    /// `end_time` in seconds; NaN if undefined.
    pub end_time: f64,
    /// `max_dur` or `dur` in seconds; NaN if undefined.
    pub max_duration: f64,
    /// Attributes of the activity.
    pub attributes: AttributeRange,
}

/// One `<leg>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegRecord {
    /// Line in the file.
    pub line: u64,
    /// `mode`.
    pub mode: Text,
    /// `dep_time` in seconds; NaN if undefined.
    pub departure_time: f64,
    /// `trav_time` in seconds; NaN if undefined.
    pub travel_time: f64,
    /// Attributes of the leg.
    pub attributes: AttributeRange,
    /// The route, if any.
    pub route: Option<RouteRecord>,
}

/// The format of a route's description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteFormat {
    /// Ids of the nodes between the first and the last link (version 4).
    Nodes,
    /// Ids of all links, including the first and the last one.
    Links,
    /// Anything else, kept as text.
    Other,
}

/// One `<route>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteRecord {
    /// Line in the file.
    pub line: u64,
    /// Format of the description.
    pub format: RouteFormat,
    /// `type`, given or implied by the mode.
    pub kind: Text,
    /// `start_link`.
    pub start_link: Text,
    /// `end_link`.
    pub end_link: Text,
    /// `trav_time` in seconds; NaN if undefined.
    pub travel_time: f64,
    /// `distance` or `dist` in metres; NaN if unknown.
    pub distance: f64,
    /// `vehicleRefId`.
    pub vehicle: Text,
    /// The content, without surrounding whitespace.
    pub description: Text,
}

/// One element of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(clippy::large_enum_variant)] // Legs and activities alternate: a box per leg would cost more than it saves.
pub enum ElementRecord {
    /// An activity.
    Activity(ActivityRecord),
    /// A leg.
    Leg(LegRecord),
}

/// A person with all plans and attributes.
///
/// All strings are in one buffer, so that a record reused for the next person stops allocating once it has held the
/// longest one.
#[derive(Debug, Clone, Default)]
pub struct PersonRecord {
    text: String,
    /// Line in the file.
    pub line: u64,
    /// `id`.
    pub id: Text,
    /// Attributes of the person, including those that versions 4 and 5 write into the `<person>` tag.
    pub attributes: AttributeRange,
    all_attributes: Vec<Attribute>,
    plans: Vec<PlanRecord>,
    elements: Vec<ElementRecord>,
}

impl PersonRecord {
    /// Creates an empty record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the string of `text`; empty if there is none.
    pub fn text(&self, text: Text) -> &str {
        self.optional(text).unwrap_or("")
    }

    /// Returns the string of `text`, if any.
    pub fn optional(&self, text: Text) -> Option<&str> {
        if text.is_none() { None } else { self.text.get(text.start as usize..text.end as usize) }
    }

    /// Returns the person's id.
    pub fn id(&self) -> &str {
        self.text(self.id)
    }

    /// Returns the attributes in `range`.
    pub fn attributes(&self, range: AttributeRange) -> &[Attribute] {
        self.all_attributes.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Returns the value of the attribute called `name`, if it is in `range`.
    pub fn attribute(&self, range: AttributeRange, name: &str) -> Option<&str> {
        let found = self.attributes(range).iter().find(|a| self.text(a.name) == name)?;
        Some(self.text(found.value))
    }

    /// Returns all plans in file order.
    pub fn plans(&self) -> &[PlanRecord] {
        &self.plans
    }

    /// Returns the elements of `plan`.
    pub fn elements(&self, plan: &PlanRecord) -> &[ElementRecord] {
        self.elements.get(plan.first_element as usize..plan.end_element as usize).unwrap_or_default()
    }

    /// Returns the index of the plan that is simulated: the last one marked as selected, or else the first. `None` if
    /// the person has no plan.
    pub fn selected_plan(&self) -> Option<usize> {
        if self.plans.is_empty() {
            return None;
        }
        Some(self.plans.iter().rposition(|plan| plan.selected).unwrap_or(0))
    }

    /// Clears the record but keeps its memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.line = 0;
        self.id = Text::NONE;
        self.attributes = AttributeRange::default();
        self.all_attributes.clear();
        self.plans.clear();
        self.elements.clear();
    }

    /// Stores `text` in the record.
    pub fn add_text(&mut self, text: &str) -> Text {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Text { start, end: self.text.len() as u32 }
    }

    /// Returns the size of all texts of the record, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Stores `text` in the record, if any.
    pub fn add_optional(&mut self, text: Option<&str>) -> Text {
        text.map_or(Text::NONE, |text| self.add_text(text))
    }

    /// Returns an empty range that begins after all attributes added so far.
    pub fn begin_attributes(&self) -> AttributeRange {
        let at = self.all_attributes.len() as u32;
        AttributeRange { start: at, end: at, present: true }
    }

    /// Adds an attribute to `range`, which must be the most recent one begun.
    pub fn add_attribute(&mut self, range: &mut AttributeRange, attribute: Attribute) {
        self.all_attributes.push(attribute);
        range.end = self.all_attributes.len() as u32;
    }

    /// Adds a plan without elements.
    pub fn add_plan(&mut self, line: u64, selected: bool, score: f64, kind: Text) {
        let at = self.elements.len() as u32;
        let attributes = AttributeRange::default();
        self.plans.push(PlanRecord { line, selected, score, kind, attributes, first_element: at, end_element: at });
    }

    /// Returns the plan added last.
    pub fn last_plan_mut(&mut self) -> Option<&mut PlanRecord> {
        self.plans.last_mut()
    }

    /// Adds an element to the plan added last.
    pub fn add_element(&mut self, element: ElementRecord) {
        self.elements.push(element);
        if let Some(plan) = self.plans.last_mut() {
            plan.end_element = self.elements.len() as u32;
        }
    }

    /// Returns the elements of the plan at index `plan` for modification; empty if there is no such plan.
    pub fn elements_mut(&mut self, plan: usize) -> &mut [ElementRecord] {
        let Some(plan) = self.plans.get(plan) else { return &mut [] };
        let range = plan.first_element as usize..plan.end_element as usize;
        self.elements.get_mut(range).unwrap_or_default()
    }

    /// Replaces the elements of the plan at index `plan`, if there is such a plan.
    pub fn replace_elements(&mut self, plan: usize, elements: &[ElementRecord]) {
        let Some(&PlanRecord { first_element, end_element, .. }) = self.plans.get(plan) else { return };
        self.elements.splice(first_element as usize..end_element as usize, elements.iter().copied());
        let new_end = first_element + elements.len() as u32;
        for later in &mut self.plans[plan + 1..] {
            later.first_element = later.first_element - end_element + new_end;
            later.end_element = later.end_element - end_element + new_end;
        }
        self.plans[plan].end_element = new_end;
    }

    /// Returns the element added last to the plan added last.
    pub fn last_element_mut(&mut self) -> Option<&mut ElementRecord> {
        let begun = self.plans.last().is_some_and(|plan| plan.end_element > plan.first_element);
        if begun { self.elements.last_mut() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_marked_plan_is_selected_else_the_first() {
        let mut person = PersonRecord::new();
        assert_eq!(person.selected_plan(), None);
        person.add_plan(1, false, f64::NAN, Text::NONE);
        person.add_plan(2, false, f64::NAN, Text::NONE);
        assert_eq!(person.selected_plan(), Some(0));
        person.add_plan(3, true, f64::NAN, Text::NONE);
        person.add_plan(4, true, f64::NAN, Text::NONE);
        assert_eq!(person.selected_plan(), Some(3));
    }

    #[test]
    fn elements_of_other_plans_remain_when_those_of_one_are_replaced() {
        let leg = |line| {
            let (mode, attributes) = (Text::NONE, AttributeRange::default());
            ElementRecord::Leg(LegRecord { line, mode, departure_time: 0.0, travel_time: 0.0, attributes, route: None })
        };
        let mut person = PersonRecord::new();
        for line in 1..4 {
            person.add_plan(line, false, f64::NAN, Text::NONE);
            person.add_element(leg(line));
            person.add_element(leg(10 * line));
        }
        person.replace_elements(1, &[leg(7), leg(8), leg(9)]);
        person.replace_elements(0, &[leg(6)]);
        let elements: Vec<&[ElementRecord]> = person.plans().iter().map(|plan| person.elements(plan)).collect();
        assert_eq!(elements, [&[leg(6)][..], &[leg(7), leg(8), leg(9)], &[leg(3), leg(30)]]);
    }

    #[test]
    fn strings_and_attributes_are_read_back() {
        let mut person = PersonRecord::new();
        person.id = person.add_text("p1");
        let mut range = person.begin_attributes();
        let attribute = Attribute { name: person.add_text("age"), class: Text::NONE, value: person.add_text("30") };
        person.add_attribute(&mut range, attribute);
        assert_eq!(person.id(), "p1");
        assert_eq!(person.attribute(range, "age"), Some("30"));
        assert_eq!(person.attribute(range, "sex"), None);
        assert_eq!(person.optional(Text::NONE), None);
        person.clear();
        assert_eq!(person.optional(attribute.value), None);
    }
}
