#include "sim/report/page/report_page.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

/// One job that computes at PDX for `seconds` and succeeds; its record has no dates.
OneCampaign computed(double seconds, std::string const& strategy) {
  auto history = test::HistoryBuilder({{1, 0}}, {"PDX"})
                     .add(0, 0, history::EventKind::submitted)
                     .add(0, 0, history::EventKind::matched)
                     .on(0)
                     .add(0, 0, history::EventKind::transfer_input_started)
                     .on(0)
                     .add(50, 0, history::EventKind::executing)
                     .on(0)
                     .add(50 + seconds, 0, history::EventKind::terminated)
                     .on(0)
                     .get();
  history.dated = false;
  auto accounts = ledger::account(history);
  auto campaign = one_campaign("a test", std::move(history), std::move(accounts));
  campaign.strategy = strategy;
  return campaign;
}

TEST_CASE("times of jobs by site, where there are no dates", "[site_section]") {
  Result result;
  result.ledger = ResultLedger();
  result.ledger->sites["PDX"] = {{"jobs", 2}, {"stalls", 3}, {"holds", 0}, {"evictions", 0}};
  auto const campaign = computed(200, "");
  auto const section = *site_section({result}, &campaign).section;
  REQUIRE(section.figures.size() == 2);
  CHECK_THAT(section.figures[0].says, has_text("last execution: longest at PDX (3.33 min"));
  CHECK_THAT(section.figures[1].says, has_text("3 of the stalls at PDX"));
  REQUIRE(section.tables.size() == 1);
  CHECK(section.tables[0].table.rows()[0][0].text == "PDX");
}

TEST_CASE("results that name no site have no section, and it is said", "[site_section]") {
  Result result;
  result.ledger = ResultLedger();
  CHECK_THAT(site_section({result}, nullptr).missing, has_text("do not name sites"));
}

TEST_CASE("a table of jobs for each strategy, linked into the chart", "[job_section]") {
  auto const section =
      *job_section(computed(100, "published"), {computed(200, "upgrade")}, true).section;
  REQUIRE(section.tables.size() == 2);
  CHECK(section.tables[0].strategy == "published");
  CHECK(section.tables[1].strategy == "upgrade");
  CHECK(section.tables[0].id == section.tables[1].id);
  CHECK(section.tables[0].linked);
  CHECK(section.tables[0].table.rows()[0][0].text == "1.0");
}

TEST_CASE("of very many jobs those that were tried most are shown", "[job_section]") {
  OneCampaign campaign;
  for (std::uint32_t i = 0; i < 6000; ++i) {
    campaign.accounts.jobs.emplace_back().attempts = i;
    campaign.accounts.job_names.push_back({1, i});
  }
  auto const section = *job_section(campaign, {}, false).section;
  CHECK(section.tables[0].table.rows().size() == 5000);
  CHECK(section.tables[0].table.rows()[0][0].text == "1.5999");
  CHECK_THAT(section.text[0], has_text("the 5000 with the most attempts of 6000 jobs"));
}

}  // namespace
}  // namespace gridcast::report
