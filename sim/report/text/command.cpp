#include "sim/report/text/command.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"

namespace gridcast::report {
namespace {

/// The program and all verbs below it, outer ones first.
std::vector<Command const*> all_commands(Command const& command) {
  std::vector<Command const*> all = {&command};
  for (auto const& verb : command.verbs) {
    auto const below = all_commands(verb);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

std::string last_verbs(Command const& command) {
  std::vector<std::string> names;
  for (auto const& verb : command.verbs) names.push_back(last_name(verb));
  return fmt::format("{}", fmt::join(names, " "));
}

std::string all_options(Command const& command) {
  std::vector<std::string> names;
  for (auto const& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// "'gridcast forecast --replicas'|'gridcast forecast -n'": an arm of a shell's case.
std::string arm(Command const& command, CommandOption const& option) {
  std::vector<std::string> const patterns = each_of(
      option.names, [&](auto const& name) { return quoted_for_shell(command.path + " " + name); });
  return fmt::format("    {})", fmt::join(patterns, "|"));
}

/// The arms of all options that take a value; `offer` gives the shell's completion of such values.
template <class Offer>
std::string value_arms(Command const& program, Offer const& offer) {
  std::string text;
  for (auto const* command : all_commands(program)) {
    for (auto const& option : command->options) {
      if (kind_of_value(option) != ValueKind::none) {
        text += arm(*command, option) + " " + offer(option) + " return ;;\n";
      }
    }
  }
  return text;
}

/// The words of a positional that has a list of them.
std::string choices_at(Command const& command) {
  if (command.positionals.empty()) return "";
  return fmt::format("{}", fmt::join(command.positionals.front().choices, " "));
}

/// The words that are neither an option nor its value: verbs and such words. Files may stand
/// there as well.
std::string words_at(Command const& command) {
  std::string const words = last_verbs(command), choices = choices_at(command);
  return words + (words.empty() || choices.empty() ? "" : " ") + choices;
}

bool takes_files(Command const& command) {
  return choices_at(command).empty() &&
         std::any_of(
             command.positionals.begin(), command.positionals.end(),
             [](auto const& positional) { return kind_of_value(positional) == ValueKind::file; });
}

std::string bash_offer(CommandOption const& option) {
  switch (kind_of_value(option)) {
    case ValueKind::choice:
      return fmt::format("_gridcast_offer -W '{}' -- \"$cur\";", fmt::join(option.choices, " "));
    case ValueKind::file:
      return "_gridcast_offer -f -- \"$cur\"; compopt -o filenames;";
    case ValueKind::folder:
      return "_gridcast_offer -d -- \"$cur\"; compopt -o filenames;";
    case ValueKind::none:
    case ValueKind::word:
      break;
  }
  return "";
}

// clang-format off
constexpr char bash_head[] = R"sh(# Completion of gridcast for bash: eval "$(gridcast help completion bash)"
_gridcast_offer() { mapfile -t COMPREPLY < <(compgen "$@"); }

_gridcast() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path=gridcast i
  # --option=value comes as three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${COMP_WORDS[i]}" in
)sh";
// clang-format on

// clang-format off
constexpr char bash_tail[] = R"sh(  esac
}
complete -F _gridcast gridcast
)sh";
// clang-format on

/// "'gridcast forecast'|'gridcast lesson run'|...": the paths that there are below the program.
std::string known_paths(Command const& program) {
  std::vector<std::string> paths;
  for (auto const* command : all_commands(program)) {
    if (command != &program) paths.push_back(quoted_for_shell(command->path));
  }
  return fmt::format("{}", fmt::join(paths, "|"));
}

/// "'--seed:Seed of all random numbers'" for zsh's _describe, which splits at the first colon.
std::string described(std::string const& name, std::string const& words) {
  std::string escaped;
  for (char const c : name) escaped += c == ':' ? std::string("\\:") : std::string(1, c);
  return quoted_for_shell(escaped + ":" + words);
}

std::string zsh_offer(CommandOption const& option) {
  switch (kind_of_value(option)) {
    case ValueKind::choice:
      return fmt::format("compadd -- {};", fmt::join(option.choices, " "));
    case ValueKind::file:
      return "_files;";
    case ValueKind::folder:
      return "_files -/;";
    case ValueKind::word:
      return fmt::format("_message {};", quoted_for_shell(option.value));
    case ValueKind::none:
      break;
  }
  return "";
}

// clang-format off
constexpr char zsh_head[] = R"sh(#compdef gridcast
# Completion of gridcast for zsh: a file _gridcast in a folder of $fpath, or, after compinit,
# source <(gridcast help completion zsh)
_gridcast() {
  local at=gridcast prev=${words[CURRENT-1]} i
  local -a verbs options
  for ((i = 2; i < CURRENT; ++i)); do
    case "$at ${words[i]}" in
)sh";
// clang-format on

// clang-format off
constexpr char zsh_tail[] = R"sh(  esac
}
if [[ $funcstack[1] == _gridcast ]]; then
  _gridcast "$@"
else
  compdef _gridcast gridcast
fi
)sh";
// clang-format on

std::string zsh_place(Command const& command) {
  std::string text = fmt::format("    {})\n      options=(\n", quoted_for_shell(command.path));
  for (auto const& option : command.options) {
    for (auto const& name : option.names) text += "        " + described(name, option.words) + "\n";
  }
  text += "      )\n";
  if (!command.verbs.empty()) {
    text += "      verbs=(\n";
    for (auto const& verb : command.verbs) {
      text += "        " + described(last_name(verb), verb.words) + "\n";
    }
    text += "      )\n";
  }
  text += "      if [[ $PREFIX == -* ]]; then _describe -o option options\n";
  auto const choices = choices_at(command);
  std::vector<std::string> offers;
  if (!command.verbs.empty()) offers.emplace_back("_describe verb verbs");
  if (!choices.empty()) offers.push_back(fmt::format("compadd -- {}", choices));
  if (takes_files(command)) offers.emplace_back("_files");
  if (!offers.empty()) text += fmt::format("      else {}\n", fmt::join(offers, "; "));
  return text + "      fi ;;\n";
}

}  // namespace

