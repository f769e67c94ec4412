//! Parses tokens into a tree. The precedence increases in this order: `or`, `and`, `not`,
//! comparisons, values.

use core::fmt;
use core::ops::Range;

use super::ConditionError;
use super::lexer::{Token, TokenKind, tokens};

/// Maximum nesting depth of parentheses, calls and `not`.
const MAX_DEPTH: usize = 50;

/// A node of the parsed tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// The kind and children of the node.
    pub kind: Shape<'a>,
    /// The byte range of the node in the text.
    pub span: Range<usize>,
}

/// The kind and children of a node.
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
    /// A number, and whether the number is written as an integer.
    Number(f64, bool),
    /// A text in quotes, stored without the quotes.
    Text(&'a str),
    /// A boolean constant: `true` or `false`.
    Constant(bool),
    /// Words separated by dots, such as `speed`, `guard.speed` or `boid.3.speed`.
    Path(Vec<&'a str>),
    /// A call `word(…)` with its arguments.
    Call(&'a str, Vec<Node<'a>>),
    /// A list of nodes in brackets.
    List(Vec<Node<'a>>),
}

impl fmt::Display for Node<'_> {
    /// Writes the node in the condition language, with as few parentheses as possible.
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
            Shape::Number(number, true) => write!(f, "{number:.0}"),
            Shape::Number(number, false) => write!(f, "{number:?}"),
            Shape::Text(text) if text.contains('"') => write!(f, "'{text}'"),
            Shape::Text(text) => write!(f, "\"{text}\""),
            Shape::Constant(constant) => write!(f, "{constant}"),
            Shape::Path(path) => f.write_str(&path.join(".")),
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

/// Writes operands with a separator. Puts operands in parentheses for which `wrapped` returns true.
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
    let compound =
        matches!(node.kind, Shape::Or(_) | Shape::And(_) | Shape::Not(_) | Shape::Compare(..));
    if compound { write!(f, "({node})") } else { write!(f, "{node}") }
}

/// Parses a condition.
///
/// # Errors
/// Returns the first error in the text.
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
        found => Err(parser.error(format!("unexpected {}", found.words()))),
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
        let left = self.value()?;
        let TokenKind::Comparison(sign) = self.peek() else { return Ok(left) };
        self.advance();
        let right = self.value()?;
        let span = left.span.start..right.span.end;
        Ok(Node { kind: Shape::Compare(sign, Box::new(left), Box::new(right)), span })
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
            TokenKind::Number(_) => self.number(1.0)?,
            TokenKind::Mark('-') => {
                self.advance();
                if !matches!(self.peek(), TokenKind::Number(_)) {
                    return Err(self.error("expected a number after `-`"));
                }
                self.number(-1.0)?
            }
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
            found => return Err(self.error(format!("unexpected {}", found.words()))),
        };
        Ok(Node { kind, span: start..self.end() })
    }

    fn number(&mut self, sign: f64) -> Result<Shape<'a>, ConditionError> {
        let TokenKind::Number(digits) = self.peek() else {
            return Err(self.error("expected a number"));
        };
        let number: f64 = digits.parse().unwrap_or(f64::INFINITY);
        if !number.is_finite() {
            return Err(self.error(format!("the number {digits} is too large")));
        }
        self.advance();
        Ok(Shape::Number(sign * number, is_integer(digits)))
    }

    /// Parses a constant, a path or a call, all of which start with a word.
    fn named(&mut self, word: &'a str) -> Result<Shape<'a>, ConditionError> {
        self.advance();
        if self.takes(TokenKind::Mark('(')) {
            return Ok(Shape::Call(word, self.list(')')?));
        }
        if let Ok(constant) = word.parse() {
            return Ok(Shape::Constant(constant));
        }
        let mut path = vec![word];
        while self.takes(TokenKind::Mark('.')) {
            let found = self.peek();
            let part = match found {
                TokenKind::Word(part) => part,
                // The number of a group member. Only one number is allowed, since the lexer reads
                // `3.4` as a fraction.
                TokenKind::Number(part) if path.len() == 1 && is_integer(part) => part,
                _ => {
                    let found = found.words();
                    let message = format!("expected a field after `.`, found {found}");
                    return Err(self.error(message));
                }
            };
            self.advance();
            path.push(part);
        }
        Ok(Shape::Path(path))
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
