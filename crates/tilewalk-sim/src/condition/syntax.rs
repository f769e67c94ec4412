//! Parses tokens into a tree, and writes a tree in the condition language.
//!
//! The precedence increases in this order: `or`, `and`, `not`, comparisons, `+` and `-`, `*` and
//! `/`, unary minus, values.

use core::fmt;
use core::ops::Range;

use crate::condition::ConditionError;
use crate::condition::lexer::{Token, TokenKind, tokens};
use crate::condition::words::Operator;

/// Maximum nesting depth of parentheses, calls and `not`.
const MAX_DEPTH: usize = 50;

/// A node of the parsed tree, in which names are not resolved yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// The operator, constant, name or call, with the operands of the node.
    pub kind: Shape<'a>,
    /// The byte range of the node in the text of the condition, including parentheses around it.
    pub span: Range<usize>,
}

/// The kind of a node, with its operands.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape<'a> {
    /// Two or more operands joined by `or`.
    Or(Vec<Node<'a>>),
    /// Two or more operands joined by `and`.
    And(Vec<Node<'a>>),
    /// A negation with its operand.
    Not(Box<Node<'a>>),
    /// A comparison operator and its two operands.
    Compare(&'a str, Box<Node<'a>>, Box<Node<'a>>),
    /// Two or more operands joined by `+` and `-`, or by `*` and `/`. Each operand after the first
    /// is stored with the operator before it.
    Arithmetic(Box<Node<'a>>, Vec<(Operator, Node<'a>)>),
    /// A minus sign before an operand that is not a number literal.
    Negative(Box<Node<'a>>),
    /// A number literal. The second value is true if the literal has no fraction and no exponent.
    Number(f64, bool),
    /// A text in quotes, stored without the quotes.
    Text(&'a str),
    /// A boolean constant: `true` or `false`.
    Constant(bool),
    /// Words separated by dots, such as `speed`, `guard.speed` or `boid.3.speed`.
    Path(Vec<&'a str>),
    /// A name for the members of a group, and the group: `a in boid`.
    Binding(&'a str, Box<Node<'a>>),
    /// The name of a called function, and its arguments.
    Call(&'a str, Vec<Node<'a>>),
    /// Values in brackets, such as the coordinates of a point or an area.
    List(Vec<Node<'a>>),
}

/// Parses the text of a condition into a tree.
///
/// # Errors
/// Returns the first error in the text. Parentheses, calls and `not` nested more than 50 levels
/// deep are an error.
pub fn parse(text: &str) -> Result<Node<'_>, ConditionError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0 };
    if parser.peek() == TokenKind::End {
        return Err(ConditionError::new(0..text.len(), "the condition is empty"));
    }
    let tree = parser.or()?;
    match parser.peek() {
        TokenKind::End => Ok(tree),
        TokenKind::Comparison(_) => Err(parser
            .error("comparisons can't be chained")
            .help("join two comparisons with `and`, as in `1 < x and x < 3`")),
        TokenKind::Word(_) | TokenKind::Number(_) | TokenKind::Text(_) | TokenKind::Mark(_) => {
            Err(parser.unexpected())
        }
    }
}

fn is_integer(digits: &str) -> bool {
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

struct Parser<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    depth: usize,
}

type Parsed<'a> = Result<Node<'a>, ConditionError>;

impl<'a> Parser<'_, 'a> {
    fn peek(&self) -> TokenKind<'a> {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].span.clone()
    }

    /// Returns the byte position of the end of the previous token.
    fn end(&self) -> usize {
        self.tokens[self.at.saturating_sub(1)].span.end
    }

    fn advance(&mut self) {
        // Never moves past the last token, which is `End`.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn takes(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, mark: char) -> Result<(), ConditionError> {
        if self.takes(TokenKind::Mark(mark)) {
            return Ok(());
        }
        Err(self.error(format!("expected `{mark}`, found {}", self.peek().words())))
    }

    fn error(&self, message: impl Into<String>) -> ConditionError {
        ConditionError::new(self.span(), message)
    }

    /// Returns the error for the current token.
    fn unexpected(&self) -> ConditionError {
        self.error(format!("unexpected {}", self.peek().words()))
    }

    fn or(&mut self) -> Parsed<'a> {
        self.chain("or", Shape::Or, |parser| parser.chain("and", Shape::And, Self::not))
    }

    /// Parses one or more operands separated by `word`.
    fn chain(
        &mut self,
        word: &str,
        shape: fn(Vec<Node<'a>>) -> Shape<'a>,
        part: impl Fn(&mut Self) -> Parsed<'a>,
    ) -> Parsed<'a> {
        let first = part(self)?;
        if self.peek() != TokenKind::Word(word) {
            return Ok(first);
        }
        let start = first.span.start;
        let mut parts = vec![first];
        while self.takes(TokenKind::Word(word)) {
            parts.push(part(self)?);
        }
        Ok(Node { kind: shape(parts), span: start..self.end() })
    }

    fn not(&mut self) -> Parsed<'a> {
        let start = self.span().start;
        if !self.takes(TokenKind::Word("not")) {
            return self.comparison();
        }
        let inner = self.deeper(Self::not)?;
        Ok(Node { kind: Shape::Not(Box::new(inner)), span: start..self.end() })
    }

    fn comparison(&mut self) -> Parsed<'a> {
        let left = self.sum()?;
        let TokenKind::Comparison(sign) = self.peek() else { return Ok(left) };
        self.advance();
        let right = self.sum()?;
        let span = left.span.start..right.span.end;
        Ok(Node { kind: Shape::Compare(sign, Box::new(left), Box::new(right)), span })
    }

    fn sum(&mut self) -> Parsed<'a> {
        self.arithmetic(false, |parser| parser.arithmetic(true, Self::unary))
    }

    /// Parses one or more operands joined by operators of one precedence.
    fn arithmetic(&mut self, tightly: bool, part: impl Fn(&mut Self) -> Parsed<'a>) -> Parsed<'a> {
        let first = part(self)?;
        let mut rest = Vec::new();
        while let TokenKind::Mark(mark) = self.peek()
            && let Some(operator) = Operator::of(mark)
            && operator.binds_tightly() == tightly
        {
            self.advance();
            rest.push((operator, part(self)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        let span = first.span.start..self.end();
        Ok(Node { kind: Shape::Arithmetic(Box::new(first), rest), span })
    }

    fn unary(&mut self) -> Parsed<'a> {
        let start = self.span().start;
        if !self.takes(TokenKind::Mark('-')) {
            return self.value();
        }
        let inner = self.deeper(Self::unary)?;
        let kind = if let Shape::Number(number, is_integer) = inner.kind {
            Shape::Number(-number, is_integer)
        } else {
            Shape::Negative(Box::new(inner))
        };
        Ok(Node { kind, span: start..self.end() })
    }

    /// Parses a nested part and checks the depth limit.
    fn deeper(&mut self, part: impl FnOnce(&mut Self) -> Parsed<'a>) -> Parsed<'a> {
        if self.depth >= MAX_DEPTH {
            return Err(
                self.error(format!("the condition is nested more than {MAX_DEPTH} levels deep"))
            );
        }
        self.depth += 1;
        let parsed = part(self);
        self.depth -= 1;
        parsed
    }

    fn value(&mut self) -> Parsed<'a> {
        let start = self.span().start;
        let kind = match self.peek() {
            TokenKind::Number(digits) => self.number(digits)?,
            TokenKind::Text(text) => {
                self.advance();
                Shape::Text(text)
            }
            TokenKind::Mark('(') => {
                self.advance();
                let inner = self.deeper(Self::or)?;
                self.expect(')')?;
                inner.kind
            }
            TokenKind::Mark('[') => {
                self.advance();
                Shape::List(self.list(']')?)
            }
            TokenKind::Word(word @ ("and" | "or")) => {
                return Err(self.error(format!("missing operand before `{word}`")));
            }
            TokenKind::Word(word) => self.named(word)?,
            TokenKind::End => return Err(self.error("unexpected end of the condition")),
            TokenKind::Mark(_) | TokenKind::Comparison(_) => return Err(self.unexpected()),
        };
        Ok(Node { kind, span: start..self.end() })
    }

    fn number(&mut self, digits: &str) -> Result<Shape<'a>, ConditionError> {
        let number: f64 = digits.parse().unwrap_or(f64::INFINITY);
        if !number.is_finite() {
            return Err(self.error(format!("the number {digits} is too large")));
        }
        self.advance();
        Ok(Shape::Number(number, is_integer(digits)))
    }

    /// Parses a constant, a path, a call or a binding, all of which start with a word.
    fn named(&mut self, word: &'a str) -> Result<Shape<'a>, ConditionError> {
        let start = self.span().start;
        self.advance();
        if self.takes(TokenKind::Mark('(')) {
            return Ok(Shape::Call(word, self.list(')')?));
        }
        if let Ok(constant) = word.parse() {
            return Ok(Shape::Constant(constant));
        }
        let mut path = vec![word];
        while self.takes(TokenKind::Mark('[')) {
            let TokenKind::Text(name) = self.peek() else {
                return Err(self.error("expected a name in quotes after `[`"));
            };
            self.advance();
            self.expect(']')?;
            if path == ["agent"] {
                path.clear();
            }
            path.push(name);
        }
        while self.takes(TokenKind::Mark('.')) {
            let found = self.peek();
            let part = match found {
                TokenKind::Word(part) => part,
                // The number of a group member. Only one number is allowed, since the lexer reads
                // `3.4` as a fraction.
                TokenKind::Number(part) if path.len() == 1 && is_integer(part) => part,
                TokenKind::Number(_)
                | TokenKind::Text(_)
                | TokenKind::Comparison(_)
                | TokenKind::Mark(_)
                | TokenKind::End => {
                    let found = found.words();
                    let message = format!("expected a field after `.`, found {found}");
                    return Err(self.error(message));
                }
            };
            self.advance();
            path.push(part);
        }
        if path.len() > 1 && self.takes(TokenKind::Mark('(')) {
            return Err(self.method(start, path));
        }
        if path.len() == 1 && self.takes(TokenKind::Word("in")) {
            return Ok(Shape::Binding(word, Box::new(self.deeper(Self::value)?)));
        }
        Ok(Shape::Path(path))
    }

    /// Returns the error for a call in the form of other languages, `guard.sees(thief)`.
    fn method(&mut self, start: usize, mut path: Vec<&'a str>) -> ConditionError {
        let arguments = match self.list(')') {
            Ok(arguments) => arguments,
            Err(error) => return error,
        };
        let span = start..self.end();
        let word = path.pop().unwrap_or_default();
        let owner = Node { kind: Shape::Path(path), span: span.clone() };
        let call = Shape::Call(word, [owner].into_iter().chain(arguments).collect());
        let call = Node { kind: call, span: span.clone() };
        let message = format!("`{word}` is not a method");
        ConditionError::new(span, message).help(format!("write `{call}`"))
    }

    /// Parses nodes separated by commas, up to `close`.
    fn list(&mut self, close: char) -> Result<Vec<Node<'a>>, ConditionError> {
        let mut parts = Vec::new();
        if self.takes(TokenKind::Mark(close)) {
            return Ok(parts);
        }
        loop {
            parts.push(self.deeper(Self::or)?);
            if !self.takes(TokenKind::Mark(',')) {
                break;
            }
        }
        self.expect(close)?;
        Ok(parts)
    }
}

impl fmt::Display for Node<'_> {
    /// Writes the node in the condition language. Adds parentheses only where they change the
    /// parsed tree.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Shape::Or(parts) => join(f, parts, " or ", |part| matches!(part, Shape::Or(_))),
            Shape::And(parts) => {
                join(f, parts, " and ", |part| matches!(part, Shape::Or(_) | Shape::And(_)))
            }
            Shape::Not(part) if matches!(part.kind, Shape::Or(_) | Shape::And(_)) => {
                write!(f, "not ({part})")
            }
            Shape::Not(part) => write!(f, "not {part}"),
            Shape::Compare(sign, left, right) => {
                operand(f, left)?;
                write!(f, " {sign} ")?;
                operand(f, right)
            }
            Shape::Arithmetic(first, rest) => {
                let binds = rest.first().map(|(operator, _)| operator.binds_tightly());
                let wrapped = |node: &Node| {
                    let Shape::Arithmetic(_, inner) = &node.kind else {
                        return is_logical(&node.kind);
                    };
                    let inner = inner.first().map(|(operator, _)| operator.binds_tightly());
                    inner == binds || inner == Some(false)
                };
                wrap(f, first, wrapped(first))?;
                for (operator, node) in rest {
                    write!(f, " {} ", operator.sign())?;
                    wrap(f, node, wrapped(node))?;
                }
                Ok(())
            }
            Shape::Negative(part) => {
                f.write_str("-")?;
                let wrapped = is_logical(&part.kind) || matches!(part.kind, Shape::Arithmetic(..));
                wrap(f, part, wrapped)
            }
            Shape::Number(number, true) => write!(f, "{number:.0}"),
            Shape::Number(number, false) => write!(f, "{number:?}"),
            Shape::Text(text) if text.contains('"') => write!(f, "'{text}'"),
            Shape::Text(text) => write!(f, "\"{text}\""),
            Shape::Constant(constant) => write!(f, "{constant}"),
            Shape::Path(path) => write_path(f, path),
            Shape::Binding(name, group) => {
                write!(f, "{name} in ")?;
                let wrapped = is_logical(&group.kind)
                    || matches!(group.kind, Shape::Arithmetic(..) | Shape::Negative(_))
                    || matches!(group.kind, Shape::Number(number, _) if number.is_sign_negative());
                wrap(f, group, wrapped)
            }
            Shape::Call(word, parts) => {
                write!(f, "{word}(")?;
                join(f, parts, ", ", |_| false)?;
                f.write_str(")")
            }
            Shape::List(parts) => {
                f.write_str("[")?;
                join(f, parts, ", ", |_| false)?;
                f.write_str("]")
            }
        }
    }
}