std::string last_name(Command const& command) {
  auto const blank = command.path.rfind(' ');
  return blank == std::string::npos ? command.path : command.path.substr(blank + 1);
}

std::string synopsis(Command const& command) {
  std::string text = command.path;
  if (!command.options.empty()) text += " [OPTIONS]";
  bool const leads_on = !command.verbs.empty() && command.positionals.empty();
  if (leads_on) text += " VERB";
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

bool has_default_text(CommandOption const& option) {
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
  bool const file = contains(files, option.value);
  return file ? ValueKind::file : ValueKind::word;
}

std::string bash_completion(Command const& program) {
  std::string text = bash_head;
  text += "      " + known_paths(program) + ") path=\"$path ${COMP_WORDS[i]}\" ;;\n";
  text += "      *) break ;;\n    esac\n  done\n";
  text += "  case \"$path $prev\" in\n" + value_arms(program, bash_offer) + "  esac\n";
  text += "  case \"$path\" in\n";
  for (auto const* command : all_commands(program)) {
    text +=
        fmt::format("    {})\n      if [[ $cur == -* ]]; then\n", quoted_for_shell(command->path)) +
        fmt::format("        _gridcast_offer -W '{}' -- \"$cur\"\n", all_options(*command));
    auto const words = words_at(*command);
    bool const files = takes_files(*command);
    if (files || !words.empty()) {
      text += "      else\n        _gridcast_offer";
      if (!words.empty()) text += fmt::format(" -W '{}'", words);
      text += files ? " -f -- \"$cur\"; compopt -o filenames\n" : " -- \"$cur\"\n";
    }
    text += "      fi ;;\n";
  }
  return text + bash_tail;
}

std::string zsh_completion(Command const& program) {
  std::string text = zsh_head;
  text += "      " + known_paths(program) + ") at=\"$at ${words[i]}\" ;;\n";
  text += "      *) break ;;\n    esac\n  done\n";
  text += "  if compset -P '--*='; then prev=${IPREFIX%=}; fi\n";
  text += "  case \"$at $prev\" in\n" + value_arms(program, zsh_offer) + "  esac\n";
  text += "  case \"$at\" in\n";
  for (auto const* command : all_commands(program)) text += zsh_place(*command);
  return text + zsh_tail;
}

}  // namespace gridcast::report
