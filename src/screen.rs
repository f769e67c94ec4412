//! Implements [`Screen`]: opens the terminal UI with maps, recordings or sweep runs, and gives it
//! access to settings and files.

mod following;
mod own_maps;
mod recording;
mod replaced;
mod shared;
mod sweep_run;
mod writing;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilewalk::builtin;
use tilewalk::cli::args::{AskedArgs, LookArgs, PlayArgs, ReplayArgs, TraceArgs, is_run, meant};
use tilewalk::cli::{
    self, CliError, EXIT_CANNOT, Finding, KeySection, OpenArgs, Screen, ScreenPainter, complain,
    environment, report_problems,
};
use tilewalk::config_file::{self, ConfigLocation};
use tilewalk::debugger::FirstView;
use tilewalk::debugger::opened::IMPORTED;
use tilewalk::debugger::session::Session;
use tilewalk::files::config::{self, Config, ConfigSchema};
use tilewalk::files::disk::store::Listing;
use tilewalk::files::import::{self, can_import};
use tilewalk::files::read::changed_files::{self, ReadMap, WatcherEvent, WatcherMessage};
use tilewalk::files::read::file_location::{self, FileLocation, MapItem};
use tilewalk::files::read::find_pattern::find_pattern;
use tilewalk::files::read::recorded;
use tilewalk::files::{self, Kept, Options, Origin, show, write};
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::path_completion;
use tilewalk::render::run::Painter;
use tilewalk::scenario::Scenario;
use tilewalk::scenario::run::FollowedRun;
use tilewalk::scenario::sources::SourceFile;
use tilewalk::time::Frame;
use tilewalk::tui::settings::{Asked, Settings, config_schema};
use tilewalk::tui::{
    self, GalleryEntry, Host, LiveNews, Mailbox, NewFile, NewMap, Opened, Post, RunPicture, Save,
    Saved, SavedBreaks, SessionRecorder, Start,
};
use tilewalk::watching::{Map, Watching};

use following::{Following, Scene, Update};
use own_maps::OwnMap;
use recording::ScreenRecorder;
use replaced::ReplacedFiles;
use shared::PastedRecordings;

/// Prefix of the ids of built-in maps. The ids of all other maps are paths.
const BUILTIN: &str = "builtin:";

/// Implementation of [`Screen`] that shows the terminal UI.
pub struct Terminal;

impl Screen for Terminal {
    fn play(&self, args: &PlayArgs) -> ExitCode {
        play(args)
    }

    fn replay(&self, args: &ReplayArgs) -> ExitCode {
        replay(args)
    }

    fn open_pasted(&self, recording: Vec<u8>, look: &LookArgs) -> ExitCode {
        open_pasted(&recording, look)
    }

    fn open_run(&self, args: &OpenArgs) -> ExitCode {
        let opened = settings(&args.look).and_then(|(settings, _)| {
            let opened = sweep_run::open(&sweep_run::id(&args.file, args.run), None)?;
            Ok((settings, first_view(opened, args.goto, args.agent.as_deref())?))
        });
        match opened {
            Ok((settings, opened)) => {
                let mailbox = Mailbox::default();
                let start = Start::Map(opened);
                show(start, &Options::default(), Shown::default(), &settings, &mailbox)
            }
            Err(why) => fail(&why),
        }
    }

