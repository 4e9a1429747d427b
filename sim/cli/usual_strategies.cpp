#include "sim/cli/usual_strategies.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cli/study_arguments.hpp"

namespace gridcast::cli {
namespace {

/// A change that the owner of the jobs makes alone, in the submit file.
struct OwnChange {
  std::string name, setting, about;
  std::vector<std::string> rivals;  // keys of the submit file that decide the same
};

std::vector<OwnChange> const& own_changes() {
  static std::vector<OwnChange> const changes = {
      {"auto-release",
       "release.transfer_holds_after=20 min",
       "Jobs held for a failed transfer are released after 20 min. You add periodic_release.",
       {"periodic_release", "transfer_holds_after"}},
      {"retries",
       "retry.max_retries=3",
       "A job that fails runs again, at most three times. You add max_retries.",
       {"max_retries"}}};
  return changes;
}

}  // namespace

std::vector<std::string> usual_strategies(std::vector<std::string> const& baseline) {
  std::vector<std::string> overrides, all, names;
  for (OwnChange const& change : own_changes()) {
    bool const decided = std::ranges::any_of(baseline, [&](std::string const& key) {
      return std::ranges::any_of(change.rivals, [&](std::string const& rival) {
        return key.find(rival) != std::string::npos;
      });
    });
    if (decided) continue;
    auto const own = strategy_overrides(change.name + ":" + change.setting, baseline);
    overrides.insert(overrides.end(), own.begin(), own.end());
    overrides.push_back(fmt::format("strategies.{}.about={}", change.name, change.about));
    names.push_back(change.name);
    all.push_back(change.setting);
  }
  if (names.size() > 1) {
    auto const name = fmt::format("{}", fmt::join(names, "-"));
    auto const both = strategy_overrides(fmt::format("{}:{}", name, fmt::join(all, ",")), baseline);
    overrides.insert(overrides.end(), both.begin(), both.end());
    overrides.push_back(
        fmt::format("strategies.{}.about=You add periodic_release and max_retries.", name));
  }
  return overrides;
}

}  // namespace gridcast::cli
