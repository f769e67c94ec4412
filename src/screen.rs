//! Hands the screen the maps it may show, and what it can't do by itself.

mod writing;

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use tilewalk::builtin;
use tilewalk::cli::args::{LookArgs, PlayArgs, ReplayArgs, meant};
use tilewalk::cli::{
    self, EXIT_CANNOT, Finding, KeySection, Screen, complain, environment, report_problems,
};
use tilewalk::files::config::{self, Config, Place, Vocabulary};
use tilewalk::files::embedded::Listing;
use tilewalk::files::news::{News, What};
use tilewalk::files::recorded::{self, Recorded};
use tilewalk::files::spot::{self, Spot, Spotted};
use tilewalk::files::{self, Kept, Options, Origin, show};
use tilewalk::history::recorder::Recorder;
use tilewalk::history::run::RunId;
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::scenario::Scenario;
use tilewalk::time::Frame;
use tilewalk::tui::session::Session;
use tilewalk::tui::settings::{Asked, Settings, vocabulary};
use tilewalk::tui::{self, Entry, Keeper, Library, Mailbox, Opened, Start};
use tilewalk::watching::{Map, Watching};
use tilewalk::words;

/// Ids of built-in maps begin so; no path a person types does.
const BUILTIN: &str = "builtin:";

/// The screen, as the command line sees it.
pub struct Terminal;

impl Screen for Terminal {
    fn play(&self, args: &PlayArgs) -> ExitCode {
        play(args)
    }

    fn replay(&self, args: &ReplayArgs) -> ExitCode {
        replay(args)
    }

    fn vocabulary(&self) -> Option<Vocabulary> {
        Some(vocabulary())
    }

    fn keys(&self) -> Vec<KeySection> {
        tui::action::key_sections()
    }

    fn findings(&self, look: &LookArgs) -> Result<Vec<Finding>, String> {
        let (settings, place) = settings(look)?;
        Ok(tui::doctor::findings(&settings, &place))
    }
}

fn play(args: &PlayArgs) -> ExitCode {
    let options = Options { seed: args.seed, set: args.set.clone() };
    let settings = match settings(&args.look) {
        Ok((settings, _)) => settings,
        Err(why) => return cannot(&why),
    };
    let start = match &args.file {
        None => Start::Gallery,
        Some(path) => {
            let id = path.to_string_lossy().into_owned();
            match files::load(&Origin::Disk(path.clone()), &options) {
                Err(error) => return cannot(&unreadable(path, &error)),
                Ok(loaded) if loaded.scenario.is_none() => {
                    report_problems(&loaded.report, args.look.color);
                    return ExitCode::from(EXIT_CANNOT);
                }
                Ok(loaded) => match opened(&id, loaded) {
                    Ok(opened) => Start::Map(opened),
                    Err(error) => return cannot(&error),
                },
            }
        }
    };
    let keeper = match (&args.record, &start) {
        (Some(path), Start::Map(opened)) => match cli::begin_recording(path) {
            Ok(recorder) => Some(keeper(opened.id.clone(), recorder)),
            Err(error) => return cli::finish(Err(error)),
        },
        _ => None,
    };
    show(start, &options, &settings, keeper)
}

fn replay(args: &ReplayArgs) -> ExitCode {
    let settings = match settings(&args.look) {
        Ok((settings, _)) => settings,
        Err(why) => return cannot(&why),
    };
    let recorded = match recorded::recording(&args.file) {
        Ok(recorded) => recorded,
        Err(error) => return cannot(&error.to_string()),
    };
    let mut opened = replayed(&args.file.to_string_lossy(), &recorded);
    if let Some(history) = &mut opened.recorded {
        let count = history.runs().len() as u32;
        let run = args.run.unwrap_or(count);
        if run > count {
            let runs = words::count(count.into(), "run");
            return cannot(&format!("{}: no run {run}; the recording has {runs}", opened.label));
        }
        history.return_to(RunId(run - 1));
        history.go_to(Frame(args.frame).min(history.run().end()));
        history.dismiss_ghost();
    }
    let keeper = if args.record {
        match recorded::reopen(&args.file, &recorded.recording) {
            Ok(file) => {
                let recorder = Recorder::resume(file, &recorded.recording);
                Some(keeper(opened.id.clone(), recorder))
            }
            Err(error) => return cannot(&error.to_string()),
        }
    } else {
        None
    };
    show(Start::Map(opened), &Options::default(), &settings, keeper)
}