    fn painter(&self, start: ScreenPainter) -> Result<Box<Painter<'static>>, String> {
        let ScreenPainter { scenario, history, size, theme, agent, overlays } = start;
        let title = scenario.title().to_owned();
        let mut opened = Opened::new("render", &title, scenario);
        opened.recorded = history;
        // The screen is paused at a given frame.
        let first = FirstView { frame: Some(Frame(0)), agent, ..FirstView::default() };
        opened.first = Some(Box::new(first));
        Ok(tui::painter::painter(opened, size, theme, overlays))
    }

    fn config_schema(&self) -> Option<ConfigSchema> {
        Some(config_schema())
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
    let options = Options { seed: args.seed, set: args.set.clone(), run: None };
    let settings = match settings(&args.look) {
        Ok((settings, _)) => settings,
        Err(why) => return fail(&why),
    };
    if args.follow {
        return follow(args, &options, &settings);
    }
    let mut followed = None;
    let mut folder = PathBuf::from(".");
    let start = match &args.file {
        None => Start::Gallery,
        Some(path) if path.is_dir() => {
            folder.clone_from(path);
            Start::Gallery
        }
        Some(path) if is_recording(&path.to_string_lossy()) => match play_recording(path, args) {
            Ok(opened) => Start::Map(opened),
            Err(error) => return fail(&error),
        },
        Some(path) => {
            let (origin, options) = if is_run(path) {
                match open_run_file(&args.trace, path, options.clone()) {
                    Ok(opened) => opened,
                    Err(error) => return fail(&error.to_string()),
                }
            } else {
                (Origin::Disk(path.clone()), options.clone())
            };
            let id = if let Origin::Disk(map) = &origin { map } else { path };
            let id = id.to_string_lossy().into_owned();
            let is_imported = options.run.is_none() && can_import(Path::new(&id));
            let id = if is_imported { format!("{IMPORTED}{id}") } else { id };
            let run = options.run.clone();
            followed = run.map(|run| Followed { id: id.clone(), origin: origin.clone(), run });
            match load(&id, &origin, &options) {
                Err(error) => return fail(&load_error(path, &error)),
                Ok(loaded) if loaded.scenario.is_none() => {
                    report_problems(&loaded.report, args.look.color);
                    return ExitCode::from(EXIT_CANNOT);
                }
                Ok(loaded) => match open_loaded(&id, loaded)
                    .and_then(|opened| first_view(opened, args.goto, args.agent.as_deref()))
                {
                    Ok(opened) => Start::Map(opened),
                    Err(error) => return fail(&error),
                },
            }
        }
    };
    let mailbox = Mailbox::default();
    let recorder = if let (Some(path), Start::Map(opened)) = (&args.record, &start) {
        let new = || Box::new(History::new(Arc::clone(&opened.scenario), DEFAULT_BUDGET));
        let history = opened.recorded.clone().unwrap_or_else(new);
        match ScreenRecorder::create(&opened.id, path, &history, mailbox.post()) {
            Ok(recorder) => Some(recorder),
            Err(error) => return cli::finish(Err(error)),
        }
    } else {
        None
    };
    let trace = args.trace.clone();
    let session = Shown { folder, followed, trace, recorder, ..Shown::default() };
    show(start, &options, session, &settings, &mailbox)
}

/// Reads the run of another program. If the run comes from standard input, the screen reads keys from
/// the terminal of the process.
fn open_run_file(
    args: &TraceArgs,
    path: &Path,
    options: Options,
) -> Result<(Origin, Options), CliError> {
    if path != Path::new("-") {
        return args.open(path, options);
    }
    let stdin = tui::replace_by_terminal();
    let stdin = stdin.map_err(|error| files::ReadError::io(path, error))?;
    args.open_input(TraceArgs::standard_input(stdin)?, None, options)
}

/// Shows a run that another program still writes.
fn follow(args: &PlayArgs, options: &Options, settings: &Settings) -> ExitCode {
    let Some(path) = args.file.as_ref().filter(|path| is_run(path)) else {
        return fail("--follow needs a run: a .csv, .ndjson or .jsonl file, or -");
    };
    let mailbox = Mailbox::default();
    let following = match Following::start(path, &args.trace, options.clone(), mailbox.post()) {
        Ok(following) => following,
        Err(why) => return fail(&why),
    };
    let note_waiting = || {
        complain(&format!("waiting for the first frame of {}; ctrl-c ends", show::path(path)));
    };
    let (Scene { origin, run, loaded, .. }, warnings) = match following.first(note_waiting) {
        Ok(first) => first,
        Err(why) => return fail(&why),
    };
    let id = if let Origin::Disk(map) = &origin { map } else { path };
    let id = id.to_string_lossy().into_owned();
    if loaded.scenario.is_none() {
        report_problems(&loaded.report, args.look.color);
        return ExitCode::from(EXIT_CANNOT);
    }
    let opened = open_loaded(&id, loaded).and_then(|mut opened| {
        opened.warnings.extend(warnings);
        let end = opened.scenario.end().map(|end| end.0);
        let is_paused = args.goto.is_some();
        let mut opened = first_view(opened, args.goto.or(end), args.agent.as_deref())?;
        if let Some(first) = &mut opened.first {
            first.plays = !is_paused;
        }
        Ok(opened)
    });
    match opened {
        Ok(opened) => {
            let followed = Some(Followed { id, origin, run });
            let (following, trace) = (Some(following), args.trace.clone());
            let session = Shown { followed, trace, following, ..Shown::default() };
            show(Start::Map(opened), options, session, settings, &mailbox)
        }
        Err(why) => fail(&why),
    }
}

