#include "sim/cli/live_block.hpp"

#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/cli/terminal.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

// ECMA-48: CUU, ED, EL.
constexpr char to_screen_end[] = "\x1b[J", to_line_end[] = "\x1b[K";

}  // namespace

bool LiveBlock::is_possible() {
  char const* const term = std::getenv("TERM");
  bool const moves = term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
  return moves && isatty(STDOUT_FILENO) == 1;
}

LiveBlock::Window LiveBlock::window() {
  winsize size = {};
  bool const known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? Window{size.ws_col, std::max<std::size_t>(size.ws_row, 2)} : Window{80, 24};
}

bool LiveBlock::is_resized() const { return !widths_.empty() && window() != window_; }

/// A terminal wraps the lines again when its window gets narrower.
std::string LiveBlock::to_first_line(Window const& window) const {
  std::size_t rows = 0;
  for (std::size_t const width : widths_) {
    rows += std::max<std::size_t>(1, (width + window.columns - 1) / window.columns);
  }
  rows = std::min(rows, window.rows - 1);
  return rows > 0 ? fmt::format("\r\x1b[{}A", rows) : "\r";
}

void LiveBlock::draw(std::string_view text) {
  Window const now = window();
  std::string drawing = to_first_line(now);
  widths_.clear();
  while (!text.empty() && widths_.size() + 1 < now.rows) {
    std::string_view const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    std::size_t const bytes = line.empty() ? 0 : report::bytes_within(line, now.columns);
    std::size_t const width = report::text_width(line.substr(0, bytes));
    widths_.push_back(width);
    // Behind a line of the window's full width the cursor still stands on its last character.
    drawing.append(line.substr(0, bytes)).append(width < now.columns ? to_line_end : "");
    drawing += '\n';
  }
  print_results(drawing + to_screen_end);
  window_ = now;
}

void LiveBlock::wipe() {
  print_results(to_first_line(window()) + to_screen_end);
  widths_.clear();
}

}  // namespace gridcast::cli