fn show(start: Start, options: &Options, settings: &Settings, keeper: Option<Keeper>) -> ExitCode {
    let mailbox = Mailbox::default();
    let post = mailbox.post();
    let watching = match Watching::start(settings.poll, move || post.wake()) {
        Ok(watching) => watching,
        Err(error) => return cannot(&format!("cannot start the file watcher: {error}")),
    };
    let library = Library {
        entries: entries(),
        open: Box::new(|id, seed| open(id, seed, options)),
        save_breaks: Box::new(save_breaks),
        write: Box::new(writing::write),
        new_pattern: Box::new(writing::pattern),
        new_file: Box::new(writing::file),
        paths: files::nearby::maps,
        locate: Box::new(locate),
        follow: Box::new(|id| watching.watch(id.and_then(|id| watched(id, options)))),
        news: Box::new(|| watching.news()),
        reread: Box::new(|id| reread(id, options)),
        keeper,
    };
    let farewell = match tui::play(library, start, settings, &mailbox) {
        Ok(farewell) => farewell,
        Err(error) => return cannot(&error.to_string()),
    };
    if let Some(values) = farewell.unwritten {
        complain(&values);
    }
    farewell.unrecorded.map_or(ExitCode::SUCCESS, |why| cannot(&why))
}

fn keeper(id: String, mut recorder: Recorder<File>) -> Keeper<'static> {
    let keep = move |history: &History| recorder.update(history).map_err(|error| error.to_string());
    Keeper { id, keep: Box::new(keep) }
}

/// A recording as something to watch.
fn replayed(id: &str, recorded: &Recorded) -> Opened {
    let Recorded { label, recording, scenarios } = recorded;
    let history = History::replay(recording, scenarios, DEFAULT_BUDGET);
    let scenario = Arc::clone(history.world().scenario());
    let (kept, mut warnings) = kept_breaks(id, &scenario);
    warnings.extend(recorded::cut_in_words(recording));
    Opened {
        id: id.to_owned(),
        label: label.clone(),
        scenario,
        warnings,
        kept,
        recorded: Some(Box::new(history)),
        new_name: Path::new(id).file_stem().map(|stem| named(&stem.to_string_lossy())),
    }
}

/// A file name for a map.
fn named(stem: &str) -> String {
    format!("{}.toml", show::text(stem))
}

/// How the screen looks, and where that was read; a configuration with errors says so and
/// changes nothing.
fn settings(look: &LookArgs) -> Result<(Settings, Place), String> {
    let theme = look
        .theme
        .as_deref()
        .map(|word| word.parse().map_err(|error| format!("unknown theme `{word}`: {error}")));
    let asked = Asked { theme: theme.transpose()?, color: look.color, ascii: look.ascii };
    let variable = std::env::var_os("TILEWALK_CONFIG");
    let place = config::place(look.config.as_deref(), variable.as_deref());
    let (config, trouble) = configured(&place);
    Ok((Settings::of(&config, &asked, trouble, environment), place))
}

fn configured(place: &Place) -> (Config, Option<String>) {
    let path = match place {
        Place::Nowhere(_) => return (Config::default(), None),
        Place::Usual(path) if !path.exists() => return (Config::default(), None),
        Place::Usual(path) | Place::Named(path, _) => path,
    };
    match config::read(path, &vocabulary()) {
        Err(error) => (Config::default(), Some(format!("error: {error}"))),
        Ok(read) if read.report.errors() > 0 => (read.config, Some(read.report.plain())),
        Ok(read) => (read.config, None),
    }
}

/// What to say of a file that can't be read; it may have been meant as a command.
fn unreadable(path: &Path, error: &files::LoadError) -> String {
    match meant(path) {
        Some(advice) => format!("{error}\n{advice}"),
        None => error.to_string(),
    }
}

