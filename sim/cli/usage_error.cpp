#include "sim/cli/usage_error.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/closest.hpp"
#include "sim/cli/command_tree.hpp"

namespace gridcast::cli {
namespace {

std::vector<std::string> verbs_of(report::Command const& command) {
  std::vector<std::string> names;
  for (auto const& verb : command.verbs) names.push_back(report::last_name(verb));
  return names;
}

std::vector<std::string> options_of(report::Command const& command) {
  std::vector<std::string> names;
  for (auto const& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::string leftover_message(CLI::App& app, report::Command const& verb) {
  auto const left = app.remaining(true);
  std::string const first = left.empty() ? "" : left.front();
  if (first.starts_with("-")) {
    std::string const name = first.substr(0, first.find('='));
    return fmt::format("unknown option '{}'. {}", name, suggestion(name, options_of(verb)));
  }
  if (!verb.verbs.empty()) {
    return fmt::format("unknown verb '{}'. {}", first, suggestion(first, verbs_of(verb)));
  }
  return fmt::format("'{}' is one argument too many", first);
}

/// "-n/--replicas" for "--replicas".
std::string both_names(CLI::App const& verb, std::string const& name) {
  auto const* option = verb.get_option_no_throw(name);
  if (option == nullptr || option->get_snames().empty()) return name;
  return "-" + option->get_snames().front() + "/" + name;
}

/// CLI11's own words, "--replicas: what is wrong", where they say enough.
std::string value_message(CLI::App const& verb, CLI::ParseError const& error) {
  std::string const text = error.what();
  auto const colon = text.find(": ");
  if (!text.starts_with("-") || colon == std::string::npos) return text;
  std::string const name = both_names(verb, text.substr(0, colon));
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    return name + text.substr(colon);
  }
  bool const missing = text.ends_with("missing");
  return name + (missing ? " needs a value" : " is given more than once");
}

std::string which_verb(report::Command const& command) {
  return fmt::format("{}: which verb? {}. See {} --help.", command.path,
                     fmt::join(verbs_of(command), ", "), command.path);
}

std::string without_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string usage_message(CLI::App& app, CLI::ParseError const& error) {
  auto const& chosen = chosen_verb(app);
  report::Command const verb = command_tree(chosen_verb(app));
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    return fmt::format("{}: {}", verb.path, leftover_message(app, verb));
  }
  // An unknown word explains a missing one better than the latter does.
  bool const missing = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (missing && app.remaining_size(true) > 0) {
    return fmt::format("{}: {}", verb.path, leftover_message(app, verb));
  }
  if (missing && !verb.verbs.empty()) return which_verb(verb);
  return fmt::format("{}: {}. See {} --help.", verb.path,
                     without_stop(value_message(chosen, error)), verb.path);
}

std::string no_verb_message(CLI::App& app) {
  report::Command const program = command_tree(app);
  if (app.remaining(true).empty()) return which_verb(program);
  return fmt::format("{}: {}", program.path, leftover_message(app, program));
}

}  // namespace gridcast::cli