/// Opens the recording of `tilewalk FILE.twr` at its view.
fn play_recording(path: &Path, args: &PlayArgs) -> Result<Opened, String> {
    let PlayArgs { seed, set, goto, agent, .. } = args;
    let label = show::path(path);
    if seed.is_some() || !set.is_empty() {
        return Err(format!("{label} is not a map: only maps accept seeds and settings"));
    }
    let recorded = recorded::recording(path).map_err(|error| match meant(path) {
        Some(advice) => format!("{error}\n{advice}"),
        None => error.to_string(),
    })?;
    let asked = AskedArgs { run: None, goto: *goto, agent: agent.clone() };
    shared::open(&path.to_string_lossy(), &recorded, &asked)
}

/// Sets the frame and the agent that the screen shows at the start. Returns an error if the agent
/// is unknown.
fn first_view(
    mut opened: Opened,
    frame: Option<u64>,
    agent: Option<&str>,
) -> Result<Opened, String> {
    if let Some(name) = agent {
        cli::check_agent(&opened.scenario, name).map_err(|error| error.to_string())?;
    }
    let (frame, agent) = (frame.map(Frame), agent.map(ToOwned::to_owned));
    let view = FirstView { frame, agent, ..FirstView::default() };
    opened.first = Some(Box::new(view));
    Ok(opened)
}

fn replay(args: &ReplayArgs) -> ExitCode {
    let settings = match settings(&args.look) {
        Ok((settings, _)) => settings,
        Err(why) => return fail(&why),
    };
    let recorded = match recorded::recording(&args.file) {
        Ok(recorded) => recorded,
        Err(error) => return fail(&error.to_string()),
    };
    let mut opened = match shared::open(&args.file.to_string_lossy(), &recorded, &args.asked) {
        Ok(opened) => opened,
        Err(why) => return fail(&why),
    };
    let mailbox = Mailbox::default();
    let mut recorder = None;
    if let (true, Some(history)) = (args.record, &opened.recorded) {
        match ScreenRecorder::resume(&args.file, &recorded, history, mailbox.post()) {
            Ok((resumed, message)) => {
                opened.warnings.extend(message);
                recorder = Some(resumed);
            }
            Err(error) => return cli::finish(Err(error)),
        }
    }
    let session = Shown { recorder, ..Shown::default() };
    show(Start::Map(opened), &Options::default(), session, &settings, &mailbox)
}

/// What the screen shows besides the map.
#[derive(Default)]
struct Shown {
    /// The directory whose maps the gallery lists.
    folder: PathBuf,
    /// The run of another program that the command line names, if any.
    followed: Option<Followed>,
    /// Options for reading this run.
    trace: TraceArgs,
    /// The thread that reads this run while the program still writes it.
    following: Option<Following>,
    /// Recordings that were pasted as text.
    pasted: PastedRecordings,
    recorder: Option<ScreenRecorder>,
}

fn open_pasted(bytes: &[u8], look: &LookArgs) -> ExitCode {
    let pasted = PastedRecordings::default();
    let opened = pasted.add(bytes).and_then(|id| pasted.open(&id));
    let (opened, settings) = match opened.and_then(|opened| Ok((opened, settings(look)?.0))) {
        Ok(both) => both,
        Err(why) => return fail(&why),
    };
    if let Err(error) = tui::read_keys_from_terminal() {
        return fail(&format!("cannot read keys from the terminal: {error}"));
    }
    let mailbox = Mailbox::default();
    let shown = Shown { pasted, ..Shown::default() };
    show(Start::Map(opened), &Options::default(), shown, &settings, &mailbox)
}

