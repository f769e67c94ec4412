//! Fuzzes tiles files (.tmx, .ldtk, .map, .xsb and .txt): a report is safe to print, and an import results in a map
//! that loads without warnings and can be simulated. The last byte chooses the options of the import.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use tilewalk::files::{self, Options, Origin, import, show};
use tilewalk::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_fuzz::{assert_printable, file, simulate};

fuzz_target!(|bytes: &[u8]| {
    let extension = match bytes {
        [b't', b'y', b'p', b'e', ..] => "map",
        [b'<', ..] => "tmx",
        [b'{', ..] => "ldtk",
        [b';', ..] => "xsb",
        _ => "txt",
    };
    let path = file(&format!("tiles/fuzz.{extension}"), bytes);
    assert_printable(&files::check(&[path.clone()], None).expect("a file that can be read"));
    let imported = import::import(&path, &choices(bytes)).expect("a file that can be read");
    assert_printable(&imported.report);
    assert_eq!(imported.texts.is_none(), imported.report.errors() > 0);
    if let Some(solidity) = &imported.solidity {
        let text = solidity.text(true, "tilewalk import FILE");
        assert!(!text.contains(|c: char| c != '\n' && show::is_hidden(c)), "{text:?}");
    }
    let Some(texts) = imported.texts else { return };
    assert!(import::moved::moved(&texts.map, (1, -2)).is_some(), "{}", texts.map);
    let source = |place, text: String| SourceFile {
        label: "imported.toml".to_owned(),
        place,
        text: text.into(),
    };
    let mut sources = vec![source(FileRole::Map, texts.map)];
    let patterns = texts.patterns.into_iter();
    sources.extend(patterns.map(|(name, text)| source(FileRole::Pattern(name), text)));
    let sources = Sources { files: sources, ..Sources::default() };
    let loaded = files::load(&Origin::Kept(Arc::new(sources)), &Options::default());
    let loaded = loaded.expect("stored files");
    assert!(loaded.report.diagnostics().is_empty(), "{}", loaded.report.plain());
    simulate(loaded.scenario.expect("a map without errors"));
});

/// Returns the options of an import, each with a bit of the last byte.
fn choices(bytes: &[u8]) -> import::Choices {
    let last = bytes.last().copied().unwrap_or_default();
    let is_set = |bit: u8| last & (1 << bit) != 0;
    let glyphs = |bit: u8, glyphs: &str| if is_set(bit) { glyphs.to_owned() } else { String::new() };
    let selectors = |bit: u8, list: &[&str]| {
        let parse = |text: &&str| text.parse().expect("a valid selector");
        if is_set(bit) { list.iter().map(parse).collect() } else { Vec::new() }
    };
    let rules = import::RuleChoices {
        solid: selectors(3, &["outside:*", "shapes:a", "tag:Wall", "entity:a"]),
        walkable: selectors(4, &["tile-property:solid", "layer:a"]),
        one_way: selectors(5, &["tiles:a/0-5", "objects:a", "tile-class:wall"]),
        ignore: if is_set(6) {
            let list = ["layer:a", "group:g", "others:Collision", "property:solid", "object:wall"];
            list.map(|text| text.parse().expect("a valid selection")).to_vec()
        } else {
            Vec::new()
        },
        combine: if is_set(7) { import::Combine::Any } else { import::Combine::Top },
    };
    let glyphs = import::GlyphChoices {
        walls: glyphs(0, "xX|"),
        floor: glyphs(1, ".,T"),
        boxes: glyphs(2, "cw"),
    };
    import::Choices { rules, glyphs, ..import::Choices::default() }
}
