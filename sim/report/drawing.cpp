#include "sim/report/drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/characters.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t steps = 8;  // that a character cell can be filled to

std::string_view colour_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::strong:
      return "\x1b[1m";
    case Style::faint:
      return "\x1b[2m";
    case Style::good:
      return "\x1b[32m";
    case Style::bad:
      return "\x1b[31m";
    case Style::doubtful:
      return "\x1b[33m";
  }
  return "";
}

struct Glyphs {
  std::string_view left, line, right, middle, point, at, crossed;
};

constexpr Glyphs glyphs(Charset charset) {
  if (charset == Charset::utf8) return {"├", "─", "┤", "●", "●", "│", "┼"};
  return {"|", "-", "|", "o", "o", ":", "+"};
}

/// The cell that a value falls into; values beyond the axis are at its ends.
std::size_t cell_of(double value, Axis axis, std::size_t cells) {
  double const span = axis.most - axis.least;
  double const share = span > 0 ? std::clamp((value - axis.least) / span, 0.0, 1.0) : 0;
  return static_cast<std::size_t>(std::lround(share * static_cast<double>(cells - 1)));
}

}  // namespace

std::string painted(std::string_view text, Style style, Screen const& screen) {
  if (!screen.colour || style == Style::plain || text.empty()) return std::string(text);
  return std::string(colour_of(style)).append(text).append("\x1b[0m");
}

std::string bar(double share, std::size_t cells, Charset charset) {
  static constexpr std::array<std::string_view, steps> parts = {"",  "▏", "▎", "▍",
                                                                "▌", "▋", "▊", "▉"};
  if (!(share > 0)) return "";
  double const filled = std::min(share, 1.0) * static_cast<double>(cells);
  std::string text;
  if (charset == Charset::ascii) {
    auto const whole = static_cast<std::size_t>(std::lround(filled));
    return whole == 0 ? "." : std::string(whole, '#');
  }
  auto const eighths =
      static_cast<std::size_t>(std::max(1L, std::lround(filled * static_cast<double>(steps))));
  for (std::size_t i = 0; i < eighths / steps; ++i) text += "█";
  return text.append(parts[eighths % steps]);
}

std::string interval_line(IntervalMarks const& marks, Axis axis, std::size_t cells, Charset charset,
                          std::optional<double> at) {
  if (cells == 0 || std::isnan(marks.middle)) return "";
  Glyphs const shape = glyphs(charset);
  std::vector<std::string_view> line(cells, " ");
  std::size_t const low = cell_of(marks.low, axis, cells), high = cell_of(marks.high, axis, cells);
  for (std::size_t x = low; x <= high; ++x) line[x] = shape.line;
  line[low] = shape.left;
  line[high] = shape.right;
  if (at) {
    std::size_t const x = cell_of(*at, axis, cells);
    line[x] = x > low && x < high ? shape.crossed : shape.at;
  }
  line[cell_of(marks.middle, axis, cells)] = low == high ? shape.point : shape.middle;
  std::string text;
  for (auto const each : line) text += each;
  return text;
}

std::string axis_line(std::string const& least, std::string const& most, std::size_t cells) {
  std::size_t const used = text_width(least) + text_width(most);
  if (used + 1 > cells) return least;
  return least + std::string(cells - used, ' ') + most;
}

std::string small_curve(std::vector<double> const& shares, Charset charset) {
  static constexpr std::array<std::string_view, steps + 1> blocks = {" ", "▁", "▂", "▃", "▄",
                                                                     "▅", "▆", "▇", "█"};
  static constexpr std::string_view letters = " .:-=+*#@";
  std::string text;
  for (double const share : shares) {
    double const height = std::clamp(share, 0.0, 1.0) * static_cast<double>(steps);
    // What is there shows, and only what is all is full.
    auto level = static_cast<std::size_t>(std::floor(height + 1e-9));
    if (level == 0 && share > 0) level = 1;
    if (charset == Charset::utf8) {
      text += blocks[level];
    } else {
      text += letters[level];
    }
  }
  return text;
}

}  // namespace gridcast::report
