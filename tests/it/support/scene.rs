//! Scenes: screens of every kind. Each scene has one stored picture. The tests in `laws/scenes.rs` draw it at
//! many sizes.

use std::collections::BTreeMap;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use tilewalk::tui::app::App;
use tilewalk::tui::input::Input;
use tilewalk::tui::theme::{HEAT_LEVELS, STYLES, Theme};

use super::screen::{Look, Size, drawn, rows_of};

type MakeApp = Box<dyn Fn(Size) -> App>;

/// One kind of screen.
pub struct Scene {
    pub name: String,
    /// The size of the stored picture.
    pub size: Size,
    /// The smallest size at which the keys and clicks of `make` work.
    min_size: Size,
    make: MakeApp,
    part: Part,
}

/// The part of the screen that the picture shows.
enum Part {
    Whole,
    /// The inspector pane.
    Inspector,
    /// The map pane.
    Map,
    /// Everything that differs from another screen, and the last two rows.
    DifferingFrom(MakeApp),
}

impl Scene {
    pub fn new(name: &str, size: Size, make: impl Fn(Size) -> App + 'static) -> Self {
        let name = name.to_owned();
        Self { name, size, min_size: (0, 0), make: Box::new(make), part: Part::Whole }
    }

    pub fn min_size(self, min_size: Size) -> Self {
        Self { min_size, ..self }
    }

    pub fn inspector(self) -> Self {
        Self { part: Part::Inspector, ..self }
    }

    pub fn map(self) -> Self {
        Self { part: Part::Map, ..self }
    }

    pub fn differing_from(self, plain: impl Fn(Size) -> App + 'static) -> Self {
        Self { part: Part::DifferingFrom(Box::new(plain)), ..self }
    }

    /// Returns the scene at a given size.
    pub fn at(&self, (width, height): Size) -> App {
        if width >= self.min_size.0 && height >= self.min_size.1 {
            return (self.make)((width, height));
        }
        let mut app = (self.make)(self.min_size);
        app.update(Input::Resize { width, height });
        app
    }

    /// Returns the picture: text and styles.
    pub fn picture(&self) -> String {
        let app = self.at(self.size);
        let buffer = drawn(&app);
        let areas = match &self.part {
            Part::Whole => vec![app.ui.screen],
            Part::Inspector => vec![app.layout().inspector],
            Part::Map => vec![app.layout().map],
            Part::DifferingFrom(plain) => {
                let above = Rect { height: app.ui.screen.height - 2, ..app.ui.screen };
                let last = Rect { y: above.bottom(), height: 2, ..app.ui.screen };
                let mut areas = differing(&drawn(&plain(self.size)), &buffer, above);
                areas.push(last);
                areas
            }
        };
        let pictures = areas.into_iter().map(|area| {
            let heading = if area == app.ui.screen { String::new() } else { format!("{area}\n") };
            heading + &picture(&buffer, area, &app.ui.setup.theme)
        });
        pictures.collect()
    }

    /// Compares the picture with the stored one.
    pub fn check(&self) {
        insta::with_settings!({
            omit_expression => true,
            prepend_module_to_snapshot => false,
            snapshot_path => "../screens/snapshots",
        }, {
            insta::assert_snapshot!(self.name.clone(), self.picture());
        });
    }
}

/// Returns the smallest areas, from top to bottom, that cover all differing cells. Areas that are fewer than
/// `NEAR` rows apart are joined.
fn differing(a: &Buffer, b: &Buffer, within: Rect) -> Vec<Rect> {
    const NEAR: u16 = 3;
    let mut areas: Vec<Rect> = Vec::new();
    for at in within.positions().filter(|&at| a[at] != b[at]) {
        let cell = Rect::new(at.x, at.y, 1, 1);
        match areas.last_mut() {
            Some(last) if cell.y < last.bottom() + NEAR => *last = last.union(cell),
            _ => areas.push(cell),
        }
    }
    areas
}

