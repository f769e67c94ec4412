//! Resolves names and checks types: converts the parsed tree into a checked tree.

mod calls;

use core::cell::RefCell;
use core::ops::Range;

use crate::geom::Vec2;
use crate::id::{AgentId, GroupId, Instance};
use crate::map::Map;
use crate::rng::name_hash;
use crate::steering::SightTarget;
use crate::trace::{ValueColumn, Values};

use super::ConditionError;
use super::agents::{Agents, Members, Subject};
use super::functions::is_reserved;
use super::syntax::{Node, Shape};
use super::tree::{Compared, ModeName, Number, Test, Text, Value};
use super::words::{FIELDS, Field, WORLD_FIELDS};
use calls::CallSite;

/// The names that a condition can use.
pub trait Scope {
    /// Returns the agent, group or place with a name. Returns `None` if the name is unknown.
    fn find(&self, name: &str) -> Option<Named>;

    /// Returns a member of a numbered group, such as `boid.3`, or an instance of a template, such
    /// as `missile.3`. Returns `None` if no such agent can exist.
    fn member(&self, group: &str, number: &str) -> Option<Named>;

    /// Returns the number of members of a group, including absent ones.
    fn size(&self, group: GroupId) -> usize;

    /// Returns all known names, for suggestions in error messages.
    fn names(&self) -> Vec<&str>;

    /// Returns the names of the modes that an agent, or at least one member of a group, can have.
    /// Returns `None` if any mode is valid, because the modes are not known yet.
    fn modes(&self, of: Named) -> Option<Vec<&str>>;

    /// Returns the name of an agent or a group, for error messages.
    fn name(&self, of: Named) -> String;

    /// Returns whether an agent, or at least one member of a group, watches a target. Returns `None`
    /// if the targets of agents are not known yet.
    fn watches(&self, observer: Named, target: SightTarget) -> Option<bool>;

    /// Returns the map on which points and areas must be. Returns `None` if any point is plausible.
    fn map(&self) -> Option<&Map>;

    /// Returns the columns of the trace, which are additional fields of agents. Empty without a
    /// trace.
    fn columns(&self) -> &[ValueColumn] {
        &[]
    }
}

impl<S: Scope + ?Sized> Scope for &S {
    fn find(&self, name: &str) -> Option<Named> {
        (**self).find(name)
    }

    fn member(&self, group: &str, number: &str) -> Option<Named> {
        (**self).member(group, number)
    }

    fn size(&self, group: GroupId) -> usize {
        (**self).size(group)
    }

    fn names(&self) -> Vec<&str> {
        (**self).names()
    }

    fn modes(&self, of: Named) -> Option<Vec<&str>> {
        (**self).modes(of)
    }

    fn name(&self, of: Named) -> String {
        (**self).name(of)
    }

    fn watches(&self, observer: Named, target: SightTarget) -> Option<bool> {
        (**self).watches(observer, target)
    }

    fn map(&self) -> Option<&Map> {
        (**self).map()
    }

    fn columns(&self) -> &[ValueColumn] {
        (**self).columns()
    }
}

/// The agent, group or place that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Named {
    /// A single agent, by its id.
    Agent(AgentId),
    /// An instance of a template. It may be absent from the world.
    Instance(Instance),
    /// A group of agents, by its id.
    Group(GroupId),
    /// The position of a place on the map, in tiles.
    Place(Vec2),
}

impl From<SightTarget> for Named {
    fn from(target: SightTarget) -> Self {
        match target {
            SightTarget::Agent(id) => Self::Agent(id),
            SightTarget::Group(group) => Self::Group(group),
        }
    }
}

/// Use of a condition. The use determines which functions and fields are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionContext {
    /// The condition of a transition. A field without an agent name refers to the agent of the
    /// transition.
    Rule,
    /// The condition of a breakpoint, or another condition outside agents. Every field needs an
    /// agent name.
    Global,
    /// The condition of a spawn rule. Every field needs an agent name.
    Spawn,
}

