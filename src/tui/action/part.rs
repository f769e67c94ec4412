//! Which part of the program does an action.

use super::Action;

/// A part of the program that does actions; each has a file of that meaning in `app`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The program as a whole: windows, lists, ways out.
    Program,
    /// What leaves the program: pictures, maps, the clipboard, an editor.
    Outside,
    /// Maps that changed on disk, and what came of it.
    Files,
    /// Overlays of the map.
    Overlays,
    /// Frames, pace and direction.
    Time,
    /// Other runs of the same map.
    Runs,
    /// Breakpoints.
    Breaks,
    /// Driving an agent by hand.
    Driving,
    /// Values of the map, tuned.
    Values,
    /// Pages of the inspector.
    Inspector,
    /// The log of events.
    Log,
    /// Marked frames.
    Markers,
    /// Painting tiles, moving starts and places, drawing paths and matrices.
    Painting,
    /// Panes and the camera.
    View,
}

impl Action {
    /// The part that does it.
    #[must_use]
    #[rustfmt::skip]
    pub const fn part(self) -> Part {
        use Action as A;
        match self {
            A::Quit | A::Suspend | A::Help | A::Messages | A::Close | A::ToggleMouse | A::Theme
            | A::TileMenu | A::Pick | A::Compare | A::Open | A::OpenMap | A::FindMap | A::About
            | A::ToGallery | A::Take | A::Top | A::Bottom
            | A::Find | A::Up | A::Down | A::PageUp | A::PageDown | A::Select
            | A::NextAgent | A::PreviousAgent | A::Palette | A::Run | A::Complete => Part::Program,
            A::Save | A::SaveMap | A::Copy | A::Editor => Part::Outside,
            A::Reload | A::Before | A::After | A::Flip | A::Problems | A::Resimulate
            | A::FromHere | A::StartAnew => Part::Files,
            A::Overlays | A::ToggleOverlay | A::ToggleLayer | A::AllAgents | A::UsualLayers | A::Visits => Part::Overlays,
            A::PlayPause | A::Pause | A::Step | A::StepTen | A::StepBack | A::StepBackTen | A::Goto
            | A::First | A::Last | A::NextHit | A::LastHit | A::NextEvent | A::LastEvent
            | A::Slower | A::Faster | A::Speed | A::Reverse | A::Restart => Part::Time,
            A::Runs | A::ReturnTo | A::Dismiss => Part::Runs,
            A::Break | A::Watch | A::Breaks | A::ToggleBreak | A::DeleteBreak
            | A::GoToHit | A::SaveBreaks => Part::Breaks,
            A::Drive | A::DriveUp | A::DriveLeft | A::DriveDown | A::DriveRight
            | A::LetGo => Part::Driving,
            A::Tune | A::ChangeValue | A::Set | A::Write | A::WriteAnyway => Part::Values,
            A::Show(_) | A::NextTab | A::PreviousTab | A::Pin => Part::Inspector,
            A::Log | A::LogFilter | A::TakeFilter | A::LogSelected | A::LogKind
            | A::LogKindBack | A::LogFollow | A::GoToEvent => Part::Log,
            A::Mark | A::Markers | A::NextMarker | A::PreviousMarker | A::DeleteMarker
            | A::GoToMarker => Part::Markers,
            A::Paint | A::CursorUp | A::CursorDown | A::CursorLeft | A::CursorRight
            | A::PaintHere | A::Brush | A::NextBrush | A::PreviousBrush | A::PickBrush
            | A::NextTool | A::Grab | A::Undo | A::Redo | A::DrawPath | A::DrawMatrix
            | A::Vertex | A::LastVertex | A::ClosePath | A::FinishPath => Part::Painting,
            A::Inspect | A::ZoomPane | A::Follow | A::Fit | A::ZoomIn | A::ZoomOut
            | A::PanLeft | A::PanDown | A::PanUp | A::PanRight => Part::View,
        }
    }
}
