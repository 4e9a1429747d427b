#include "sim/scenario/draw_columns.hpp"

#include "sim/base/error.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;

namespace {

std::vector<std::string> event_log_columns() {
  return test::event_log_columns({"A", "B.example.org"});
}
std::vector<double> event_log_row() { return test::event_log_row(2); }

std::string problems(std::vector<std::string> const& columns, std::vector<double> const& row) {
  try {
    make_parameter_draw(columns, row);
  } catch (InputError const& error) {
    std::string text;
    for (Problem const& problem : error.problems()) text += problem.to_text() + "\n";
    return text;
  }
  return "";
}

}  // namespace

TEST_CASE("Columns of event logs make a draw of event logs") {
  ParameterDraw const draw = make_parameter_draw(event_log_columns(), event_log_row());
  REQUIRE(draw.event_log);
  CHECK(draw.sites.empty());
  EventLogParameters const& dated = *draw.event_log;
  CHECK(dated.url_reference == Bytes(1));
  CHECK(dated.url_exponent == 2);
  CHECK(dated.url_failed_after == 2. / 1024);
  CHECK(dated.work == Seconds(4));
  CHECK(dated.job_sigma == 5);
  CHECK(dated.execution_sigma == 6);
  CHECK(dated.release == 6. / 1024);
  CHECK(dated.most_holds == 8);
  CHECK(dated.suspension == Seconds(9));
  CHECK(dated.pilot_replacement == Seconds(10));
  CHECK(dated.match_delay.family == Family::lognormal);
  CHECK(dated.match_delay.shape == 12);
  CHECK(dated.match_delay.scale == 13);
  CHECK(dated.match_delay.shift == 14);
  CHECK(dated.reconnect_delay.shift == 38);
}

TEST_CASE("Columns of dated histories with a site's name go to that site") {
  ParameterDraw const draw = make_parameter_draw(event_log_columns(), event_log_row());
  REQUIRE(draw.event_log->sites.size() == 2);
  EventLogSiteParameters const& site = draw.event_log->sites.at("A");
  CHECK(site.slots == 39);
  CHECK(site.url_median == Seconds(40));
  CHECK(site.url_sigma == 41);
  CHECK(site.url_failure == 41. / 1024);
  CHECK(site.url_hang == 42. / 1024);
  CHECK(site.speed == 44);
  CHECK(site.crash == 44. / 1024);
  CHECK(site.evict_per_second == 46);
  CHECK(site.disconnect_per_second == 47);
  CHECK(site.reconnect == 47. / 1024);
  CHECK(site.suspend_per_second == 49);
  CHECK(site.pilot_death_per_second == 50);
  CHECK(draw.event_log->sites.at("B.example.org").slots == 51);
}

TEST_CASE("The two sets of columns do not mix, and each has to be complete") {
  auto columns = event_log_columns();
  auto row = event_log_row();
  columns.push_back("stall_when_bad");
  row.push_back(0.5);
  CHECK_THAT(problems(columns, row), has_text("'stall_when_bad' does not belong here (it is of a "
                                              "job table, the others are of dated logs)"));
  columns = event_log_columns();
  columns[1] = "url_exponen";
  CHECK_THAT(problems(columns, event_log_row()),
             has_text("Did you mean 'url_exponent'?") && has_text("'url_exponent' is missing"));
  columns = test::draw_columns();
  columns[0] = "work_s";
  CHECK_THAT(problems(columns, test::draw_row()),
             has_text("'work_s' does not belong here (it is of dated logs"));
}

TEST_CASE("No name is in both sets of columns") {
  for (DrawColumn const& column : draw_columns(ColumnSet::event_log)) {
    CHECK_FALSE(find_draw_column(ColumnSet::job_table, column.name));
  }
  for (SiteColumn const& column : site_columns(ColumnSet::event_log)) {
    CHECK_FALSE(find_site_column(ColumnSet::job_table, column.name));
  }
}

TEST_CASE("Submissions are scaled in dated worlds only") {
  test::ScenarioFiles files;
  files.edit(test::scenario_name, "jobs: 3", "jobs: 3, scale: 0.5");
  auto const found = files.problems();
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("campaign.submit[0].scale: this would have no effect"));
  files.make_dated();
  CHECK(files.problems().empty());
  CHECK(read_scenario(files / test::scenario_name).campaign.scales() ==
        std::vector<double>{0.5, 0.5, 0.5, 1, 1});
  files.edit(test::scenario_name, "scale: 0.5", "scale: 0");
  CHECK(files.problems().size() == 1);
}

TEST_CASE("What a kind of calibration knows nothing of is refused") {
  test::ScenarioFiles files;
  CHECK(files.problems().empty());
  files.edit(test::scenario_name, "epochs: 5}", "epochs: 5, scale: 2}");
  files.edit(test::scenario_name, "published: {}", "published: {checkpoint: {every_epochs: 1}}");
  auto found = files.problems();
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0] + found[1],
             has_text("campaign.work.scale: this would have no effect") &&
                 has_text("strategies.published.checkpoint: this would have no effect"));
  files.make_dated();
  CHECK(files.problems().empty());
  files.edit(test::scenario_name, "every_epochs: 1}",
             "every_epochs: 1}, transfer: {stall_timeout: 100 s}");
  found = files.problems();
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("strategies.published.transfer.stall_timeout: this would have no"));
}

}  // namespace gridcast::scenario
