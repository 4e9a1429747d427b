// Words in lines that fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/report/text/screen.hpp"

namespace gridcast::report {

/// Where the lines of a paragraph begin and end, in columns.
struct Margins {
  std::size_t width = 80;   // no line is longer; a word that alone is, is cut
  std::size_t indent = 0;   // of every line but the first
  std::size_t started = 0;  // columns of the first line that are taken already
};

/// The words of `text` (line ends count as blanks) in lines, each ended by a newline. The first
/// line has no indentation: whoever calls has begun it.
std::string paragraph(std::string_view text, Margins margins);

/// Lines of prose that a screen can show: each printable (characters.hpp), and one that is too long
/// goes on in the next, two columns further in than it began.
std::string fitted(std::string_view lines, Screen const& screen);

/// A command in lines that fit, broken between its words as a shell reads it, each line after the
/// first indented by four more than the first; ends with a newline.
std::string command_lines(std::string_view command, std::size_t width, std::size_t indent);

}  // namespace gridcast::report
