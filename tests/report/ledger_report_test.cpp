// The ledger of the published campaign as text and as JSON.
#include <filesystem>
#include <limits>

#include <nlohmann/json.hpp>

#include "sim/history/job_table.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/data/ledger_json.hpp"
#include "sim/report/text/ledger_text.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using Json = nlohmann::ordered_json;
using test::has_text;

ledger::Ledger published_ledger() {
  return ledger::account(history::to_history(history::read_job_table(
      test::source_dir() / "calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv")));
}

TEST_CASE("the text says how jobs ended and where the hours went") {
  auto const text = ledger_text(published_ledger());
  REQUIRE_THAT(text, has_text("100 jobs: 79 succeeded, 3 with a wrong output, 18 held"));
  REQUIRE_THAT(text, has_text("computing the result                332.3 h   43.6 %"));
  REQUIRE_THAT(text, has_text("input transfers before it           302.2 h   39.7 %"));
  REQUIRE_THAT(text, has_text("computing lost to evictions        not told        -"));
  REQUIRE_THAT(text, has_text("5.5 h (1.6 %) is proven to be evicted computing"));
  REQUIRE_THAT(text, has_text("mean 8.61 h, median 4.96 h"));
  REQUIRE_THAT(text, has_text("makespan: not known (no dates)"));
  REQUIRE_THAT(text, has_text("GP-ARGO-ksu-backfill    15         13        6.50 h  4.89 h"));
  // Jobs that met no site come last.
  REQUIRE(text.find("(no site)") > text.find("PDX-Coeus-CE1"));
}

TEST_CASE("the JSON holds the metrics under their names, whole seconds as integers") {
  auto const text = ledger_json(published_ledger());
  REQUIRE_THAT(text, has_text("\"compute_success_s\": 1196137,\n"));
  REQUIRE_THAT(text, has_text("\"makespan_s\": null,\n"));
  auto const json = Json::parse(text);
  REQUIRE(json["schema"] == "gridcast.ledger/1");
  REQUIRE(json["metrics"].begin().key() == "jobs");
  REQUIRE(json["metrics"]["match_to_done_mean_s"].get<double>() == Approx(31006.658228));
  REQUIRE(json["metrics"]["compute_evicted_s"].is_null());
  REQUIRE(json["sites"]["PDX-Coeus-CE1"]["succeeded"] == 42);
  REQUIRE(json["sites"]["GP-ARGO-ksu-backfill"]["execute_median_s"] == 17608);
  REQUIRE(json["sites"]["(no site)"]["held"] == 15);
  REQUIRE(json["sites"]["(no site)"]["execute_mean_s"].is_null());
  REQUIRE(json["metrics"].size() == ledger::metrics(ledger::Ledger()).size());
}

TEST_CASE("numbers are rounded to a millionth, integers have no point") {
  REQUIRE(json_number(3).dump() == "3");
  REQUIRE(json_number(0.1 + 0.2).dump() == "0.3");
  REQUIRE(json_number(-2.0000000001).dump() == "-2");
  REQUIRE(json_number(1e300).dump() == "1e+300");
  REQUIRE(json_number(std::numeric_limits<double>::quiet_NaN()).is_null());
}

TEST_CASE("an empty ledger can be told too") {
  REQUIRE_THAT(ledger_text(ledger::Ledger()), has_text("0 jobs: 0 succeeded"));
  REQUIRE(Json::parse(ledger_json(ledger::Ledger()))["sites"].empty());
}

TEST_CASE("a dated ledger tells its makespan and its evictions") {
  history::JobHistory history;
  history.jobs = {{1, 0}};
  history.sites = {"A"};
  auto add = [&](double at, history::EventKind kind) {
    history::JobEvent event;
    event.at = Seconds(at);
    event.job = Id<history::Job>(0);
    event.kind = kind;
    event.site = Id<history::Site>(0);
    history.events.push_back(event);
  };
  add(0, history::EventKind::matched);
  add(0, history::EventKind::executing);
  add(7200, history::EventKind::evicted);
  add(7200, history::EventKind::matched);
  add(7200, history::EventKind::executing);
  add(864000, history::EventKind::terminated);
  auto const text = ledger_text(ledger::account(history));
  REQUIRE_THAT(text, has_text("makespan: 10 d"));
  REQUIRE_THAT(text, has_text("computing lost to evictions    2.0 h    0.8 %"));
  REQUIRE(text.find("proven") == std::string::npos);
}

}  // namespace
}  // namespace gridcast::report
