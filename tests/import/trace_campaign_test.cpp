#include "sim/import/trace_campaign.hpp"

#include "sim/base/files.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

scenario::Scenario read_back(TraceCampaign const& campaign) {
  auto const folder = std::filesystem::temp_directory_path() / "gridcast-trace-campaign-test";
  prepare_folder(folder);
  for (auto const& [name, text] : trace_scenario(campaign)) write_file(folder / name, text);
  scenario::Scenario scenario = scenario::read_scenario(folder / "scenario.yaml");
  std::filesystem::remove_all(folder);
  return scenario;
}

}  // namespace

TEST_CASE("the three files give back the imported campaign", "[trace_campaign]") {
  TraceCampaign campaign;
  campaign.title = "a \"title\"";
  campaign.jobs = {{Seconds(30), Seconds(0.25)},
                   {Seconds(0), Seconds(1234.5)},
                   {Seconds(30), Seconds(0.25)},
                   {Seconds(31), Seconds(864000)}};
  campaign.slots = 17;
  campaign.input = Bytes(600);
  campaign.rate = BytesPerSecond(50e6);
  scenario::Scenario const scenario = read_back(campaign);
  CHECK(scenario.title == "a \"title\"");
  REQUIRE(scenario.campaign.submit.size() == 3);
  CHECK(scenario.campaign.submit[0].at == Seconds(0));
  CHECK(scenario.campaign.submit[1].jobs == 2);
  scenario::JobWorks const works(scenario.campaign);
  CHECK(works.of(0).scale == 1234.5);
  CHECK(works.of(1).scale == 0.25);
  CHECK(works.of(2).scale == 0.25);
  CHECK(works.of(3).scale == 864000);
  CHECK(scenario.pool.sites[0].slots == 17);
  CHECK(scenario.pool.access_point.max_execution > Seconds(864000));
  scenario::ParameterDraw const& draw = scenario.calibration.draws.at(0);
  CHECK(draw.work == Seconds(1));
  CHECK(draw.job_sigma == 0);
  CHECK(draw.sites.at("trace").stream_limit == BytesPerSecond(50e6));
  CHECK(draw.sites.at("trace").link_capacity.value_or(scenario::unlimited_rate) ==
        scenario::unlimited_rate);
  CHECK(scenario.campaign.input_size() == Bytes(600));
}

TEST_CASE("most jobs at once", "[trace_campaign]") {
  CHECK(most_at_once({}) == 0);
  CHECK(most_at_once({{Seconds(0), Seconds(10)}, {Seconds(10), Seconds(5)}}) == 1);
  CHECK(most_at_once(
            {{Seconds(0), Seconds(10)}, {Seconds(9), Seconds(5)}, {Seconds(9), Seconds(1)}}) == 3);
}

TEST_CASE("notes are counted by reason, with their places", "[trace_campaign]") {
  std::vector<TraceNote> const notes = {{{"a.swf", 3, 0}, "job 1", "left out: x"},
                                        {{"a.swf", 4, 0}, "job 2", "left out: y"},
                                        {{"a.swf", 5, 0}, "job 3", "left out: x"},
                                        {{"a.swf", 6, 0}, "job 4", "left out: x"}};
  auto const lines = summary(notes, 2);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "3 rows, left out: x:\n  a.swf:3: job 1\n  a.swf:5: job 3\n  and 1 more");
  CHECK(lines[1] == "1 row, left out: y:\n  a.swf:4: job 2");
  CHECK(summary(notes, 0)[0].find("a.swf:6: job 4") != std::string::npos);
}

}  // namespace gridcast::import