fn show(
    start: Start,
    options: &Options,
    Shown { folder, followed, trace, following, pasted, recorder }: Shown,
    settings: &Settings,
    mailbox: &Mailbox,
) -> ExitCode {
    let post = mailbox.post();
    let watching = match Watching::start(settings.poll, move || post.wake()) {
        Ok(watching) => watching,
        Err(error) => return fail(&format!("cannot start the file watcher: {error}")),
    };
    let replaced = match ReplacedFiles::start(mailbox.post()) {
        Ok(replaced) => replaced,
        Err(error) => return fail(&format!("cannot start a thread: {error}")),
    };
    let host = Arc::new(ProgramHost {
        options: options.clone(),
        folder,
        followed: Mutex::new(followed),
        trace,
        following: following.map(Mutex::new),
        pasted,
        watching: Mutex::new(watching),
        replaced: Mutex::new(Some(replaced)),
        post: mailbox.post(),
    });
    let recorder = recorder.map(|recorder| Box::new(recorder) as Box<dyn SessionRecorder>);
    let shared: Arc<dyn Host> = host.clone();
    let exit = tui::play(&shared, recorder, start, settings, mailbox);
    let replaced = locked(&host.replaced).take();
    for message in replaced.map_or_else(Vec::new, ReplacedFiles::finish) {
        complain(&message);
    }
    let exit = match exit {
        Ok(exit) => exit,
        Err(error) => return fail(&error.to_string()),
    };
    if let Some(values) = exit.unwritten {
        complain(&values);
    }
    let Some(stop) = exit.recording else { return ExitCode::SUCCESS };
    complain(&stop.message);
    if stop.is_complete { ExitCode::SUCCESS } else { ExitCode::from(EXIT_CANNOT) }
}

/// The maps and files of this program.
#[derive(Debug)]
struct ProgramHost {
    /// Options for reading maps, such as `--set` values.
    options: Options,
    /// The directory whose maps the gallery lists before the built-in maps.
    folder: PathBuf,
    /// The run of another program that the command line names, if any.
    followed: Mutex<Option<Followed>>,
    /// Options for reading this run.
    trace: TraceArgs,
    /// The thread that reads this run while the program still writes it.
    following: Option<Mutex<Following>>,
    pasted: PastedRecordings,
    watching: Mutex<Watching>,
    /// Checks replaced files. `None` after the screen is closed.
    replaced: Mutex<Option<ReplacedFiles>>,
    post: Post,
}

/// The run of another program, and the map whose agents follow it.
#[derive(Debug)]
struct Followed {
    /// Id of the map.
    id: String,
    origin: Origin,
    run: Arc<FollowedRun>,
}

impl ProgramHost {
    /// Returns the origin of a map, and the options for reading it.
    fn source(&self, id: &str) -> (Origin, Options) {
        let options = &self.options;
        match locked(&self.followed).as_ref().filter(|followed| followed.id == id) {
            Some(followed) => {
                let run = Some(followed.run.clone());
                (followed.origin.clone(), Options { run, ..options.clone() })
            }
            None => (origin(id), options.clone()),
        }
    }
}

impl Host for ProgramHost {
    fn maps(&self) -> Vec<GalleryEntry> {
        gallery(own_maps::maps(&self.folder))
    }

    fn open(&self, id: &str, seed: Option<u64>) -> Result<Opened, String> {
        if shared::is_pasted(id) {
            refuse_seed(seed)?;
            return self.pasted.open(id);
        }
        let (origin, options) = self.source(id);
        let path = Path::new(id);
        let is_followed = locked(&self.followed).as_ref().is_some_and(|followed| followed.id == id);
        // Standard input belongs to the keys.
        if is_run(path) && !is_followed && path != Path::new("-") {
            // Another build often writes its runs like the run of the command line.
            let alone = |_| TraceArgs::default().open(path, Options::default());
            let opened = self.trace.open(path, Options::default()).or_else(alone);
            let (origin, options) = opened.map_err(|error| error.to_string())?;
            return open(id, &origin, seed, &options);
        }
        open(id, &origin, seed, &options)
    }

