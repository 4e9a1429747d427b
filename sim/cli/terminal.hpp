// The abilities of the terminal, and the progress of a study or a campaign on stderr. On a terminal
// progress is one line that is rewritten; elsewhere it is only shown with --verbose.
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::cli {

/// The character set of the locale (LC_ALL, LC_CTYPE, LANG).
report::Charset charset();

bool stderr_is_terminal();

/// Prints results on standard output at once, before any file: the user sees them even if a file
/// cannot be written. The reader of a pipe may stop before their end.
void print_results(std::string_view text);

/// Replaces closed standard descriptors. Otherwise the next opened file would take their number,
/// and messages would go into that file. Writing to a closed standard output fails.
void keep_standard_descriptors();

/// True if standard output failed because its reader has gone.
bool reader_has_gone();

/// The screen for results on standard output. Its width is COLUMNS, else the terminal's, else 80,
/// between least_width and most_width.
report::Screen screen();

/// "Next: gridcast WORDS FILE", the program as it was called; in two lines if one is too short.
std::string next_line(std::string const& words, fs::path const& file);

/// Prints notes on standard error, in lines that the screen can show. An error stays one line, as
/// editors and scripts read it.
void print_notes(std::string_view lines);

/// "412 of 1000 runs, 310/s, 2 s left, 1 failed".
std::string progress_line(std::size_t done, std::size_t failed, std::size_t total,
                          double elapsed_s);

class ProgressReport {
 public:
  /// `verbose`: plain lines, one every tenth of the way, where there is no terminal; `quiet`:
  /// nothing anywhere.
  ProgressReport(bool verbose, bool quiet);
  /// Wipes the line.
  ~ProgressReport();
  ProgressReport(ProgressReport const&) = delete;
  ProgressReport& operator=(ProgressReport const&) = delete;

  /// Valid as long as the report lives.
  study::Progress callback();
  /// Progress of one campaign; nothing in its first second.
  void campaign(Seconds at, std::size_t done, std::size_t total);

 private:
  using Clock = std::chrono::steady_clock;
  /// On a terminal: not too often. Elsewhere a line for each tenth, with --verbose.
  bool due(std::size_t done, std::size_t total);
  void show(std::string const& line);
  double elapsed() const;

  bool terminal_, verbose_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_;
  std::size_t tenths_ = 0;
};

// Ctrl-C while no work watches for it (sim/base/interrupt.hpp), as in a fit: one sentence, exit
// code 130, and no new file.

/// From here on, unless SIGINT is ignored, as in the background of a script.
void end_at_ctrl_c();

/// True if the handler is that of end_at_ctrl_c().
bool ends_at_ctrl_c(void (*handler)(int));

/// The end itself, for a handler of SIGINT that has work of its own before. In a child process,
/// which inherits the handlers, the signal ends it as any program.
extern "C" void end_as_interrupted(int signal);

/// Blocks SIGINT, SIGTERM, SIGHUP and SIGPIPE during its life, as handlers of them read what
/// changes.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(HeldSignals const&) = delete;
  HeldSignals& operator=(HeldSignals const&) = delete;

 private:
  sigset_t before_ = {};
};

// Lines at the end of a terminal's output that are drawn again in their place, as condor_watch_q
// does: each line over the one before, so nothing flickers. They fit the window at any time.

class LiveBlock {
 public:
  /// True if standard output is a terminal that can move its cursor.
  static bool is_possible();

  /// Lines that the window has no room for are cut, the last ones left out.
  void draw(std::string_view text);
  /// True if the window has another size than at the last drawing.
  bool is_resized() const;
  /// Wipes the lines: other output takes their place.
  void wipe();

 private:
  struct Window {
    std::size_t columns = 0, rows = 0;
    bool operator==(Window const&) const = default;
  };
  static Window window();
  std::string to_first_line(Window const& window) const;

  Window window_;
  std::vector<std::size_t> widths_;  // of the lines that are shown
};

}  // namespace gridcast::cli