/// Writes a path. Names with unusual characters are written in brackets.
fn write_path(f: &mut fmt::Formatter<'_>, path: &[&str]) -> fmt::Result {
    let is_plain = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    for (index, name) in path.iter().enumerate() {
        let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
        if is_plain(name) && (index > 0 || !starts_with_digit) {
            write!(f, "{}{name}", if index == 0 { "" } else { "." })?;
            continue;
        }
        let quote = if name.contains('"') { '\'' } else { '"' };
        write!(f, "{}[{quote}{name}{quote}]", if index == 0 { "agent" } else { "" })?;
    }
    Ok(())
}

/// Writes operands with a separator, and puts an operand in parentheses if `wrapped` returns true.
fn join(
    f: &mut fmt::Formatter<'_>,
    parts: &[Node],
    between: &str,
    wrapped: impl Fn(&Shape) -> bool,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { between })?;
        if wrapped(&part.kind) { write!(f, "({part})")? } else { write!(f, "{part}")? }
    }
    Ok(())
}

fn operand(f: &mut fmt::Formatter<'_>, node: &Node) -> fmt::Result {
    wrap(f, node, is_logical(&node.kind))
}

fn wrap(f: &mut fmt::Formatter<'_>, node: &Node, wrapped: bool) -> fmt::Result {
    if wrapped { write!(f, "({node})") } else { write!(f, "{node}") }
}

/// Returns true for nodes that need parentheses as an operand of a comparison or of arithmetic.
fn is_logical(shape: &Shape) -> bool {
    matches!(shape, Shape::Or(_) | Shape::And(_) | Shape::Not(_) | Shape::Compare(..))
}
