// Text as a terminal shows it: how wide it is, and what must not reach it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/report/text/screen.hpp"

namespace gridcast::report {

/// Columns that UTF-8 text takes: two for East Asian wide characters and pictures, none for marks
/// that sit on the character before (Unicode TR 11, UnicodeData's Mn by blocks).
std::size_t text_width(std::string_view text);

/// How many bytes of the text fit into so many columns; at least one character's.
std::size_t bytes_within(std::string_view text, std::size_t columns);

/// Well-formed UTF-8 (Unicode 15, table 3-7).
bool is_utf8(std::string_view text);

/// What can be shown: names come out of logs, where anything may stand. Control characters,
/// direction marks and bytes that are no UTF-8 become '?'; with ASCII only, what has a likeness
/// becomes that ("±" "+-", "…" "..."), and all else '?'.
std::string printable(std::string_view text, Charset charset);

}  // namespace gridcast::report
