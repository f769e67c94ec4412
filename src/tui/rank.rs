//! Ranks names by how well they match typed text.

/// Returns at most `most` candidates whose names match `wanted`, best matches first.
///
/// Names that start with the text come first, then names that contain the text, then names that
/// contain the letters of the text in order. Equal matches keep their order.
pub fn best<T>(
    candidates: impl IntoIterator<Item = T>,
    name: impl Fn(&T) -> String,
    wanted: &str,
    most: usize,
) -> Vec<T> {
    let wanted = wanted.to_lowercase();
    let mut ranks = [const { Vec::new() }; 3];
    for candidate in candidates {
        let Some(rank) = rank(&name(&candidate).to_lowercase(), &wanted) else { continue };
        if ranks[rank].len() < most {
            ranks[rank].push(candidate);
        }
        if ranks[0].len() == most {
            break;
        }
    }
    ranks.into_iter().flatten().take(most).collect()
}

fn rank(name: &str, wanted: &str) -> Option<usize> {
    let mut letters = name.chars();
    match () {
        () if name.starts_with(wanted) => Some(0),
        () if name.contains(wanted) => Some(1),
        () if wanted.chars().all(|letter| letters.any(|other| other == letter)) => Some(2),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_by_prefix_substring_or_letters_in_order() {
        assert_eq!(rank("boid.12", "bo"), Some(0));
        assert_eq!(rank("boid.12", "id"), Some(1));
        assert_eq!(rank("boid.12", "b2"), Some(2));
        assert_eq!(rank("boid.12", "21"), None);
        let names = ["step", "follow", "fit", "of"];
        assert_eq!(best(names, ToString::to_string, "F", 9), ["follow", "fit", "of"]);
        assert_eq!(best(names, ToString::to_string, "f", 2), ["follow", "fit"]);
    }
}