/// Checks a parsed condition.
///
/// # Errors
/// Returns the first unknown name or wrong type.
pub(super) fn check(
    tree: &Node,
    scope: &impl Scope,
    context: ConditionContext,
) -> Result<Noted<Test>, ConditionError> {
    let mut checker = Checker::new(scope, context);
    let test = checker.test(tree)?;
    Ok((test, checker.notes.into_inner()))
}

/// A checked tree, and what is probably a mistake in it.
pub(super) type Noted<T> = (T, Vec<ConditionError>);

/// Checks the targets of `noticed` in the condition of a transition. All agents must be known.
///
/// # Errors
/// Returns an error if an agent does not watch the target.
pub(super) fn check_noticed(tree: &Node, scope: &impl Scope) -> Result<(), ConditionError> {
    let checker = Checker::new(scope, ConditionContext::Rule);
    Checker { is_recheck: true, ..checker }.test(tree).map(|_| ())
}

/// Checks a parsed numeric expression.
///
/// # Errors
/// Returns the first unknown name or wrong type.
pub(super) fn check_number(
    tree: &Node,
    scope: &impl Scope,
    context: ConditionContext,
) -> Result<Noted<Number>, ConditionError> {
    let mut checker = Checker::new(scope, context);
    let number = checker.number(tree)?;
    Ok((number, checker.notes.into_inner()))
}

/// Checks a parsed value. Returns the test that the value has changed.
///
/// # Errors
/// Returns the first unknown name or wrong type.
pub(super) fn check_change(tree: &Node, scope: &impl Scope) -> Result<Noted<Test>, ConditionError> {
    let mut checker = Checker::new(scope, ConditionContext::Global);
    let test = checker.change(tree)?;
    Ok((test, checker.notes.into_inner()))
}

struct Checker<'a, S> {
    scope: &'a S,
    context: ConditionContext,
    me: Me,
    /// Member names that the condition defines, outermost first. Each name is stored with its group
    /// or agent; `None` for the agent of the condition.
    bound: Vec<(String, Option<Named>)>,
    /// Number of random draws found in the condition so far.
    draws: u32,
    /// Whether only the targets of `noticed` are checked again.
    is_recheck: bool,
    /// Valid points and areas that are probably a mistake.
    notes: RefCell<Vec<ConditionError>>,
}

/// Agent to which a field without an agent name refers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Me {
    /// There is no such agent: every field needs an agent name.
    Missing,
    /// The agent of the condition.
    Own,
    /// A member of a group, or a single agent. `None` stands for the agent of the condition.
    Member(Option<Named>),
}

/// The built-in group of all agents.
const EVERYONE: Named = Named::Group(GroupId::EVERYONE);

type Checked<T> = Result<T, ConditionError>;

fn error<T>(span: &Range<usize>, message: impl Into<String>) -> Checked<T> {
    Err(ConditionError::new(span.clone(), message))
}

impl<'a, S: Scope> Checker<'a, S> {
    fn new(scope: &'a S, context: ConditionContext) -> Self {
        let me = if context == ConditionContext::Rule { Me::Own } else { Me::Missing };
        let (bound, notes) = (Vec::new(), RefCell::default());
        Self { scope, context, me, bound, draws: 0, is_recheck: false, notes }
    }

    fn test(&mut self, node: &Node) -> Checked<Test> {
        match self.value(node)? {
            Value::Test(test) => Ok(test),
            other @ (Value::Number(_) | Value::Text(_)) => {
                let found = other.type_word();
                Err(ConditionError::new(
                    node.span.clone(),
                    format!("expected a condition, found {found}"),
                )
                .help("compare the value with another value"))
            }
        }
    }

    fn number(&mut self, node: &Node) -> Checked<Number> {
        match self.value(node)? {
            Value::Number(number) => Ok(number),
            other @ (Value::Test(_) | Value::Text(_)) => {
                error(&node.span, format!("expected a number, found {}", other.type_word()))
            }
        }
    }

