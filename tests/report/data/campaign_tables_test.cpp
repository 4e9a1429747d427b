#include "sim/report/data/campaign_tables.hpp"

#include <map>
#include <set>

#include "sim/history/csv.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/condor/random_history.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using enum history::EventKind;
using test::HistoryBuilder;

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(std::string const& text) {
  std::vector<Problem> problems;
  auto const cells = history::parse_csv(text, "x.csv", problems);
  REQUIRE(problems.empty());
  std::vector<Row> rows;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    REQUIRE(cells[i].size() == cells[0].size());
    Row row;
    for (std::size_t c = 0; c < cells[i].size(); ++c) row[cells[0][c].text] = cells[i][c].text;
    rows.push_back(row);
  }
  return rows;
}

std::string table(std::vector<NamedText> const& tables, std::string const& name) {
  for (auto const& table : tables) {
    if (table.name == name) return table.text;
  }
  FAIL("no table " << name);
  return "";
}

double sum(std::vector<Row> const& rows, std::string const& column) {
  double all = 0;
  for (auto const& row : rows) all += std::stod(row.at(column));
  return all;
}

history::JobHistory one_job() {
  HistoryBuilder h({{7, 0}}, {"A, \"quoted\""});
  h.add(0, 0, submitted).add(10, 0, matched).on(0, 3);
  h.add(10, 0, transfer_input_started).on(0, 3);
  h.add(3610, 0, shadow_exception, history::Reason::transfer_stalled).on(0, 3);
  h.add(4000, 0, matched).on(0, 3).add(4000, 0, transfer_input_started).on(0, 3);
  h.add(4100, 0, transfer_input_finished).on(0, 3).add(4100, 0, executing).on(0, 3);
  h.add(5100, 0, transfer_output_started).on(0, 3).add(5110, 0, terminated).on(0, 3);
  return h.get();
}

}  // namespace

TEST_CASE("a job's row, with Batsim's names", "[campaign_tables]") {
  auto const tables = campaign_tables(one_job(), {});
  auto const jobs = rows_of(table(tables, "jobs.csv"));
  REQUIRE(jobs.size() == 1);
  Row const& job = jobs[0];
  CHECK(job.at("job_id") == "7.0");
  CHECK(job.at("submission_time") == "0");
  CHECK(job.at("starting_time") == "4100");
  CHECK(job.at("execution_time") == "1000");
  CHECK(job.at("finish_time") == "5110");
  CHECK(job.at("waiting_time") == "4100");
  CHECK(job.at("turnaround_time") == "5110");
  CHECK(job.at("stretch") == "5.11");
  CHECK(job.at("success") == "1");
  CHECK(job.at("stalls") == "1");
  CHECK(job.at("site") == "A, \"quoted\"");
  auto const attempts = rows_of(table(tables, "attempts.csv"));
  REQUIRE(attempts.size() == 2);
  CHECK(attempts[0].at("stalled_time") == "3600");
  CHECK(attempts[0].at("reason") == "input transfer ended by the stall timer");
  // The words that columns.csv gives.
  CHECK(attempts[0].at("end") == "requeued");
  CHECK(attempts[1].at("end") == "success");
  auto const transfers = rows_of(table(tables, "transfers.csv"));
  REQUIRE(transfers.size() == 3);
  CHECK(transfers[0].at("result") == "stalled");
  CHECK(transfers[1].at("result") == "finished");
  CHECK(transfers[2].at("direction") == "output");
  CHECK(transfers[2].at("result") == "finished");
}

TEST_CASE("the tables add up to the ledger", "[campaign_tables]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto const history = test::RandomHistory(seed, condor::CondorVersion::v25, 1'700'000'000).get();
    auto const tables = campaign_tables(history, {});
    ledger::Ledger const ledger = ledger::account(history);
    auto const jobs = rows_of(table(tables, "jobs.csv"));
    REQUIRE(jobs.size() == history.jobs.size());
    auto const sites = rows_of(table(tables, "sites.csv"));
    for (auto c : ledger::all_time_classes()) {
      std::string const column = std::string(name(c)) + "_time";
      REQUIRE(sum(jobs, column) == Approx(ledger.classes[c].value()).margin(1e-6));
      REQUIRE(sum(sites, column) == Approx(ledger.classes[c].value()).margin(1e-6));
    }
    REQUIRE(sum(sites, "wallclock_time") == Approx(ledger.total.wallclock().value()));
    REQUIRE(sum(jobs, "success") == ledger.total.succeeded);
    REQUIRE(sum(sites, "attempts") == ledger.total.attempts);
  }
}

TEST_CASE("the dictionary has every column of every table, once", "[campaign_tables]") {
  history::JobHistory history = one_job();
  history.urls = {"osdf:///x"};
  history::UrlTransfer transfer;
  transfer.job = Id<history::Job>(0U);
  history.transfers = {transfer};
  auto const tables = campaign_tables(history, {{"c"}, {Bytes(9)}, {{Seconds(1), 0, Bytes(3)}}});
  std::set<std::string> described;
  for (Row const& row : rows_of(column_dictionary())) {
    CHECK(described.insert(row.at("table") + "." + row.at("column")).second);
    CHECK_FALSE(row.at("meaning").empty());
    auto const& column = row.at("column");
    bool const is_time = column.size() > 5 && column.substr(column.size() - 5) == "_time";
    if (is_time) CHECK(row.at("unit") == "s");
  }
  std::size_t columns = 0;
  for (auto const& [name, text] : tables) {
    if (name == "columns.csv") continue;
    Row const first = rows_of(text).at(0);
    for (auto const& [column, value] : first) {
      INFO(name << " " << column);
      CHECK(described.count(name.substr(0, name.size() - 4) + "." + column) == 1);
      ++columns;
    }
  }
  CHECK(columns == described.size());
  CHECK(rows_of(table(tables, "caches.csv"))[0].at("disk") == "9");
}

}  // namespace gridcast::report
