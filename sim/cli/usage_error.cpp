#include "sim/cli/usage_error.hpp"

#include <vector>

#include <fmt/format.h>

#include "sim/base/closest.hpp"

namespace gridcast {
namespace {

std::vector<std::string> verbs_of(CLI::App const& app) {
  std::vector<std::string> names;
  for (auto const* verb : app.get_subcommands([](CLI::App const*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

std::vector<std::string> options_of(CLI::App const& app) {
  std::vector<std::string> names;
  for (auto const* option : app.get_options([](CLI::Option const*) { return true; })) {
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
    for (auto const& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// The verb that was chosen, or else the program.
CLI::App const& chosen(CLI::App const& app) {
  auto const verbs = app.get_subcommands();
  return verbs.empty() ? app : *verbs.front();
}

std::string leftover_message(CLI::App const& app, CLI::App const& verb) {
  auto const left = app.remaining(true);
  std::string const first = left.empty() ? "" : left.front();
  if (first.starts_with("-")) {
    std::string const name = first.substr(0, first.find('='));
    return fmt::format("unknown option '{}'. {}", name, suggestion(name, options_of(verb)));
  }
  if (&app == &verb) {
    return fmt::format("unknown verb '{}'. {}", first, suggestion(first, verbs_of(app)));
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

std::string without_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string usage_message(CLI::App const& app, CLI::ParseError const& error) {
  auto const& verb = chosen(app);
  std::string const name = &app == &verb ? "gridcast" : "gridcast " + verb.get_name();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    return fmt::format("{}: {}", name, leftover_message(app, verb));
  }
  // An unknown word explains a missing one better than the latter does.
  bool const missing = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (missing && app.remaining_size(true) > 0) {
    return fmt::format("{}: {}", name, leftover_message(app, verb));
  }
  return fmt::format("{}: {}. See {} --help.", name, without_stop(value_message(verb, error)),
                     name);
}

std::string no_verb_message(CLI::App const& app) {
  auto const left = app.remaining(true);
  if (!left.empty()) return "gridcast: " + leftover_message(app, app);
  return fmt::format("gridcast: which verb? {}. See gridcast --help.",
                     fmt::join(verbs_of(app), ", "));
}

}  // namespace gridcast