    fn tests(&mut self, nodes: &[Node]) -> Checked<Vec<Test>> {
        nodes.iter().map(|node| self.test(node)).collect()
    }

    fn value(&mut self, node: &Node) -> Checked<Value> {
        Ok(match &node.kind {
            Shape::Or(parts) => Value::Test(Test::Or(self.tests(parts)?)),
            Shape::And(parts) => Value::Test(Test::And(self.tests(parts)?)),
            Shape::Not(part) => Value::Test(Test::Not(Box::new(self.test(part)?))),
            Shape::Compare(sign, left, right) => {
                Value::Test(self.compare(sign, left, right, &node.span)?)
            }
            &Shape::Number(number, _) => Value::Number(Number::Literal(round_literal(number))),
            Shape::Text(text) => Value::Text(Text::Literal(ModeName {
                name: (*text).to_owned(),
                key: name_hash(text),
                of: None,
                span: node.span.clone(),
            })),
            &Shape::Constant(constant) => Value::Test(Test::Constant(constant)),
            Shape::Path(path) => self.path(path, &node.span)?,
            Shape::Arithmetic(first, rest) => {
                let first = Box::new(self.number(first)?);
                let rest = rest.iter().map(|(operator, node)| Ok((*operator, self.number(node)?)));
                Value::Number(Number::Arithmetic(first, rest.collect::<Checked<_>>()?))
            }
            Shape::Negative(part) => Value::Number(Number::Negative(Box::new(self.number(part)?))),
            Shape::Binding(name, group) => {
                return Err(ConditionError::new(node.span.clone(), "unexpected `in`")
                    .help(format!("write `in({name}, {group})`")));
            }
            Shape::Call(word, arguments) => self.call(word, arguments, &node.span)?,
            Shape::List(_) => return error(&node.span, "unexpected list"),
        })
    }

    fn compare(
        &mut self,
        sign: &str,
        left: &Node,
        right: &Node,
        span: &Range<usize>,
    ) -> Checked<Test> {
        let sign = Compared::SIGNS.into_iter().find(|&(known, _)| known == sign);
        let Some((word, sign)) = sign else { return error(span, "unknown comparison operator") };
        let equality = matches!(sign, Compared::Equal | Compared::Unequal);
        if let (true, Some(left), Some(right)) = (equality, self.named(left), self.named(right)) {
            return Ok(Test::Is(sign == Compared::Equal, left, right));
        }
        let (left_value, right_value) = (self.value(left), self.value(right));
        check_quotes(&left_value, right, &right_value)?;
        check_quotes(&right_value, left, &left_value)?;
        match (left_value?, right_value?) {
            (Value::Number(left), Value::Number(right)) => Ok(Test::Compare(sign, left, right)),
            (Value::Text(left), Value::Text(right)) if equality => {
                self.check_mode(&left, &right)?;
                self.check_mode(&right, &left)?;
                let (left, right) = self.with_agents(left, right);
                Ok(Test::Same { equal: sign == Compared::Equal, left, right })
            }
            (Value::Text(_), Value::Text(_)) => {
                error(span, format!("`{word}` can't compare strings; use `==` or `!=`"))
            }
            (Value::Test(_), Value::Test(_)) => {
                Err(ConditionError::new(span.clone(), "can't compare booleans")
                    .help("write `blocked` or `not blocked`"))
            }
            (left, right) => {
                let (left, right) = (left.type_word(), right.type_word());
                error(span, format!("can't compare {left} with {right}"))
            }
        }
    }

