//! Fuzzes tiles files (.tmx, .ldtk, .map, .xsb and .txt): a report is safe to print, and an import results in a map
//! that loads without warnings and can be simulated.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use tilewalk::files::{self, Options, Origin, import};
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
    let imported =
        import::import(&path, &import::Choices::default()).expect("a file that can be read");
    assert_printable(&imported.report);
    assert_eq!(imported.texts.is_none(), imported.report.errors() > 0);
    let Some(texts) = imported.texts else { return };
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