    fn open_pasted(&self, text: &str) -> Result<Opened, String> {
        self.pasted.open_text(text)
    }

    fn reread(&self, id: &str) -> Option<WatcherMessage> {
        let (origin, options) = self.source(id);
        reread(id, &origin, &options)
    }

    fn complete_path(&self, text: &str) -> Vec<String> {
        path_completion::maps(text)
    }

    fn locate(&self, id: &str, item: &MapItem) -> Result<FileLocation, String> {
        if let MapItem::At(location) = item {
            return Ok(location.clone());
        }
        file_location::find(map_file(id)?, item)
    }

    fn save(&self, save: &Save) -> Result<Saved, String> {
        let replaced = locked(&self.replaced).as_ref().map(ReplacedFiles::sender);
        writing::write(save, &replaced.ok_or("the screen is closed")?)
    }

    fn save_breaks(&self, breaks: &SavedBreaks) -> Result<String, String> {
        save_breaks(breaks)
    }

    fn write_file(&self, file: &NewFile) -> Result<String, String> {
        writing::file(file)
    }

    fn render(&self, run: &RunPicture) -> Result<String, String> {
        writing::render(run)
    }

    fn new_map(&self, map: &NewMap) -> Result<String, String> {
        writing::new_map(map)
    }

    fn pattern(&self, id: &str, name: &str) -> Result<SourceFile, String> {
        if is_recording(id) || sweep_run::is(id) {
            return Err(format!("unknown pattern `{}`", show::text(name)));
        }
        find_pattern(&self.source(id).0, name)
    }

    fn record(&self, path: &str, session: &Session) -> Result<Box<dyn SessionRecorder>, String> {
        recording::start(path, session, self.post.clone())
    }

    fn share(&self, path: Option<&str>, view: &str, session: &Session) -> Result<String, String> {
        shared::write(path, view, session)
    }

    fn watch(&self, id: Option<&str>) {
        locked(&self.watching).watch(id.and_then(|id| watched_map(id, &self.source(id).1)));
    }

    fn next_live(&self) -> Option<LiveNews> {
        let following = locked(self.following.as_ref()?);
        let Some(update) = following.next() else {
            return following.take_appended().then_some(LiveNews::Frames);
        };
        let scene = match update {
            Update::Scene(scene) => *scene,
            Update::Warning(text) | Update::Failed(text) => return Some(LiveNews::Warning(text)),
        };
        let Scene { origin, run, loaded, restarted } = scene;
        let Some(scenario) = loaded.scenario else {
            return Some(LiveNews::Warning(loaded.report.plain()));
        };
        let id = locked(&self.followed).as_mut().map(|followed| {
            (followed.origin, followed.run) = (origin, run);
            followed.id.clone()
        });
        // The file watcher must read the map with this run.
        self.watch(id.as_deref());
        Some(if restarted { LiveNews::Restarted(scenario) } else { LiveNews::Grown(scenario) })
    }

    fn next_change(&self) -> Option<WatcherMessage> {
        locked(&self.watching).next_message()
    }

    fn next_warning(&self) -> Option<String> {
        locked(&self.replaced).as_ref()?.message()
    }
}

/// Locks a value, even if another thread has panicked while it held the lock.
fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the suggested file name for a copy of a map file with the name `stem`.toml. The name has a
/// number if the current directory already has such a file.
fn suggested_name(stem: &str) -> String {
    let name = |stem: &str| format!("{}.toml", show::text(stem));
    let is_free = |stem: &str| std::fs::symlink_metadata(name(stem)).is_err();
    name(&write::free_stem(stem, is_free).unwrap_or_else(|| stem.to_owned()))
}

