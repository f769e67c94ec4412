//! The pages of the inspector, and their names in the inspector's lower border.

/// A page of the inspector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// The explanation of the agent's last step.
    #[default]
    Why,
    /// All values of the agent's body.
    Body,
    ForceBreakdown,
    /// The pattern, shown as a program.
    Pattern,
    /// The state machine: modes, transitions and memory.
    Modes,
    /// Plots of the agent's values in the last seconds.
    Plots,
    /// The log of events that happened to the agent.
    Events,
}

impl Tab {
    /// All pages, in display order.
    pub const ALL: [Self; 7] = [
        Self::Why,
        Self::Body,
        Self::ForceBreakdown,
        Self::Pattern,
        Self::Modes,
        Self::Plots,
        Self::Events,
    ];

    /// Returns the name shown in the border.
    pub fn word(self) -> &'static str {
        ["why", "body", "forces", "pattern", "modes", "plots", "events"][self as usize]
    }

    /// Returns the page `by` places further, wrapping around.
    #[must_use]
    pub fn further(self, by: isize) -> Self {
        let count = Self::ALL.len();
        Self::ALL[(self as usize + count).saturating_add_signed(by) % count]
    }
}

/// Name of a page in the border: the page, the first column of the name, and the text.
pub type Label = (Tab, u16, String);

/// Returns the names of all pages, with the current one in brackets. To fit into `width` columns,
/// numbers are omitted, then names are shortened. If nothing fits, only the current page is named.
pub fn strip(shown: Tab, width: u16) -> Vec<Label> {
    let numbered = |tab: Tab| format!("{} {}", tab as usize + 1, tab.word());
    let named = |tab: Tab| tab.word().to_owned();
    let short = |tab: Tab| tab.word().chars().take(3).collect::<String>();
    let spellings: [&dyn Fn(Tab) -> String; 3] = [&numbered, &named, &short];
    let strips = spellings.into_iter().map(|spelling| placed(shown, spelling));
    let fits = |strip: &Vec<Label>| {
        // One column stays free at each end.
        strip.last().is_none_or(|(_, x, text)| usize::from(*x) + text.len() < usize::from(width))
    };
    let alone = || {
        let text = format!("[{}] {}/{}", shown.word(), shown as usize + 1, Tab::ALL.len());
        if text.len() + 2 > usize::from(width) { Vec::new() } else { vec![(shown, 1, text)] }
    };
    strips.into_iter().find(fits).unwrap_or_else(alone)
}

fn placed(shown: Tab, spelling: &dyn Fn(Tab) -> String) -> Vec<Label> {
    let mut x = 1;
    let place = |tab| {
        let text = spelling(tab);
        let text = if tab == shown { format!("[{text}]") } else { text };
        let begin = x;
        x += text.len() as u16 + 1;
        (tab, begin, text)
    };
    Tab::ALL.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_until_they_fit() {
        let text = |width| {
            let strip = strip(Tab::Body, width);
            strip.into_iter().map(|(_, _, text)| text).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(text(62), "1 why [2 body] 3 forces 4 pattern 5 modes 6 plots 7 events");
        assert_eq!(text(46), "why [body] forces pattern modes plots events");
        assert_eq!(text(38), "why [bod] for pat mod plo eve");
        assert_eq!(text(20), "[body] 2/7");
        assert_eq!(text(5), "");
        for width in 0..80 {
            let strip = strip(Tab::Events, width);
            assert!(strip.iter().all(|(_, x, text)| x + (text.len() as u16) < width));
        }
    }

    #[test]
    fn tabs_wrap_around_at_both_ends() {
        assert_eq!((Tab::Why.further(-1), Tab::Events.further(1)), (Tab::Events, Tab::Why));
    }
}
