#include "sim/cli/strategy_argument.hpp"

#include <string_view>

#include "sim/base/text.hpp"
#include "sim/scenario/preferences.hpp"

namespace gridcast::cli {
namespace {

/// Splits at commas outside of brackets and quotes.
std::vector<std::string> assignments(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (char const c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    }
    if (c == ',' && depth == 0 && quote == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

struct NamedStrategy {
  std::string name;
  std::vector<std::string> assignments;
};

NamedStrategy named_strategy(std::string const& with) {
  auto const colon = with.find(':');
  if (colon == std::string::npos) return {};
  return {std::string(trim(std::string_view(with).substr(0, colon))),
          assignments(std::string_view(with).substr(colon + 1))};
}

}  // namespace

std::vector<std::string> strategy_overrides(std::string const& with,
                                            std::vector<std::string> const& baseline) {
  auto const strategy = named_strategy(with);
  std::string const path = "strategies." + strategy.name;
  std::vector<std::string> overrides = {path + "={}"};
  for (auto const& each : baseline) overrides.push_back(path + "." + each);
  for (auto const& each : strategy.assignments) {
    overrides.push_back(path + "." + std::string(trim(each)));
  }
  return overrides;
}

std::string strategy_name(std::string const& with) { return named_strategy(with).name; }

std::string wrong_strategy(std::string const& with) {
  constexpr char form[] = "write NAME:KEY=VALUE, such as patient:transfer.stall_timeout=2 h";
  auto const strategy = named_strategy(with);
  if (strategy.name.empty()) return form;
  if (strategy.name.find_first_of(".=[]{} ") != std::string::npos) {
    return "a name has no points, blanks, brackets or '='";
  }
  for (auto const& each : strategy.assignments) {
    auto const equals = each.find('=');
    if (equals == std::string::npos || trim(each.substr(0, equals)).empty()) return form;
  }
  return "";
}

std::string wrong_goal(std::string const& goal) {
  return scenario::parse_goal(goal) ? "" : std::string("write ") + scenario::goal_forms;
}

}  // namespace gridcast::cli