    fn path(&self, path: &[&str], span: &Range<usize>) -> Checked<Value> {
        match *path {
            [word] if WORLD_FIELDS.contains(&word) => {
                Ok(Value::Number(if word == "frame" { Number::Frame } else { Number::Time }))
            }
            [word] if self.bound_index(word).is_some() => not_a_condition(word, span),
            [word] => match field(word) {
                Some(found) if self.me != Me::Missing => Ok(value_of(Subject::Me, found)),
                None if self.me != Me::Missing && self.column(word).is_some() => {
                    let column = self.column(word).map(|column| column_of(Subject::Me, column));
                    column.ok_or_else(|| self.unknown(word, span))
                }
                Some(_) => {
                    let agent = self.bound.last().map_or("guard", |(name, _)| name);
                    Err(ConditionError::new(span.clone(), format!("missing agent for `{word}`"))
                        .help(format!("write the agent's name first, as in `{agent}.{word}`")))
                }
                None if self.find(word).is_some() => not_a_condition(word, span),
                None => Err(self.unknown(word, span)),
            },
            [.., last] => {
                if let Some(value) = self.traced(path, span) {
                    return value;
                }
                let subject = self.subject(&path[..path.len() - 1], span)?;
                if let Some(found) = field(last) {
                    return Ok(value_of(subject, found));
                }
                let columns = self.scope.columns().iter().map(|column| column.name.as_str());
                let fields = columns.chain(FIELDS.iter().map(|&(word, _)| word));
                let message = format!("unknown field `{last}`");
                Err(ConditionError::new(span.clone(), message).unknown(last, fields))
            }
            [] => error(span, "missing name"),
        }
    }

    /// Returns the column of the trace with a name, and its index. The names of fields do not mean
    /// columns.
    fn column(&self, name: &str) -> Option<(u32, &ValueColumn)> {
        let columns = (0..).zip(self.scope.columns());
        columns.filter(|_| field(name).is_none()).find(|(_, column)| column.name == name)
    }

    /// Returns the value of an agent in a column of the trace, whose name can contain dots. Returns
    /// `None` if the path does not end with the name of a column.
    fn traced(&self, path: &[&str], span: &Range<usize>) -> Option<Checked<Value>> {
        let column = |split: usize| Some((split, self.column(&path[split..].join("."))?));
        let (split, column) = (1..path.len()).rev().find_map(column)?;
        let subject = self.subject(&path[..split], span);
        Some(subject.map(|subject| column_of(subject, column)))
    }

    /// Returns the agent, group or place with a name. A member name hides the built-in group.
    fn find(&self, word: &str) -> Option<Named> {
        let found = self.scope.find(word);
        found.filter(|&named| named != EVERYONE || self.bound_index(word).is_none())
    }

    /// Returns the index of a member name, counted from the innermost name; `None` if no member has
    /// this name.
    fn bound_index(&self, word: &str) -> Option<u8> {
        self.bound.iter().rev().position(|(name, _)| name == word).map(|index| index as u8)
    }

    /// Returns the agent or member that a node names; `None` for other nodes.
    fn named(&self, node: &Node) -> Option<Subject> {
        let Shape::Path(path) = &node.kind else { return None };
        self.subject(path, &node.span).ok()
    }

    /// Returns the agent or member that a path names, such as `guard` or `boid.3`. Returns an error
    /// for any other name.
    fn subject(&self, path: &[&str], span: &Range<usize>) -> Checked<Subject> {
        let name = path.join(".");
        match *path {
            [group, number] => match self.scope.member(group, number) {
                Some(Named::Agent(id)) => Ok(Subject::Agent(id)),
                Some(Named::Instance(instance)) => Ok(Subject::Instance(instance)),
                Some(Named::Group(_) | Named::Place(_)) | None => {
                    Err(self.unknown_agent(&name, span))
                }
            },
            [word] => match self.find(word) {
                Some(Named::Agent(id)) => Ok(Subject::Agent(id)),
                Some(Named::Instance(instance)) => Ok(Subject::Instance(instance)),
                Some(Named::Group(_)) => {
                    let message = format!("expected one agent, but `{word}` is a group");
                    let help = format!(
                        "write `any({word}, …)`, `all({word}, …)`, `mean({word}, …)` or `{word}.1`"
                    );
                    Err(ConditionError::new(span.clone(), message).help(help))
                }
                Some(Named::Place(_)) => {
                    error(span, format!("expected an agent, but `{word}` is a place"))
                }
                // A member never has the name of an agent, a group or a place.
                None => match self.bound_index(word) {
                    Some(back) => Ok(Subject::Bound(back)),
                    None => Err(self.unknown_agent(word, span)),
                },
            },
            _ => Err(self.unknown_agent(&name, span)),
        }
    }

