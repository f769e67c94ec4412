//! Scenes: screens of every kind, each with one picture, drawn at any size for the properties of the screen.

use std::collections::BTreeMap;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use tilewalk::tui::app::App;
use tilewalk::tui::input::Input;
use tilewalk::tui::theme::{HEAT_LEVELS, STYLES, Theme};

use super::screen::Look;
use super::screen::{Size, drawn, rows_of};

type Make = Box<dyn Fn(Size) -> App>;

/// One kind of screen.
pub struct Scene {
    pub name: String,
    /// The size of its picture.
    pub size: Size,
    /// The smallest size at which its keys and clicks work.
    least: Size,
    make: Make,
    part: Part,
}

/// The part of the screen in the picture.
enum Part {
    Whole,
    /// The pane of the inspector.
    Inspector,
    /// The pane of the map.
    Map,
    /// Everything that differs from another screen, and the last two rows.
    Beside(Make),
}

impl Scene {
    pub fn new(name: &str, size: Size, make: impl Fn(Size) -> App + 'static) -> Self {
        let name = name.to_owned();
        Self { name, size, least: (0, 0), make: Box::new(make), part: Part::Whole }
    }

    pub fn needs(self, least: Size) -> Self {
        Self { least, ..self }
    }

    pub fn inspector(self) -> Self {
        Self { part: Part::Inspector, ..self }
    }

    pub fn map(self) -> Self {
        Self { part: Part::Map, ..self }
    }

    pub fn beside(self, plain: impl Fn(Size) -> App + 'static) -> Self {
        Self { part: Part::Beside(Box::new(plain)), ..self }
    }

    /// The scene at a size.
    pub fn at(&self, (width, height): Size) -> App {
        if width >= self.least.0 && height >= self.least.1 {
            return (self.make)((width, height));
        }
        let mut app = (self.make)(self.least);
        app.update(Input::Resize { width, height });
        app
    }

    /// Text and styles.
    pub fn picture(&self) -> String {
        let app = self.at(self.size);
        let buffer = drawn(&app);
        let areas = match &self.part {
            Part::Whole => vec![app.ui.screen],
            Part::Inspector => vec![app.layout().inspector],
            Part::Map => vec![app.layout().map],
            Part::Beside(plain) => {
                let above = Rect { height: app.ui.screen.height - 2, ..app.ui.screen };
                let last = Rect { y: above.bottom(), height: 2, ..app.ui.screen };
                let mut areas = differing(&drawn(&plain(self.size)), &buffer, above);
                areas.push(last);
                areas
            }
        };
        let pictures = areas.into_iter().map(|area| {
            let head = if area == app.ui.screen { String::new() } else { format!("{area}\n") };
            head + &picture(&buffer, area, &app.ui.setup.theme)
        });
        pictures.collect()
    }

    /// Compares its picture with the stored one.
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

/// The smallest areas, from top to bottom, that cover all cells that differ. A few equal rows in between
/// don't separate two areas.
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

/// The text of an area; then, for each row with styles, its number and a letter for each cell; then the style
/// of each letter. Plain text, borders and floor have the letter `.`.
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

/// The names of a theme's styles.
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

    /// The name of a cell's style: one style, or the style of its text and that of its ground.
    fn describe(&self, cell: &Cell) -> String {
        let plain = |color: Option<Color>| color.unwrap_or_default();
        let text = |style: &Style| {
            let fg = plain(style.fg.or(self.screen.fg));
            (fg, style.add_modifier) == (cell.fg, cell.modifier)
        };
        let ground = |style: &Style| plain(style.bg.or(self.screen.bg)) == cell.bg;
        let find = |holds: &dyn Fn(&Style) -> bool| {
            self.styles.iter().find(|(_, style)| holds(style)).map(|(name, _)| name.clone())
        };
        if let Some(name) = find(&|style| text(style) && ground(style)) {
            let faint = ["screen", "border", "floor"].contains(&name.as_str());
            return if faint { String::new() } else { name };
        }
        let on = find(&|style| style.bg.is_some() && ground(style));
        let on = on.unwrap_or_else(|| format!("{:?}", cell.bg));
        let ink = find(&|style| style.bg.is_none() && text(style)).unwrap_or_else(|| {
            let color = if cell.fg == plain(self.screen.fg) {
                "text".to_owned()
            } else {
                format!("{:?}", cell.fg)
            };
            if cell.modifier.is_empty() { color } else { format!("{color} {:?}", cell.modifier) }
        });
        if plain(self.screen.bg) == cell.bg { ink } else { format!("{ink} on {on}") }
    }
}