/// Returns the settings of the screen and the location of the configuration file. If that file is
/// unreadable or has errors, the returned settings contain the error messages.
///
/// Returns an error if the theme on the command line is unknown.
fn settings(look: &LookArgs) -> Result<(Settings, ConfigLocation), String> {
    let theme = look
        .theme
        .as_deref()
        .map(|word| word.parse().map_err(|error| format!("unknown theme `{word}`: {error}")));
    let asked = Asked { theme: theme.transpose()?, color: look.color, ascii: look.ascii };
    let variable = std::env::var_os("TILEWALK_CONFIG");
    let place = config_file::place(look.config.as_deref(), variable.as_deref());
    let (config, problems) = read_config(&place);
    Ok((Settings::of(&config, &asked, problems, environment), place))
}

/// Reads the configuration file, and returns the configuration with the error messages. The
/// messages are `None` if the file has no errors or does not exist.
fn read_config(place: &ConfigLocation) -> (Config, Option<String>) {
    let path = match place {
        ConfigLocation::Nowhere(_) => return (Config::default(), None),
        ConfigLocation::Usual(path) if !path.exists() => return (Config::default(), None),
        ConfigLocation::Usual(path) | ConfigLocation::Named(path, _) => path,
    };
    match config::read(path, &config_schema()) {
        Err(error) => (Config::default(), Some(format!("error: {error}"))),
        Ok(read) if read.report.errors() > 0 => (read.config, Some(read.report.plain())),
        Ok(read) => (read.config, None),
    }
}

/// Returns the error message for an unreadable file, with a hint if the path looks like a command.
fn load_error(path: &Path, error: &files::LoadError) -> String {
    match meant(path) {
        Some(advice) => format!("{error}\n{advice}"),
        None => error.to_string(),
    }
}

fn fail(why: &str) -> ExitCode {
    complain(why);
    ExitCode::from(EXIT_CANNOT)
}

/// Returns the user's own maps and then the built-in maps. A copy of a built-in map takes the place of
/// the built-in map, because it can be edited.
fn gallery(mut own: Vec<OwnMap>) -> Vec<GalleryEntry> {
    let built_in = |map: Listing| {
        let copy = own.iter().position(|copy| copy.copy_of == Some(map.name.as_str()));
        let id = copy.map(|place| own.remove(place).entry.id);
        GalleryEntry {
            id: id.unwrap_or_else(|| format!("{BUILTIN}{}", map.name)),
            title: map.title,
            comment: map.comment,
            error: None,
        }
    };
    let built_in: Vec<_> = builtin::maps().into_iter().map(built_in).collect();
    own.into_iter().map(|map| map.entry).chain(built_in).collect()
}

/// Returns the map to watch for file changes. Returns `None` if the map has no file.
fn watched_map(id: &str, options: &Options) -> Option<Map> {
    let (path, read): (_, ReadMap) = match imported_file(id) {
        Some(file) => (file, import::open),
        None => (map_file(id).ok()?, changed_files::from_file),
    };
    Some(Map { id: id.to_owned(), path: path.to_owned(), options: options.clone(), read })
}

/// Returns the file of an imported map; `None` for other maps.
fn imported_file(id: &str) -> Option<&Path> {
    id.strip_prefix(IMPORTED).map(Path::new)
}

/// Loads a map. An imported map is imported again from its file; other maps are at `origin`.
fn load(id: &str, origin: &Origin, options: &Options) -> Result<files::Loaded, files::LoadError> {
    match imported_file(id) {
        Some(file) => import::open(file, options),
        None => files::load(origin, options),
    }
}

/// Returns the path of a map's file.
///
/// # Errors
/// Returns a message for the user if the id names a built-in map, a recording or a run of a sweep.
fn map_file(id: &str) -> Result<&Path, String> {
    if id.starts_with(BUILTIN) {
        return Err("built-in maps have no file; `:write FILE` creates a file".to_owned());
    }
    if id.starts_with(IMPORTED) {
        return Err("imported maps have no file; `:write FILE` creates a file".to_owned());
    }
    if is_recording(id) || shared::is_pasted(id) {
        return Err("recordings are read-only; `:write FILE` saves the map".to_owned());
    }
    if sweep_run::is(id) {
        return Err("runs of sweeps have no map file; `:write FILE` creates a file".to_owned());
    }
    if is_run(Path::new(id)) {
        return Err("this empty map has no file; `:write FILE` creates a file".to_owned());
    }
    Ok(Path::new(id))
}

