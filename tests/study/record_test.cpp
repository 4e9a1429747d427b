#include "sim/study/record.hpp"

#include <algorithm>
#include <cmath>

#include "sim/history/job_table.hpp"
#include "sim/ledger/metrics.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

history::JobRow row(std::uint32_t proc, std::string site, double execution, int stalls = 0) {
  history::JobRow row;
  row.name = {1, proc};
  row.sites = {std::move(site)};
  row.execute = {Seconds(execution)};
  row.slot_busy = {Seconds(execution + 600)};
  row.transfer_total = Seconds(600 + 4000 * stalls);
  row.transfer_last = Seconds(600);
  row.stalls = stalls;
  return row;
}

/// Two sites; one job stalled ten times, one was held.
history::JobTable four_jobs() {
  history::JobTable table;
  table.rows = {row(0, "CHTC", 10000), row(1, "CHTC", 11000, 10), row(2, "PDX", 15000),
                row(3, "PDX", 0)};
  auto& held = table.rows.back();
  held.outcome = history::Outcome::held_404;
  held.execute.clear();
  held.slot_busy.clear();
  return table;
}

double figure(ledger::Ledger const& ledger, std::string_view name) {
  auto const all = ledger::metrics(ledger, ledger::MetricScope::replica);
  auto const found = std::find_if(all.begin(), all.end(),
                                  [&](ledger::MetricValue const& m) { return m.name == name; });
  REQUIRE(found != all.end());
  return found->available ? found->value : std::nan("");
}

TEST_CASE("records of studies have more figures than the ledger", "[record]") {
  auto const ledger = ledger::account(history::to_history(four_jobs()));
  CHECK(figure(ledger, "succeeded") == 3);
  CHECK(figure(ledger, "gpu_hours_per_success") ==
        Approx(figure(ledger, "wallclock_s") / 3600 / 3));
  CHECK(figure(ledger, "stall_free_share") == Approx(0.75));
  CHECK(figure(ledger, "ten_stalls_share") == Approx(0.25));
  CHECK(figure(ledger, "stall_dispersion") == Approx(10));  // variance 25, mean 2.5
  CHECK(std::isnan(figure(ledger, "makespan_95_s")));
}

TEST_CASE("a campaign without a success has no price a success", "[record]") {
  auto table = four_jobs();
  table.rows.erase(table.rows.begin(), table.rows.begin() + 3);
  CHECK(std::isnan(figure(ledger::account(history::to_history(table)), "gpu_hours_per_success")));
}

TEST_CASE("a record has a number for each of its names", "[record]") {
  std::vector<std::string> const sites = {"CHTC", "PDX", "KSU"};
  scenario::ParameterDraw draw;
  draw.outages.scope = scenario::OutageScope::path;
  draw.outages.stall_when_bad = 1;
  auto const names = record_names(sites);
  auto const record = make_record(history::to_history(four_jobs()), sites, draw);
  REQUIRE(record.size() == names.size());
  StudySample const sample{names, {0}, {record}};
  CHECK(column(sample, "execute_median_s:CHTC")[0] == Approx(10500));
  CHECK(column(sample, "execute_median_s:PDX")[0] == Approx(15000));
  CHECK(std::isnan(column(sample, "execute_median_s:KSU")[0]));
  CHECK(column(sample, "hypothesis")[0] == static_cast<double>(scenario::Hypothesis::bad_path));
  CHECK(column(sample, "table:succeeded")[0] == 3);
}

// Nobody reads the job table of a forecast that no table is compared with.
TEST_CASE("a record without rows has the same other figures", "[record]") {
  std::vector<std::string> const sites = {"CHTC", "PDX"};
  auto const history = history::to_history(four_jobs());
  auto const figures_of = [&](bool rows) {
    RecordKeeper keeper(history, {}, rows);
    for (history::JobEvent const& event : history.events) keeper.add(event);
    return StudySample{record_names(sites, rows), {0}, {keeper.finish(sites, {})}};
  };
  auto const alone = figures_of(false), with_rows = figures_of(true);
  REQUIRE(alone.records[0].size() == alone.names.size());
  CHECK(alone.names.size() < with_rows.names.size());
  for (auto const& name : alone.names) {
    INFO(name);
    CHECK_FALSE(name.starts_with(through_table));
    double const one = column(alone, name)[0], other = column(with_rows, name)[0];
    CHECK((one == other || (std::isnan(one) && std::isnan(other))));
  }
}

TEST_CASE("the cause belongs to jobs without success, not to most attempts", "[record]") {
  std::vector<std::string> const sites = {"CHTC", "PDX"};
  auto const cause = [&sites](history::JobTable const& table) {
    StudySample const sample{
        record_names(sites), {0}, {make_record(history::to_history(table), sites, {})}};
    return *cause_in(column(sample, "cause")[0]);
  };
  auto table = four_jobs();  // ten stalls of a job that succeeded, and one that was held
  CHECK(cause(table).kind == history::EventKind::held);
  table.rows.pop_back();
  CHECK(cause(table).kind != history::EventKind::held);
}

TEST_CASE("a cause is a number and comes back whole", "[record]") {
  history::Ending ending{history::EventKind::held, history::Reason::transfer_failed, 13, 2816};
  CHECK(cause_in(cause_number(ending)) == ending);
  ending = {history::EventKind::terminated, history::Reason::killed_by_signal, 0, 0, -9};
  CHECK(cause_in(cause_number(ending)) == ending);
  ending = {history::EventKind::evicted, history::Reason::unknown, 1013, -1};
  CHECK(cause_in(cause_number(ending)) == ending);
  CHECK_FALSE(cause_in(std::nan("")));
}

TEST_CASE("a recorded figure is in the middle of equal figures", "[against]") {
  std::vector<std::string> const sites = {"CHTC", "PDX"};
  auto const history = history::to_history(four_jobs());
  auto const record = make_record(history, sites, {});
  StudySample const sample{record_names(sites), {0, 1, 2}, {record, record, record}};
  auto const against = compare_with_record(sample, history);
  CHECK(against.jobs == 4);
  CHECK_FALSE(against.figures.empty());
  for (auto const& placed : against.figures) {
    INFO(placed.name);
    CHECK(placed.inside);
    CHECK(placed.percentile_rank == Approx(0.5));
    CHECK(placed.predicted.p50 == placed.observed);
  }
  // A table has no dates, so there is no makespan to place.
  CHECK(std::none_of(against.figures.begin(), against.figures.end(),
                     [](auto const& placed) { return placed.name == "makespan_s"; }));
}

TEST_CASE("executions are held against the median of their site", "[against]") {
  std::vector<std::string> const sites = {"CHTC", "PDX"};
  auto const record = make_record(history::to_history(four_jobs()), sites, {});
  StudySample const sample{record_names(sites), {0}, {record}};
  history::JobTable observed;
  observed.rows = {row(0, "CHTC", 10600), row(1, "PDX", 16000), row(2, "KSU", 100)};
  auto const executions = compare_with_record(sample, history::to_history(observed)).executions;
  REQUIRE(executions.size() == 3);
  CHECK(executions[0].job == "1.0");
  CHECK(executions[0].within);
  CHECK(executions[1].predicted_s == Approx(15000));
  CHECK_FALSE(executions[1].within);
  CHECK(std::isnan(executions[2].predicted_s));
  CHECK_FALSE(executions[2].within);
}

}  // namespace
}  // namespace gridcast::study
