// What the terminal can show, and how far a study or a campaign is: on stderr, one line that is
// rewritten on a terminal, nothing elsewhere unless asked for, and without colours, so that there
// is nothing to switch off.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::cli {

/// What the locale's character set (LC_ALL, LC_CTYPE, LANG) says.
report::Charset charset();

bool stderr_is_terminal();

/// Puts results on standard output at once, before files are written of them: what becomes of the
/// files, the results have been seen. Whoever reads them may stop before their end.
void print_results(std::string_view text);

/// So that a file which is opened does not take the place of a standard descriptor that was closed,
/// and nothing that is told on it goes into the file. What is written to a closed standard output
/// fails.
void keep_standard_descriptors();

/// Of standard output that failed: whoever read it has gone.
bool reader_has_gone();

/// In colour: always, never, or (auto) on a terminal that has colours, unless NO_COLOR is set; with
/// CLICOLOR_FORCE also elsewhere (no-color.org, bixense.com/clicolors). The option is stronger than
/// either variable, and NO_COLOR stronger than CLICOLOR_FORCE.
enum class ColourChoice { automatic, always, never };

/// What results on standard output are shown on. As wide as COLUMNS says, else as the terminal is,
/// else 80; between least_width and most_width.
report::Screen screen(ColourChoice choice = ColourChoice::automatic);

/// --color, to be turned into a choice when the verb runs.
void add_colour_option(Verb& verb, std::string& colour);
ColourChoice colour_choice(std::string const& colour);

/// "412 of 1000 runs, 310/s, 2 s left, 1 failed".
std::string progress_line(std::size_t done, std::size_t failed, std::size_t total,
                          double elapsed_s);

/// "2024-09-02 13:20, 412000 of 1000000 jobs done, 131000/s, 4.5 s left": `at` in the campaign's
/// time, as a date of its event log.
std::string campaign_line(Seconds at, std::size_t done, std::size_t total, double elapsed_s);

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
  /// Of one campaign; nothing in its first second.
  void campaign(Seconds at, std::size_t done, std::size_t total);

 private:
  using Clock = std::chrono::steady_clock;
  /// On a terminal: not too often. Else a line for each tenth, if asked for.
  bool due(std::size_t done, std::size_t total);
  void show(std::string const& line);
  double elapsed() const;

  bool terminal_, verbose_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_;
  std::size_t tenths_ = 0;
};

}  // namespace gridcast::cli
