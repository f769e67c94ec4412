//! The options of an import, as recorded next to the imported map for later updates.

use std::path::{Path, PathBuf};

use clap::Parser;

use super::ImportArgs;
use crate::files::import::Choices;

/// The command line of a recorded import.
#[derive(Debug, Parser)]
struct Recorded {
    #[command(flatten)]
    args: ImportArgs,
}

impl ImportArgs {
    /// Returns the choices for the reader of the file.
    pub(super) fn choices(&self) -> Choices {
        let queries = self.scen.clone().map(|scenario| (scenario, self.queries.clone()));
        Choices { level: self.level.clone(), pad: self.pad.clone(), queries }
    }

    /// Returns the options that change the imported map, as on the command line. `seen` converts
    /// paths for the record.
    pub(super) fn recorded(&self, seen: impl Fn(&Path) -> PathBuf) -> Vec<String> {
        // Without `..`, so that a new option is not forgotten here.
        let Self { file: _, output: _, force: _, update: _, levels: _, level, pad, scen, queries } =
            self;
        let text = |name: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!("--{name}={value}"))
        };
        let mut options: Vec<String> =
            [text("level", level), text("pad", pad)].into_iter().flatten().collect();
        if let Some(scen) = scen {
            options.push(format!("--scen={}", seen(scen).display()));
            options.push(format!("--queries={}..{}", queries.start(), queries.end()));
        }
        options
    }

    /// Returns the arguments of a recorded import. Paths are relative to `folder`. Returns `None` if
    /// the options are invalid.
    pub(super) fn of_record(source: &Path, options: &[String], folder: &Path) -> Option<Self> {
        let program = PathBuf::from("import").into_os_string();
        let file = folder.join(source).into_os_string();
        let options = options.iter().map(Into::into);
        let mut args =
            Recorded::try_parse_from([program, file].into_iter().chain(options)).ok()?.args;
        args.scen = args.scen.map(|scen| folder.join(scen));
        Some(args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_they_were_recorded() {
        let options = ["--level=It's \"12\"", "--pad=-", "--scen=../a b.scen", "--queries=2..7"];
        let options = options.map(str::to_owned);
        let (source, folder) = (Path::new("../a.map"), Path::new("/maps"));
        let args = ImportArgs::of_record(source, &options, folder).unwrap();
        assert_eq!(args.file, Path::new("/maps/../a.map"));
        let scen = args.scen.clone().unwrap();
        assert_eq!(scen, Path::new("/maps/../a b.scen"));
        assert_eq!(args.recorded(|_| PathBuf::from("../a b.scen")), options);
        let plain = ImportArgs::of_record(source, &[], folder).unwrap();
        assert_eq!(plain.recorded(Path::to_owned), [""; 0]);
        assert!(ImportArgs::of_record(source, &["--unknown".to_owned()], folder).is_none());
    }
}