fn cannot(why: &str) -> ExitCode {
    complain(why);
    ExitCode::from(EXIT_CANNOT)
}

fn entries() -> Vec<Entry> {
    let entry = |map: Listing| Entry {
        id: format!("{BUILTIN}{}", map.name),
        title: map.title,
        comment: map.comment,
    };
    builtin::maps().into_iter().map(entry).collect()
}

/// What is to be watched of a map; nothing of one without a file.
fn watched(id: &str, options: &Options) -> Option<Map> {
    if id.starts_with(BUILTIN) || is_recording(id) {
        return None;
    }
    Some(Map { id: id.to_owned(), path: id.into(), options: options.clone() })
}

/// Reads a map again; a recording stays as it was.
fn reread(id: &str, options: &Options) -> Option<News> {
    if is_recording(id) {
        return None;
    }
    let loaded = files::load(&origin(id), options);
    let what = What::Read(loaded.map(Box::new).map_err(|error| error.to_string()));
    Some(News { id: id.to_owned(), what })
}

fn origin(id: &str) -> Origin {
    match id.strip_prefix(BUILTIN) {
        Some(name) => builtin::origin(name),
        None => Origin::Disk(id.into()),
    }
}

fn is_recording(id: &str) -> bool {
    Path::new(id).extension().is_some_and(|ending| ending == recorded::ENDING)
}

fn open(id: &str, seed: Option<u64>, options: &Options) -> Result<Opened, String> {
    if is_recording(id) {
        if seed.is_some() {
            return Err("the seed of a recording cannot be changed".to_owned());
        }
        let recorded = recorded::recording(Path::new(id)).map_err(|error| error.to_string())?;
        return Ok(replayed(id, &recorded));
    }
    let options = Options { seed: seed.or(options.seed), ..options.clone() };
    opened(id, files::load(&origin(id), &options).map_err(|error| error.to_string())?)
}

/// Where a thing of a map stands in its file.
fn locate(id: &str, spot: &Spot) -> Result<Spotted, String> {
    if id.starts_with(BUILTIN) {
        return Err("built-in maps have no file; `:write FILE` creates a file".to_owned());
    }
    if is_recording(id) {
        return Err("a recording is not a text file; `:write FILE` saves the map".to_owned());
    }
    spot::find(Path::new(id), spot)
}

fn opened(id: &str, loaded: files::Loaded) -> Result<Opened, String> {
    let Some(scenario) = loaded.scenario else { return Err(loaded.report.plain()) };
    let label = id.trim_start_matches(BUILTIN).to_owned();
    let in_words =
        |entry: files::render::Entry| format!("{}:{}: {}", entry.file, entry.line, entry.message);
    let (kept, mut warnings) = kept_breaks(id, &scenario);
    warnings.extend(loaded.report.entries().map(in_words));
    let new_name = id.strip_prefix(BUILTIN).map(named);
    let mut opened = Opened::new(id, &label, scenario);
    (opened.warnings, opened.kept, opened.new_name) = (warnings, kept, new_name);
    Ok(opened)
}

/// The breakpoints and markers beside a map or a recording, and what is wrong with them: whoever opens it
/// sees first why one is missing.
fn kept_breaks(id: &str, scenario: &Arc<Scenario>) -> (Kept, Vec<String>) {
    if id.starts_with(BUILTIN) {
        return (Kept::default(), Vec::new());
    }
    let (kept, report) = files::load_breaks(Path::new(id), scenario);
    let in_words = |entry: files::render::Entry| {
        format!("{}:{}:{}: {}", entry.file, entry.line, entry.column, entry.message)
    };
    (kept, report.entries().map(in_words).collect())
}

/// Keeps the breakpoints and markers of a session beside its map.
fn save_breaks(session: &Session) -> Result<String, String> {
    if session.id().starts_with(BUILTIN) {
        return Err(
            "cannot save breakpoints of a built-in map; `:write FILE` copies the map to a file"
                .to_owned(),
        );
    }
    let start = session.history().run().start();
    files::save_breaks(Path::new(session.id()), &session.kept(), start)
}
