//! `tilewalk render`: writes pictures and films of runs.

mod options;

use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::condition::Scope;
use crate::depth::When;
use crate::files::disk::output_file::Replacement;
use crate::files::{self, Options, Setting, settings, show};
use crate::overlays::Overlays;
use crate::palette::Name;
use crate::render::Format;
use crate::render::film::FASTEST_GIF;
use crate::render::run::{Job, Painter, Range, RenderError};
use crate::render::scene::View;
use crate::render::scene::agents::ColorBy;
use crate::scenario::Scenario;
use crate::words::count;

use super::args::{TraceArgs, is_run, when};
use super::explain::unknown_agent;
use super::output::{Output, complain, report_problems};
use super::run_input::RunInput;
use super::trace::STDOUT;
use super::{CliError, EXIT_CANNOT, Screen, ScreenPainter};

use options::{above_zero, color_by, crop, format, overlays, screen_size, seconds, theme, width};

/// Arguments of `tilewalk render`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk render maps/castle.toml --frame 146 --output castle.svg
  tilewalk render maps/castle.toml --frame 146 --agent guard --output guard.pdf
  tilewalk render maps/castle.toml --to 300 --every 5 --width 800 --output castle.gif
  tilewalk render chase.twr --look screen --output chase.cast
  tilewalk render maps/flock.toml --to 600 --output - --format y4m | ffmpeg -i - flock.mp4

The file extension selects the format: .svg, .pdf, .png and .txt have one frame; .gif, .cast (of
asciinema) and .y4m (raw frames for an encoder) are films. No terminal is needed.

Exit codes: 0 on success, 1 if the --until condition is never true, 2 if nothing could be written.")]
pub struct RenderArgs {
    /// Map or map of another program (such as .tmx), recording (.twr), run of another program
    /// (.csv, .ndjson, .jsonl or `-`), or plan
    pub file: PathBuf,
    /// File to write; `-` writes to standard output, with --format
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Format, instead of that of the file extension
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub format: Option<Format>,
    /// Which frames to write
    #[command(flatten)]
    pub frames: FrameArgs,
    /// What the picture shows
    #[command(flatten)]
    pub view: ViewArgs,
    /// Number of the run of a recording, from 1 [default: the last run]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub run: Option<u32>,
    /// Random seed (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Set an agent value, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE", value_parser = settings::parse)]
    pub set: Vec<Setting>,
    /// Options for runs of other programs
    #[command(flatten)]
    pub from: TraceArgs,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Which frames to write.
#[derive(Debug, clap::Args)]
pub struct FrameArgs {
    /// Frame of a picture [default: 0]
    #[arg(long, value_name = "N", visible_alias = "goto", conflicts_with_all = ["from", "to", "every"])]
    pub frame: Option<u64>,
    /// First frame of a film [default: 0]
    #[arg(long, value_name = "A")]
    pub from: Option<u64>,
    /// Last frame of a film [default: the last frame of a recording or a run]
    #[arg(long, value_name = "B")]
    pub to: Option<u64>,
    /// Write every K-th frame of a film [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// End at the first frame where this condition is true; a picture shows this frame
    #[arg(long, value_name = "COND")]
    pub until: Option<String>,
    /// Speed of a film, such as 0.5 for slow motion; --fps sets its frames per second
    #[arg(long, value_name = "FACTOR", value_parser = above_zero, default_value = "1")]
    pub speed: f64,
}

/// What a picture shows.
#[derive(Debug, clap::Args)]
pub struct ViewArgs {
    /// A drawing of the map, or the screen
    #[arg(long, value_enum, default_value_t = PictureLook::Map)]
    pub look: PictureLook,
    /// Agent or group whose overlays are shown (repeatable) [default: all agents]
    #[arg(long, value_name = "NAME")]
    pub agent: Vec<String>,
    /// Names of overlays, separated by commas, or `none`
    #[arg(long, value_name = "NAMES", value_parser = overlays)]
    pub overlays: Option<Overlays>,
    /// What the colours of agents show: agent, mode or group
    #[arg(long, value_name = "WHAT", value_parser = color_by, default_value = "agent")]
    pub color_by: ColorBy,
    /// Part of the map: left, top, right and bottom in tiles, such as 0,0,20,12
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = crop)]
    pub crop: Option<[f32; 4]>,
    /// Keep this agent at the centre
    #[arg(long, value_name = "AGENT")]
    pub centre: Option<String>,
    /// Width in pixels [default: the longer side has 1600]
    #[arg(long, value_name = "PX", value_parser = width)]
    pub width: Option<u32>,
    /// Length of trails in seconds; 0 for none
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
    pub trail: f64,
    /// Theme: dark, light, high-contrast, color-blind or mono [default: light, and dark for the screen]
    #[arg(long, value_name = "NAME", value_parser = theme)]
    pub theme: Option<Name>,
    /// Title [default: the title of the map]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Columns and rows of the screen
    #[arg(long, value_name = "WxH", value_parser = screen_size, default_value = "120x40")]
    pub size: [u16; 2],
}

/// The look of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum PictureLook {
    /// A drawing of the map
    Map,
    /// The screen
    Screen,
}

/// Exit code if the `--until` condition was never true.
const EXIT_NEVER: u8 = 1;

