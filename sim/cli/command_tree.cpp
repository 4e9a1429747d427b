#include "sim/cli/command_tree.hpp"

#include <algorithm>

#include "sim/base/text.hpp"
#include "sim/cli/arguments.hpp"

namespace gridcast::cli {
namespace {

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::vector<std::string> choices_of(CLI::Option& option) {
  try {
    return split(option.get_validator(one_of_name)->get_description(), '|');
  } catch (CLI::OptionNotFound const&) {
    return {};
  }
}

/// What the option takes: its type's name, without what validators add to it.
std::string value_of(CLI::Option const& option) {
  bool const is_flag = option.get_items_expected_max() == 0;
  std::string const name = option.get_type_name();
  return is_flag ? "" : name.substr(0, name.find(':'));
}

std::vector<CLI::App*> all_below(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

report::CommandOption option_of(CLI::Option& option, std::string const& group) {
  report::CommandOption result;
  if (option.get_positional()) {
    result.names.push_back(option.get_name(true));
  } else {
    for (auto const& name : option.get_snames()) result.names.push_back("-" + name);
    for (auto const& name : option.get_lnames()) result.names.push_back("--" + name);
  }
  result.group = group;
  result.value = value_of(option);
  result.words = in_one_line(option.get_description());
  result.fallback = option.get_default_str();
  result.choices = choices_of(option);
  result.required = option.get_required();
  result.repeated = option.get_items_expected_max() > 1;
  return result;
}

/// Options of the verb itself, then those of its groups, which the parser keeps as nameless verbs.
void add_options(CLI::App& app, std::string const& group, report::Command& command) {
  for (auto* option : app.get_options([](CLI::Option*) { return true; })) {
    // A group inherits the help of its verb, which has it already.
    bool const inherited = !group.empty() && option == app.get_help_ptr();
    bool const hidden = option->get_group().empty() || inherited;
    auto& list = option->get_positional() ? command.positionals : command.options;
    if (!hidden) list.push_back(option_of(*option, group));
  }
  for (auto* sub : all_below(app)) {
    if (sub->get_name().empty()) add_options(*sub, sub->get_group(), command);
  }
}

/// The footer: a block of examples, then notes.
void add_footer(std::string const& footer, report::Command& command) {
  bool goes_on = false;
  for (auto const& line : split(footer, '\n')) {
    std::string piece(trim(line));
    bool const broken = piece.ends_with('\\');
    if (broken) piece = std::string(trim(piece.substr(0, piece.size() - 1)));
    if (goes_on) {
      command.examples.back() += " " + piece;
    } else if (line.starts_with("  ")) {
      command.examples.push_back(piece);
    } else if (piece != "Examples:" && piece != "Example:" && !piece.empty()) {
      command.notes += (command.notes.empty() ? "" : " ") + piece;
    }
    goes_on = broken;
  }
}

/// A verb that only leads to others shows how they are used: each once, and a single one in full.
std::vector<std::string> examples_below(report::Command const& command) {
  if (command.verbs.size() == 1) return command.verbs.front().examples;
  std::vector<std::string> examples;
  for (auto const& verb : command.verbs) {
    if (!verb.examples.empty()) examples.push_back(verb.examples.front());
  }
  return examples;
}

report::Command tree_below(CLI::App& app, std::string const& above) {
  report::Command command;
  command.path = above.empty() ? app.get_name() : above + " " + app.get_name();
  command.words = in_one_line(app.get_description());
  add_footer(app.get_footer(), command);
  add_options(app, "", command);
  for (auto* verb : all_below(app)) {
    if (!verb->get_name().empty()) command.verbs.push_back(tree_below(*verb, command.path));
  }
  if (command.examples.empty()) command.examples = examples_below(command);
  return command;
}

}  // namespace

CLI::App& chosen_verb(CLI::App& app) {
  auto const verbs = app.get_subcommands();
  return verbs.empty() ? app : chosen_verb(*verbs.front());
}

std::string path_of(CLI::App const& app) {
  auto const* above = app.get_parent();
  return above == nullptr ? app.get_name() : path_of(*above) + " " + app.get_name();
}

report::Command command_tree(CLI::App& app) {
  auto const* above = app.get_parent();
  return tree_below(app, above == nullptr ? "" : path_of(*above));
}

}  // namespace gridcast::cli
