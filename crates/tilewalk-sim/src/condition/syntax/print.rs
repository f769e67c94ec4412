//! Writes a parsed tree in the condition language.

use core::fmt;

use super::{Node, Shape};

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
            Shape::Path(path) => f.write_str(&path.join(".")),
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
