#include "sim/scenario/fixed_columns.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/closest.hpp"

namespace gridcast::scenario {
namespace {

/// What the column of that name may hold.
Allowed allowed_in(std::string const& name, ColumnSet set) {
  if (auto const* const column = find_draw_column(set, name)) return column->allowed;
  auto const* const column = find_site_column(set, name.substr(0, name.find('.')));
  check(column != nullptr, "a column of a calibration is of the world or of a site");
  return column->allowed;
}

std::optional<double> number_of(std::string const& text) {
  double number = 0;
  auto const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end || error != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<FixedColumn> fixed_columns(std::vector<Override> const& overrides,
                                       std::vector<std::string> const& names, ColumnSet set,
                                       std::vector<Problem>& problems) {
  std::vector<FixedColumn> fixed;
  for (Override const& override : overrides) {
    auto const found = std::find(names.begin(), names.end(), override.path);
    if (found == names.end()) {
      problems.push_back({{override.option},
                          fmt::format("the draws have no column '{}'", override.path),
                          "",
                          suggestion(override.path, names)});
      continue;
    }
    auto const value = number_of(override.value);
    Allowed const allowed = allowed_in(override.path, set);
    if (!value || !holds(allowed, *value)) {
      problems.push_back({{override.option},
                          fmt::format("{} is '{}'", override.path, override.value),
                          fmt::format("it has to be {}", description(allowed)),
                          value ? "" : "Write a number; its unit is in the column's name."});
      continue;
    }
    fixed.push_back({static_cast<std::size_t>(found - names.begin()), *value});
  }
  return fixed;
}

}  // namespace gridcast::scenario