/// Returns the text of an area. Below the text, each row with styled cells has its number and one letter per
/// cell, and a legend lists the style of each letter. Plain text, borders and floor have the letter `.`.
pub fn picture(buffer: &Buffer, area: Rect, theme: &Theme) -> String {
    let names = Names::of(theme);
    let mut letters: BTreeMap<String, char> = BTreeMap::new();
    let mut styles: Vec<(u16, u16, String)> = Vec::new();
    for y in 0..area.height {
        let row: String = (area.x..area.right())
            .map(|x| {
                let style = names.describe(&buffer[(x, area.y + y)]);
                if style.is_empty() {
                    return '.';
                }
                let next = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[letters.len()];
                *letters.entry(style).or_insert(char::from(next))
            })
            .collect();
        let row = row.trim_end_matches('.').to_owned();
        match styles.last_mut() {
            _ if row.is_empty() => {}
            Some((_, last, same)) if *same == row && *last + 1 == y => *last = y,
            _ => styles.push((y, y, row)),
        }
    }
    let rows = rows_of(buffer, area);
    let mut lines: Vec<String> = rows.iter().map(|row| row.trim_end().to_owned()).collect();
    lines.push("---".to_owned());
    lines.extend(styles.into_iter().map(|(first, last, row)| match last - first {
        0 => format!("{first:5} {row}"),
        _ => format!("{:>5} {row}", format!("{first}-{last}")),
    }));
    lines.push("---".to_owned());
    let mut key: Vec<_> = letters.into_iter().map(|(style, letter)| (letter, style)).collect();
    key.sort();
    lines.extend(key.into_iter().map(|(letter, style)| format!("{letter} {style}")));
    lines.join("\n") + "\n"
}

/// The names of the styles of a theme.
struct Names {
    screen: Style,
    styles: Vec<(String, Style)>,
}

impl Names {
    fn of(theme: &Theme) -> Self {
        let mut named = theme.clone();
        let mut styles: Vec<_> = STYLES
            .iter()
            .map(|(name, _)| ((*name).to_owned(), *named.style_mut(name).expect("a style")))
            .collect();
        styles.extend((0..8).map(|row| (format!("vector {row}"), theme.vector(row))));
        styles.extend((0..HEAT_LEVELS).map(|step| (format!("heat {step}"), theme.heat(step))));
        Self { screen: theme.screen, styles }
    }

    /// Returns the name of a cell's style: one style, or the styles of its text and its background.
    fn describe(&self, cell: &Cell) -> String {
        let plain = |color: Option<Color>| color.unwrap_or_default();
        let text = |style: &Style| {
            let fg = plain(style.fg.or(self.screen.fg));
            (fg, style.add_modifier) == (cell.fg, cell.modifier)
        };
        let background = |style: &Style| plain(style.bg.or(self.screen.bg)) == cell.bg;
        let find = |holds: &dyn Fn(&Style) -> bool| {
            self.styles.iter().find(|(_, style)| holds(style)).map(|(name, _)| name.clone())
        };
        if let Some(name) = find(&|style| text(style) && background(style)) {
            let is_plain = ["screen", "border", "floor"].contains(&name.as_str());
            return if is_plain { String::new() } else { name };
        }
        let on = find(&|style| style.bg.is_some() && background(style));
        let on = on.unwrap_or_else(|| format!("{:?}", cell.bg));
        let foreground = find(&|style| style.bg.is_none() && text(style)).unwrap_or_else(|| {
            let color = if cell.fg == plain(self.screen.fg) {
                "text".to_owned()
            } else {
                format!("{:?}", cell.fg)
            };
            if cell.modifier.is_empty() { color } else { format!("{color} {:?}", cell.modifier) }
        });
        if plain(self.screen.bg) == cell.bg { foreground } else { format!("{foreground} on {on}") }
    }
}
