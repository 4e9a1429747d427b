// Processes that are switched off by name.

#include <algorithm>
#include <set>

#include "sim/scenario/draw_columns.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

TEST_CASE("each switch names columns of the draws, and no column twice") {
  std::set<std::string_view> names, columns;
  for (auto const& each : scenario::process_switches()) {
    CAPTURE(each.name);
    CHECK(names.insert(each.name).second);
    bool const of_jobs = each.of == scenario::ProcessSwitch::Of::repeated_jobs;
    CHECK(each.columns.empty() == (of_jobs || each.name == scenario::recorded_jobs));
    for (std::string_view const column : each.columns) {
      CAPTURE(column);
      CHECK((scenario::find_draw_column(column) || scenario::find_site_column(column)));
      CHECK(columns.insert(column).second);
    }
  }
}

TEST_CASE("each column belongs to one process, and a process switches off its own columns") {
  std::set<std::string> columns;
  for (scenario::Process const& process : scenario::processes()) {
    CAPTURE(process.name);
    std::set<std::string_view> own;
    for (auto const& column : process.columns) {
      CHECK(columns.insert(column.name).second);
      own.insert(column.name);
    }
    for (auto const& column : process.site_columns) {
      CHECK(columns.insert("." + column.name).second);
      own.insert(column.name);
    }
    for (std::string_view const column : process.zero_is_off) CHECK(own.count(column) == 1);
  }
  CHECK(columns.size() == scenario::draw_columns().size() + scenario::site_columns().size());
}

TEST_CASE("a list names processes and keeps unknown names") {
  std::vector<std::string> unknown;
  auto const named = scenario::processes_named("evictions, crashes,evicton", unknown);
  REQUIRE(named.size() == 2);
  CHECK(named[0]->name == "evictions");
  CHECK(named[1]->name == "crashes");
  CHECK(unknown == std::vector<std::string>{"evicton"});
}

TEST_CASE("a process that is off happens in no draw, and the others stay") {
  auto calibration =
      scenario::read_calibration(source_dir() / "calibration/fitted/osg-imagenet.yaml");
  auto const before = calibration;
  std::vector<std::string> unknown;
  scenario::switch_off(scenario::processes_named("pilot-deaths", unknown), calibration);
  bool any_before = false;
  REQUIRE(calibration.draws.size() == before.draws.size());
  for (std::size_t row = 0; row < calibration.draws.size(); ++row) {
    for (auto const& [name, site] : calibration.draws[row].sites) {
      CHECK(site.pilot_kill_per_second == 0);
      CHECK(site.pilot_death_per_second.value_or(0) == 0);
      auto const& was = before.draws[row].sites.at(name);
      any_before = any_before || was.pilot_kill_per_second > 0;
      CHECK(site.unpack == was.unpack);
    }
    CHECK(calibration.draws[row].not_found.per_start == before.draws[row].not_found.per_start);
  }
  CHECK(any_before);
}

}  // namespace gridcast::test
