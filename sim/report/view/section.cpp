#include "sim/report/view/section.hpp"

#include <iterator>

namespace gridcast::report {

Section& Section::say(std::string line, Fit fit) {
  if (!line.empty()) statements.emplace_back(Prose{std::move(line) + "\n", fit});
  return *this;
}

Section& Section::gap() {
  statements.emplace_back(Prose{"\n"});
  return *this;
}

Section& Section::show(TextTable table, std::size_t indent) {
  statements.emplace_back(IndentedTable{std::move(table), indent});
  return *this;
}

Section& Section::draw(Drawing drawing) {
  statements.emplace_back(std::move(drawing));
  return *this;
}

Section& Section::append(Section other) {
  std::move(other.statements.begin(), other.statements.end(), std::back_inserter(statements));
  return *this;
}

std::string terminal_text(Section const& section, Screen const& screen) {
  struct Writer {
    std::string operator()(Prose const& lines) const {
      return fitted(lines.text, screen, lines.fit);
    }
    std::string operator()(IndentedTable const& one) const {
      return one.table.str(screen, one.indent);
    }
    std::string operator()(Drawing const& drawing) const { return drawing(screen); }
    Screen const& screen;
  };
  std::string text;
  for (auto const& statement : section.statements) text += std::visit(Writer{screen}, statement);
  return text;
}

std::string terminal_text(std::vector<Section> const& sections, Screen const& screen) {
  std::string text;
  for (auto const& section : sections) {
    auto const lines = terminal_text(section, screen);
    if (!lines.empty()) text += (text.empty() ? "" : "\n") + lines;
  }
  return text;
}

}  // namespace gridcast::report
