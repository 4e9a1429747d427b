#include "sim/report/text/brief.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/text/layout.hpp"

namespace gridcast::report {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    auto const end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

Brief::Brief(Screen const& screen) : screen_(screen) {
  screen_.width = std::min(screen.width, brief_width);
}

void Brief::say(std::string_view sentence, int weight, std::size_t most) {
  if (sentence.empty()) return;
  auto lines = lines_of(fitted(std::string(sentence) + "\n", screen_));
  if (lines.size() > most && weight < needed) return;
  lines.resize(std::min(lines.size(), most));
  blocks_.push_back({std::move(lines), weight});
}

void Brief::add(std::string_view lines, int weight) {
  Block block{lines_of(lines), weight};
  if (!block.lines.empty()) blocks_.push_back(std::move(block));
}

std::string Brief::text() const {
  std::vector<bool> shown(blocks_.size(), true);
  auto const count = [&] {
    std::size_t lines = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      lines += shown[i] ? blocks_[i].lines.size() : 0;
    return lines;
  };
  while (count() > most_brief_lines) {
    std::size_t least = blocks_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!shown[i]) continue;
      if (least == blocks_.size() || blocks_[i].weight <= blocks_[least].weight) least = i;
    }
    shown[least] = false;
  }
  // A large block that went may have left room for one that went before it.
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!shown[i]) shown[i] = count() + blocks_[i].lines.size() <= most_brief_lines;
  }
  std::string text;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!shown[i]) continue;
    for (auto const& line : blocks_[i].lines) text += line + "\n";
  }
  return text;
}

std::string next_command(Screen const& screen, std::string const& options) {
  if (screen.command.empty()) return "";
  std::size_t const width = std::min(screen.width, brief_width);
  std::string const first = "Next: " + std::string(screen.command);
  if (std::string whole = first + " " + options; text_width(whole) <= width) return whole + "\n";
  constexpr char continued[] = " \\";
  bool const fits = text_width(first + continued) <= width;
  bool const is_long = text_width(options) > brief_width / 2;
  if (is_long && fits) return first + continued + "\n  " + options + "\n";
  bool const replaces = screen.command.ends_with(" --force");
  auto const last = fmt::format("{}{}\n", replaces ? "--force " : "", options);
  std::string const same = "Next: the same command with ";
  return text_width(same) + text_width(last) <= width + 1 ? same + last : same + "\\\n  " + last;
}

}  // namespace gridcast::report
