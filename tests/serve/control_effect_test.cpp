// A control that is disabled for want of an effect really has none: another value gives the same
// campaigns.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "sim/base/error.hpp"
#include "sim/scenario/controls.hpp"
#include "sim/study/prediction.hpp"
#include "tests/test.hpp"

namespace gridcast::serve {
namespace {

using scenario::Control;
using scenario::Form;

/// Another value than the present one; none for forms that are left out here.
std::optional<std::string> another(Control const& control) {
  switch (control.key.form) {
    case Form::integer:
      return control.value == "3" ? "4" : "3";
    case Form::time:
      return "7 min";
    case Form::time_range:
      return "1 min..2 min";
    case Form::truth:
      return control.value == "true" ? "false" : "true";
    default:
      return std::nullopt;
  }
}

std::vector<study::Record> campaigns(std::filesystem::path const& file, std::string const& strategy,
                                     std::vector<std::string> const& overrides) {
  auto const scenario = scenario::read_scenario(file, overrides);
  std::vector<study::Record> records;
  for (std::uint32_t replica = 0; replica < 4; ++replica) {
    records.push_back(study::predict_replica(scenario, scenario.strategy(strategy), {}, replica));
  }
  return records;
}

/// Whether the reader itself refuses the value, since it would change nothing.
bool refused(std::filesystem::path const& file, std::string const& override) {
  try {
    scenario::read_scenario(file, {override});
  } catch (InputError const& error) {
    return std::string(error.what()).find("no effect") != std::string::npos;
  }
  return false;
}

bool same(std::vector<study::Record> const& a, std::vector<study::Record> const& b) {
  auto const equal = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](auto const& x, auto const& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
  });
}

}  // namespace

TEST_CASE("A control that is disabled changes no campaign") {
  auto const file = test::source_dir() / "scenarios/osg-imagenet.yaml";
  auto const scenario = scenario::read_scenario(file);
  std::size_t tried = 0;
  for (char const* name : {"published", "timer-never", "upgrade", "htcondor-native"}) {
    auto const before = campaigns(file, name, {});
    for (Control const& control : scenario::controls_of(scenario, scenario.strategy(name))) {
      auto const value = another(control);
      if (control.no_effect.empty() || !value) continue;
      CAPTURE(control.path, *value, control.no_effect);
      std::string const override = control.path + "=" + *value;
      CHECK((refused(file, override) || same(before, campaigns(file, name, {override}))));
      ++tried;
    }
  }
  CHECK(tried >= 12);
}

TEST_CASE("Reasons follow the values of other keys") {
  auto const file = test::source_dir() / "scenarios/osg-imagenet.yaml";
  auto const why = [&](std::vector<std::string> const& overrides, char const* key) {
    auto const scenario = scenario::read_scenario(file, overrides);
    return scenario::why_no_effect(scenario, scenario.strategy("published"), key);
  };
  CHECK_THAT(why({}, "retry.delay"), test::has_text("no job cools down"));
  CHECK(why({"strategies.published.retry.on_transfer_failure=cool_down",
             "strategies.published.retry.delay=5 min..10 min"},
            "retry.delay")
            .empty());
  CHECK(why({}, "transfer.stall_timeout").empty());
  CHECK_THAT(why({"strategies.published.transfer.stall_timer=never"}, "transfer.stall_timeout"),
             test::has_text("ends no transfer"));
  CHECK(why({"strategies.published.transfer.stall_timer=never",
             "strategies.published.transfer.on_stall=next_cache"},
            "transfer.stall_timeout")
            .empty());
  CHECK_THAT(why({}, "training.data"), test::has_text("catalogue"));
  CHECK_THAT(why({}, "submit.every"), test::has_text("not submitted in groups"));
  CHECK(why({"strategies.published.submit.jobs_at_a_time=10",
             "strategies.published.submit.every=1 h"},
            "submit.every")
            .empty());
  auto const of_campaign = [&](std::vector<std::string> const& overrides, char const* key) {
    return scenario::why_no_effect(scenario::read_scenario(file, overrides).campaign, key);
  };
  CHECK_THAT(of_campaign({}, "submit[1].unless_exit"), test::has_text("not repeated"));
  CHECK(of_campaign({"campaign.submit.1.retries=2"}, "submit[1].unless_exit").empty());
  CHECK_THAT(of_campaign({}, "submit[0].abort_return"), test::has_text("abort_on"));
}

TEST_CASE("Six controls come first, and fitted numbers have their sampled range") {
  auto const scenario = scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml");
  std::size_t first = 0, sampled = 0;
  for (Control const& each : scenario::controls_of(scenario, scenario.strategy("published"))) {
    CAPTURE(each.path);
    if (each.place == scenario::Place::first) {
      ++first;
      CHECK(each.no_effect.empty());
    }
    if (!each.sampled) continue;
    ++sampled;
    CHECK(each.group == "sites");
    CHECK(each.sampled->low <= each.sampled->high);
  }
  CHECK(first == scenario::shown_first);
  CHECK(sampled > 0);
}

}  // namespace gridcast::serve
