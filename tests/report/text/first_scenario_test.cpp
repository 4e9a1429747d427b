#include "sim/report/text/first_scenario.hpp"

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("a first scenario has the answers in it, quoted", "[first_scenario]") {
  FirstScenario scenario;
  scenario.title = "A \"title\" with \\";
  scenario.pool = "p.yaml";
  scenario.calibration = "c.yaml";
  scenario.profile = "x";
  scenario.jobs = 7;
  scenario.input = "5 GB";
  scenario.work = "3";
  auto const text = first_scenario_text(scenario);
  CHECK_THAT(text, has_text("title: \"A \\\"title\\\" with \\\\\"\n") && has_text("jobs: 7}") &&
                       has_text("size: 5 GB}") && has_text("epochs: 3}") && !has_text("$schema"));
  CHECK_THAT(text, has_text("baseline: published") && has_text("about: \"No change.\""));
  scenario.from_event_log = true;
  scenario.schema = "s.json";
  auto const of_logs = first_scenario_text(scenario);
  // With logs, work is a multiple, and stall timeouts would have no effect.
  CHECK_THAT(of_logs, has_text("epochs: 1, scale: 3}") && !has_text("stall_timeout") &&
                          has_text("$schema=s.json"));
}

}  // namespace
}  // namespace gridcast::report