/// Reads the files of a map again after the files changed. Returns `None` for recordings and sweep
/// runs.
fn reread(id: &str, origin: &Origin, options: &Options) -> Option<WatcherMessage> {
    if sweep_run::is(id) || is_recording(id) || shared::is_pasted(id) {
        return None;
    }
    let loaded = load(id, origin, options);
    let event = WatcherEvent::Read(loaded.map(Box::new).map_err(|error| error.to_string()));
    Some(WatcherMessage { id: id.to_owned(), event })
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

fn open(id: &str, origin: &Origin, seed: Option<u64>, options: &Options) -> Result<Opened, String> {
    if sweep_run::is(id) {
        return sweep_run::open(id, seed);
    }
    if is_recording(id) {
        refuse_seed(seed)?;
        let recorded = recorded::recording(Path::new(id)).map_err(|error| error.to_string())?;
        return shared::open(id, &recorded, &AskedArgs::default());
    }
    let options = Options { seed: seed.or(options.seed), ..options.clone() };
    open_loaded(id, load(id, origin, &options).map_err(|error| error.to_string())?)
}

fn refuse_seed(seed: Option<u64>) -> Result<(), String> {
    match seed {
        Some(_) => Err("the seed of a recording cannot be changed".to_owned()),
        None => Ok(()),
    }
}

fn open_loaded(id: &str, loaded: files::Loaded) -> Result<Opened, String> {
    let Some(scenario) = loaded.scenario else { return Err(loaded.report.plain()) };
    let label = id.strip_prefix(IMPORTED).unwrap_or_else(|| id.trim_start_matches(BUILTIN));
    let describe = |entry: files::text::report::ProblemEntry| {
        format!("{}:{}: {}", entry.file, entry.line, entry.message)
    };
    let (kept, mut warnings) = load_breaks(id, &scenario);
    warnings.extend(loaded.report.entries().map(describe));
    let stem = imported_file(id).and_then(|file| file.file_stem()?.to_str());
    let new_name = id.strip_prefix(BUILTIN).or(stem).map(suggested_name);
    let mut opened = Opened::new(id, label, scenario);
    (opened.warnings, opened.kept, opened.new_name) = (warnings, kept, new_name);
    Ok(opened)
}

/// Reads the breakpoints and bookmarks stored next to a map or recording. Also returns warnings
/// about invalid entries.
fn load_breaks(id: &str, scenario: &Arc<Scenario>) -> (Kept, Vec<String>) {
    if id.starts_with(BUILTIN) || id.starts_with(IMPORTED) || shared::is_pasted(id) {
        return (Kept::default(), Vec::new());
    }
    let (kept, report) = files::load_breaks(Path::new(id), scenario);
    let describe = |entry: files::text::report::ProblemEntry| {
        format!("{}:{}:{}: {}", entry.file, entry.line, entry.column, entry.message)
    };
    (kept, report.entries().map(describe).collect())
}

/// Saves breakpoints and bookmarks next to their map. Returns a message for the user
/// in both cases, as the result or as the error.
fn save_breaks(breaks: &SavedBreaks) -> Result<String, String> {
    if breaks.id.starts_with(BUILTIN) {
        return Err(
            "cannot save breakpoints of a built-in map; `:write FILE` copies the map to a file"
                .to_owned(),
        );
    }
    if breaks.id.starts_with(IMPORTED) {
        return Err(
            "cannot save breakpoints of an imported map; `:write FILE` writes the map to a file"
                .to_owned(),
        );
    }
    if sweep_run::is(&breaks.id) {
        return Err("cannot save breakpoints of a run of a sweep".to_owned());
    }
    if shared::is_pasted(&breaks.id) {
        return Err("cannot save breakpoints of a pasted recording".to_owned());
    }
    files::save_breaks(Path::new(&breaks.id), &breaks.kept, &breaks.scenario)
}
