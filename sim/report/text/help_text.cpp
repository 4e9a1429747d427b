#include "sim/report/text/help_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/text/paragraph.hpp"
#include "sim/report/text/table.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t widest_title = 30;

/// Titles on the left, their words beside them; a title too wide for its column has its words
/// below.
class Entries {
 public:
  explicit Entries(Screen const& screen) : width_(screen.width) {}

  void measure(std::string const& title) {
    std::size_t const most = std::min(widest_title, width_ / 3);
    if (title.size() <= most) column_ = std::max(column_, title.size());
  }

  std::string entry(std::string const& title, std::string const& words) const {
    if (words.empty()) return "  " + title + "\n";
    std::size_t const words_at = column_ + 4;
    std::string text = "  " + title;
    bool const beside = title.size() <= column_;
    text += beside ? std::string(words_at - text.size(), ' ') : "\n" + std::string(words_at, ' ');
    return text + paragraph(words, {width_, words_at, words_at});
  }

 private:
  std::size_t width_, column_ = 12;
};

std::string words_of_option(CommandOption const& option) {
  std::string words = option.words;
  if (!option.fallback.empty()) words += " [" + option.fallback + "]";
  return words;
}

std::string options_text(Command const& command, Entries const& entries) {
  std::string text, group;
  bool begun = false;
  for (auto const& option : command.options) {
    if (!begun || option.group != group) {
      text += option.group.empty() ? "\nOptions:\n" : "\n" + option.group + ":\n";
    }
    begun = true;
    group = option.group;
    text += entries.entry(option_title(option), words_of_option(option));
  }
  return text;
}

std::string examples_text(Command const& command, Screen const& screen) {
  if (command.examples.empty()) return "";
  std::string text = command.examples.size() == 1 ? "\nExample:\n" : "\nExamples:\n";
  for (auto const& example : command.examples) text += command_lines(example, screen.width, 2);
  return text;
}

}  // namespace

std::string help_text(Command const& command, Screen const& screen) {
  Entries entries(screen);
  for (auto const& verb : command.verbs) entries.measure(last_name(verb));
  for (auto const& each : command.positionals) entries.measure(option_title(each));
  for (auto const& each : command.options) entries.measure(option_title(each));

  std::string text = paragraph(command.words, {screen.width}) +
                     paragraph("Usage: " + synopsis(command), {screen.width, 7});
  if (!command.positionals.empty()) text += "\n";
  for (auto const& each : command.positionals) {
    text += entries.entry(option_title(each), words_of_option(each));
  }
  if (!command.verbs.empty()) text += "\nVerbs:\n";
  for (auto const& verb : command.verbs) text += entries.entry(last_name(verb), verb.words);
  text += options_text(command, entries) + examples_text(command, screen);
  if (!command.notes.empty()) text += "\n" + paragraph(command.notes, {screen.width});
  return text;
}

}  // namespace gridcast::report
