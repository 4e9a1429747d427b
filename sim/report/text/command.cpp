#include "sim/report/text/command.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gridcast::report {

std::string last_name(Command const& command) {
  auto const blank = command.path.rfind(' ');
  return blank == std::string::npos ? command.path : command.path.substr(blank + 1);
}

std::string synopsis(Command const& command) {
  std::string text = command.path;
  if (!command.options.empty()) text += " [OPTIONS]";
  if (!command.verbs.empty()) text += " VERB";
  for (auto const& option : command.options) {
    if (option.required) text += " " + option.names.back() + " " + option.value;
  }
  for (auto const& positional : command.positionals) {
    std::string const name = option_title(positional);
    text += positional.required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string option_title(CommandOption const& option) {
  std::string text = fmt::format("{}", fmt::join(option.names, ", "));
  bool const positional = !text.starts_with('-');
  if (!positional && !option.value.empty()) text += " " + option.value;
  return option.repeated ? text + "..." : text;
}

bool tells_default(CommandOption const& option) {
  return option.words.find("(default:") != std::string::npos;
}

ValueKind kind_of_value(CommandOption const& option) {
  if (!option.choices.empty()) return ValueKind::choice;
  bool const positional = !option.names.front().starts_with('-');
  if (positional) return ValueKind::file;
  if (option.value.empty()) return ValueKind::none;
  if (option.value == "DIR") return ValueKind::folder;
  constexpr std::array<std::string_view, 6> files = {"FILE", "OUT",         "POOL",
                                                     "CAL",  "CALIBRATION", "SCENARIO"};
  bool const file = std::find(files.begin(), files.end(), option.value) != files.end();
  return file ? ValueKind::file : ValueKind::word;
}

}  // namespace gridcast::report
