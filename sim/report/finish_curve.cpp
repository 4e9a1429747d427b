#include "sim/report/finish_curve.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/units.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t labels = 9;  // columns left of the plot
constexpr std::size_t height = 8;
constexpr std::size_t steps = 8;  // that a character cell can be filled to

/// A cell that is filled to n eighths from below.
std::string_view cell(std::size_t n, Charset charset) {
  static constexpr std::string_view blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (charset == Charset::utf8) return blocks[n];
  return n > steps / 2 ? "#" : n > 0 ? "." : " ";
}

/// Height of each column in eighths of a cell: the share that had succeeded at the column's end.
std::vector<std::size_t> column_heights(std::vector<double> const& times, std::size_t jobs,
                                        double end, std::size_t width) {
  std::vector<std::size_t> heights;
  for (std::size_t x = 0; x < width; ++x) {
    double const until = end * static_cast<double>(x + 1) / static_cast<double>(width);
    auto const done = std::upper_bound(times.begin(), times.end(), until) - times.begin();
    double const share = static_cast<double>(done) / static_cast<double>(jobs);
    heights.push_back(static_cast<std::size_t>(share * height * steps + 0.5));
  }
  return heights;
}

}  // namespace

std::string finish_curve(std::vector<double> times, std::size_t jobs, double end,
                         Screen const& screen) {
  if (jobs == 0 || !(end > 0)) return "";
  std::sort(times.begin(), times.end());
  std::size_t const width = std::min(screen.width, most_curve) - labels;
  Charset const charset = screen.charset;
  auto const heights = column_heights(times, jobs, end, width);
  std::string text;
  for (std::size_t y = height; y-- > 0;) {
    bool const labelled = (y + 1) % 2 == 0;
    std::string line =
        labelled ? fmt::format("{:>5} % ", 100 * (y + 1) / height) : std::string(8, ' ');
    line += charset == Charset::utf8 ? "│" : "|";
    for (std::size_t const filled : heights) {
      line += cell(std::min(steps, filled > y * steps ? filled - y * steps : 0), charset);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  std::string const last = to_text(Seconds(end));
  std::string const middle = to_text(Seconds(end / 2));
  return text + fmt::format("{:8}0{:^{}}{}\n", "", middle, width - last.size(), last);
}

}  // namespace gridcast::report
