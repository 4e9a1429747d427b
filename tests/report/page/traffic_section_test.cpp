#include "sim/report/page/report_page.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

OneCampaign one_transfer() {
  OneCampaign campaign;
  campaign.what = "a test";
  campaign.history = test::HistoryBuilder({{1, 0}}, {"PDX"})
                         .add(0, 0, history::EventKind::submitted)
                         .add(0, 0, history::EventKind::matched)
                         .on(0)
                         .add(0, 0, history::EventKind::transfer_input_started)
                         .on(0)
                         .add(50, 0, history::EventKind::executing)
                         .on(0)
                         .add(100, 0, history::EventKind::terminated)
                         .on(0)
                         .get();
  return campaign;
}

TEST_CASE("traffic is what the resources carried", "[traffic_section]") {
  auto campaign = one_transfer();
  campaign.resources.transfers = {{"cache", "PDX", Seconds(0), Seconds(50), Bytes(5e9), false}};
  campaign.resources.caches = {{"cache", 3, 1, Bytes(2e9)}};
  campaign.resources.bad = {{"cache", Seconds(90), Seconds(1000)}};
  auto const section = *traffic_section(campaign).section;
  REQUIRE(section.figures.size() == 2);
  CHECK_THAT(section.figures[0].says, has_text("5 GB in all"));
  CHECK_THAT(section.figures[0].says, has_text("at most 100 MB/s"));
  CHECK_THAT(section.figures[1].says, has_text("75 % of 4 requests were hits"));
  // Only until the campaign ends.
  CHECK_THAT(section.text[1], has_text("cache for 10 s (1 period)"));
}

TEST_CASE("a curve has a row where it changes, with the mean of what flowed", "[traffic_section]") {
  // 10 B/s from 25 to 75 s, and 2 B/s all the time, in 120 bins of 100 s.
  auto campaign = one_transfer();
  campaign.resources.transfers = {{"cache", "PDX", Seconds(25), Seconds(75), Bytes(500), false},
                                  {"cache", "PDX", Seconds(0), Seconds(100), Bytes(200), false}};
  auto const figure = traffic_section(campaign).section->figures[0];
  auto const& rows = figure.data.rows;
  REQUIRE(rows.size() == 4);
  CHECK(std::get<double>(rows[0][2]) == Approx(2));
  CHECK(std::get<double>(rows[1][1]) == Approx(25));
  CHECK(std::get<double>(rows[1][2]) == Approx(12));
  CHECK(std::get<double>(rows[2][1]) == Approx(75));
  CHECK(std::get<double>(rows[3][2]) == Approx(2));
  CHECK_THAT(figure.says, has_text("at most 12 B/s at a time"));
}

TEST_CASE("what ends as another begins is not at the same time", "[traffic_section]") {
  auto campaign = one_transfer();
  campaign.resources.transfers = {{"cache", "PDX", Seconds(0), Seconds(50), Bytes(500), false},
                                  {"cache", "PDX", Seconds(50), Seconds(100), Bytes(500), false}};
  CHECK_THAT(traffic_section(campaign).section->figures[0].says,
             has_text("at most 10 B/s at a time"));
}

TEST_CASE("another strategy's curves can be picked, with their own sentence", "[traffic_section]") {
  auto campaign = one_transfer(), other = one_transfer();
  campaign.resources.transfers = {{"cache", "PDX", Seconds(0), Seconds(50), Bytes(500), false}};
  other.resources.transfers = {{"cache", "PDX", Seconds(0), Seconds(50), Bytes(1000), false}};
  campaign.strategy = "published";
  other.strategy = "upgrade";
  auto const figure = traffic_section(campaign, {other}).section->figures[0];
  REQUIRE(figure.says_by.size() == 2);
  CHECK(figure.says_by[0].second == figure.says);
  CHECK(figure.says_by[1].first == "upgrade");
  CHECK_THAT(figure.says_by[1].second, has_text("1 kB in all"));
  CHECK(std::get<std::string>(figure.data.rows.front().back()) == "published");
  CHECK(std::get<std::string>(figure.data.rows.back().back()) == "upgrade");
}

TEST_CASE("a log without URLs still shows transfers at a time", "[traffic_section]") {
  auto const section = *traffic_section(one_transfer()).section;
  REQUIRE(section.figures.size() == 1);
  CHECK(section.figures[0].id == "concurrent-transfers");
}

TEST_CASE("bytes that a record shows by site are reported so", "[traffic_section]") {
  auto const untold = *traffic_section(one_transfer()).section;
  CHECK_THAT(untold.text[1], has_text("has no bytes of transfers"));
  CHECK(!untold.table);
  auto const section = *traffic_section(one_transfer(), {},
                                        {{"A", {Bytes(5e9), Bytes(1e9)}}, {"B", {Bytes(2e9), {}}}})
                            .section;
  CHECK_THAT(section.text[1], has_text("bytes of transfers by site, without their times"));
  REQUIRE(section.table);
  CHECK(section.table->data.rows.size() == 2);
  CHECK(section.table->says == "7 GB received and 1 GB sent in all.");
}

TEST_CASE("URLs of ads are traffic by where they came from", "[traffic_section]") {
  auto campaign = one_transfer();
  campaign.history.urls = {"osdf:///ospool/ap40/train.tar"};
  campaign.history.transfers = {
      {Id<history::Job>(0), 1, 0, false, true, Seconds(0), Seconds(10), Seconds(10), Bytes(1e6)}};
  auto const section = *traffic_section(campaign).section;
  CHECK_THAT(section.figures[0].says, has_text("from ospool"));
}

TEST_CASE("without dates or transfers there is no traffic, and it is said", "[traffic_section]") {
  auto campaign = one_transfer();
  campaign.history.dated = false;
  CHECK_THAT(traffic_section(campaign).missing, has_text("no dates"));
  campaign.history = history::JobHistory();
  CHECK_THAT(traffic_section(campaign).missing, has_text("no input transfer"));
}

}  // namespace
}  // namespace gridcast::report
