// What the terminal can show.
#pragma once

#include <string>
#include <string_view>

#include "sim/cli/command_line.hpp"
#include "sim/report/text/layout.hpp"

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

}  // namespace gridcast::cli