pub(super) fn render(
    args: &RenderArgs,
    screen: &impl Screen,
    out: &mut Output,
) -> Result<ExitCode, CliError> {
    let format = output_format(args)?;
    let options = Options { seed: args.seed, set: args.set.clone(), run: None };
    let input = RunInput::open(&args.file, args.run, &options, &args.from, args.color)?;
    let Some(RunInput { scenario, commands, end, history }) = input else {
        return Ok(ExitCode::from(EXIT_CANNOT));
    };
    let range = range(&args.frames, format, end)?;
    check_names(&args.view, &scenario)?;
    let view = view(&args.view, format);
    if let (Some(name), PictureLook::Map) = (view.unknown_overlay(), args.view.look) {
        return Err(refused(&format!("only --look screen shows the overlay `{name}`")));
    }
    let until = args.frames.until.as_ref().map(|text| files::condition("--until", text, &scenario));
    let (until, report) = until.unwrap_or_default();
    report_problems(&report, args.color);
    if args.frames.until.is_some() && until.is_none() {
        return Ok(ExitCode::from(EXIT_CANNOT));
    }
    let mut painter = match args.view.look {
        PictureLook::Map => None,
        PictureLook::Screen => {
            let start = ScreenPainter {
                scenario: scenario.clone(),
                history,
                size: args.view.size,
                theme: args.view.theme.unwrap_or_default(),
                agent: args.view.agent.first().cloned(),
                overlays: args.view.overlays,
            };
            Some(screen.painter(start).map_err(CliError::Settings)?)
        }
    };
    let fps = args.from.fps.filter(|_| !is_run(&args.file));
    let job = Job {
        scenario,
        commands: commands.as_ref(),
        range,
        until: until.as_ref(),
        view: &view,
        format,
        fps,
        speed: args.frames.speed,
    };
    if format == Format::Gif && fps.is_some_and(|fps| fps * job.speed > FASTEST_GIF) {
        return Err(refused("a GIF has at most 50 frames per second"));
    }
    let painter = painter.as_mut().map(|painter| &mut **painter as _);
    let until = match write(&job, args, painter, out) {
        Ok(until) => until,
        Err(error @ RenderError::NeverTrue) => {
            complain(&error.to_string());
            return Ok(ExitCode::from(EXIT_NEVER));
        }
        Err(RenderError::Request(message)) => return Err(CliError::Settings(message)),
        Err(RenderError::Write(source)) => {
            return Err(CliError::Write { what: show::path(&args.output), source });
        }
    };
    if until == Some(false) {
        complain(&format!("the condition was never true up to frame {}", job.range.to));
        return Ok(ExitCode::from(EXIT_NEVER));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the output of a job. Returns whether the condition was true.
fn write(
    job: &Job,
    args: &RenderArgs,
    painter: Option<&mut Painter>,
    out: &mut Output,
) -> Result<Option<bool>, RenderError> {
    if args.output == Path::new(STDOUT) {
        let mut stream = BufWriter::new(io::stdout());
        let written = job.write(&mut stream, painter)?;
        stream.flush()?;
        return Ok(written.until);
    }
    let mut file = BufWriter::new(Replacement::begin(&args.output)?);
    let written = job.write(&mut file, painter)?;
    file.into_inner().map_err(IntoInnerError::into_error)?.finish()?;
    let (path, frames) = (show::path(&args.output), count(written.frames, "frame"));
    // A closed standard output is not an error of the picture.
    let _ = out.line(format!("wrote {path} ({frames})"));
    Ok(written.until)
}

fn refused(message: &str) -> CliError {
    CliError::Settings(message.to_owned())
}

fn output_format(args: &RenderArgs) -> Result<Format, CliError> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    if args.output == Path::new(STDOUT) {
        return Err(refused("--output - needs --format, such as --format y4m"));
    }
    Format::of(&args.output).ok_or_else(|| {
        let (path, endings) = (show::path(&args.output), Format::endings());
        CliError::Settings(format!("cannot write {path}: the file name must end in {endings}"))
    })
}

/// Returns the frames to write. `end` is the last frame of a recording or a run.
fn range(args: &FrameArgs, format: Format, end: Option<u64>) -> Result<Range, CliError> {
    let has_range = args.from.is_some() || args.to.is_some() || args.every.is_some();
    let last = |frame: u64| match end {
        Some(end) if frame > end => {
            Err(CliError::Settings(format!("no frame {frame}: the last frame is {end}")))
        }
        Some(_) | None => Ok(frame),
    };
    if !format.is_film() && has_range && args.until.is_none() {
        let message = format!("a .{} file has one frame: use --frame N", format.word());
        return Err(CliError::Settings(message));
    }
    if let Some(frame) = args.frame {
        let frame = last(frame)?;
        return Ok(Range { from: frame, to: frame, every: 1 });
    }
    if !format.is_film() && args.until.is_none() {
        return Ok(Range { from: 0, to: 0, every: 1 });
    }
    let Some(to) = args.to.or(end) else {
        return Err(refused("missing option --to <B>: a map has no last frame"));
    };
    let (from, to) = (args.from.unwrap_or(0), last(to)?);
    if from > to {
        return Err(CliError::Settings(format!("--from {from} is after the last frame {to}")));
    }
    Ok(Range { from, to, every: args.every.unwrap_or(1) })
}

fn check_names(args: &ViewArgs, scenario: &Scenario) -> Result<(), CliError> {
    for name in args.agent.iter().chain(&args.centre) {
        let is_known = scenario.find_instance(name).is_some()
            || scenario.find(name).is_some()
            || (Scope::find(scenario, name).is_some() && args.centre.as_ref() != Some(name));
        if !is_known {
            return Err(unknown_agent(scenario, name));
        }
    }
    Ok(())
}

fn view(args: &ViewArgs, format: Format) -> View {
    View {
        theme: args.theme.unwrap_or(Name::Light),
        agents: args.agent.clone(),
        overlays: args.overlays,
        by: args.color_by,
        crop: args.crop,
        width: args.width,
        trail: args.trail,
        title: args.title.clone(),
        centre: args.centre.clone(),
        is_even: format == Format::Y4m,
    }
}