    fn unknown_agent(&self, word: &str, span: &Range<usize>) -> ConditionError {
        let message = format!("unknown name `{word}`");
        ConditionError::new(span.clone(), message).unknown(word, self.names())
    }

    /// Returns all names of agents, groups, places and members.
    fn names(&self) -> impl Iterator<Item = &str> {
        let bound = self.bound.iter().map(|(name, _)| name.as_str());
        bound.chain(self.scope.names())
    }

    fn unknown(&self, word: &str, span: &Range<usize>) -> ConditionError {
        let fields = FIELDS.iter().map(|&(word, _)| word);
        let known = self.names().chain(fields).chain(WORLD_FIELDS);
        ConditionError::new(span.clone(), format!("unknown name `{word}`")).unknown(word, known)
    }
}

fn not_a_condition(word: &str, span: &Range<usize>) -> Checked<Value> {
    Err(ConditionError::new(span.clone(), format!("`{word}` is not a condition"))
        .help(format!("use a field, as in `{word}.speed`, or a call, as in `sees({word})`")))
}

fn field(word: &str) -> Option<Field> {
    FIELDS.into_iter().find(|&(known, _)| known == word).map(|(_, field)| field)
}

fn value_of(subject: Subject, field: Field) -> Value {
    match field {
        Field::Quantity(quantity) => Value::Number(Number::Quantity(subject, quantity)),
        Field::Fact(fact) => Value::Test(Test::Fact(subject, fact)),
        Field::Mode => Value::Text(Text::Mode(subject)),
    }
}

/// Returns the value of an agent in a column of the trace. The column is stored with its index.
fn column_of(subject: Subject, (index, column): (u32, &ValueColumn)) -> Value {
    match column.values {
        Values::Numbers(_) => Value::Number(Number::Traced(subject, index)),
        Values::Texts(_) => Value::Text(Text::Traced(subject, index)),
    }
}

/// Returns an error with quotes as advice if a word without quotes is compared with a mode.
fn check_quotes(mode: &Checked<Value>, node: &Node, value: &Checked<Value>) -> Checked<()> {
    match (mode, &node.kind, value) {
        (_, _, Ok(Value::Text(_))) => Ok(()),
        (Ok(Value::Text(Text::Mode(_))), Shape::Path(path), _) if path.len() == 1 => {
            let word = path[0];
            if matches!(field(word), Some(Field::Mode)) {
                return Ok(());
            }
            error(&node.span, format!("mode names need quotes: \"{word}\""))
        }
        _ => Ok(()),
    }
}

/// Rounds a number with a fraction to f32, because fields have this precision.
fn round_literal(number: f64) -> f64 {
    if number.fract() == 0.0 { number } else { f64::from(number as f32) }
}

