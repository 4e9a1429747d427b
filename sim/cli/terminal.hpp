// What the terminal can show.
#pragma once

#include <string>

#include "sim/cli/command_line.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {

/// What the locale's character set (LC_ALL, LC_CTYPE, LANG) says.
report::Charset charset();

bool stderr_is_terminal();

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