impl<S: Scope> Checker<'_, S> {
    /// Checks the name of an agent or a group.
    fn agents(&self, node: &Node) -> Checked<Agents> {
        let Shape::Path(path) = &node.kind else {
            return error(&node.span, "expected an agent or a group");
        };
        if let [word] = path[..]
            && self.bound_index(word).is_none()
        {
            match self.find(word) {
                Some(Named::Group(group)) => return Ok(Agents::Group(group)),
                Some(Named::Place(_)) => {
                    let message = format!("expected an agent or a group, but `{word}` is a place");
                    return error(&node.span, message);
                }
                Some(Named::Agent(_) | Named::Instance(_)) | None => {}
            }
        }
        self.subject(path, &node.span).map(Agents::One)
    }

    /// Checks the arguments of a function of a group: `(group, argument)` or `(a in group,
    /// argument)`. Returns the members and the checked argument.
    fn members<T>(
        &mut self,
        arguments: &[Node],
        call: &CallSite,
        check: impl FnOnce(&mut Self, &Node) -> Checked<T>,
    ) -> Checked<(Members, T)> {
        let [first, argument] = arguments else { return Err(call.wrong_count()) };
        let (name, group) = if let Shape::Binding(name, group) = &first.kind {
            (Some(*name), group.as_ref())
        } else {
            (None, first)
        };
        let of = self.agents(group)?;
        let set = match of {
            Agents::Group(group) => Some(Named::Group(group)),
            Agents::One(subject) => self.set_of(subject),
        };
        let members = Members { of, is_named: name.is_some() };
        let Some(name) = name else {
            let me = core::mem::replace(&mut self.me, Me::Member(set));
            let checked = check(self, argument);
            self.me = me;
            return Ok((members, checked?));
        };
        let start = first.span.start;
        self.check_new_name(name, start..start + name.len())?;
        self.bound.push((name.to_owned(), set));
        let checked = check(self, argument);
        self.bound.pop();
        Ok((members, checked?))
    }

    /// Returns an error if a new member name already has another meaning.
    fn check_new_name(&self, name: &str, span: Range<usize>) -> Checked<()> {
        let found = self.scope.find(name);
        let reason = if found.is_some_and(|named| named != EVERYONE) {
            "an agent, a group or a place has this name"
        } else if self.bound_index(name).is_some() {
            "an outer function uses this name"
        } else if is_reserved(name) {
            "conditions use this word"
        } else {
            return Ok(());
        };
        let message = format!("the name `{name}` is already used");
        Err(ConditionError::new(span, message).help(format!("choose another name: {reason}")))
    }
}

impl<S: Scope> Checker<'_, S> {
    /// Returns an error if a mode name is compared with the mode of an agent that does not have
    /// such a mode. For a group, at least one member must have it.
    fn check_mode(&self, name: &Text, mode: &Text) -> Checked<()> {
        let (Text::Literal(name), Text::Mode(subject)) = (name, mode) else { return Ok(()) };
        if self.is_recheck {
            return Ok(());
        }
        let Some(owner) = self.set_of(*subject) else { return Ok(()) };
        let Some(modes) = self.scope.modes(owner) else { return Ok(()) };
        if modes.contains(&name.name.as_str()) {
            return Ok(());
        }
        let message = format!("{} has no mode \"{}\"", self.scope.name(owner), name.name);
        Err(ConditionError::new(name.span.clone(), message).unknown(&name.name, modes))
    }

    /// Returns the agent or group that a subject belongs to. Returns `None` for the agent of the
    /// condition.
    fn set_of(&self, subject: Subject) -> Option<Named> {
        match subject {
            Subject::Me => match self.me {
                Me::Missing | Me::Own => None,
                Me::Member(of) => of,
            },
            Subject::Bound(back) => {
                self.bound.iter().rev().nth(back.into()).and_then(|(_, of)| *of)
            }
            Subject::Agent(id) => Some(Named::Agent(id)),
            Subject::Instance(instance) => Some(Named::Instance(instance)),
        }
    }

    /// Completes a comparison of texts. If a mode name is compared with the mode of an agent,
    /// stores that agent in the mode name.
    fn with_agents(&self, left: Text, right: Text) -> (Text, Text) {
        let of = |text: &Text| match text {
            Text::Mode(Subject::Me) if self.me != Me::Own => None,
            Text::Mode(Subject::Bound(_)) | Text::Literal(_) | Text::Traced(..) => None,
            Text::Mode(subject) => Some(*subject),
        };
        let compared = |text: Text, of: Option<Subject>| match text {
            Text::Literal(name) => Text::Literal(ModeName { of, ..name }),
            other @ (Text::Mode(_) | Text::Traced(..)) => other,
        };
        let (of_left, of_right) = (of(&left), of(&right));
        (compared(left, of_right), compared(right, of_left))
    }
}
