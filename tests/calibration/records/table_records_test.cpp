#include "calibration/records/table_records.hpp"

#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

JobRecord const& job(TableRecords const& records, history::JobName name) {
  for (JobRecord const& record : records.jobs) {
    if (record.job == name) return record;
  }
  throw std::runtime_error("no such job");
}

}  // namespace

TEST_CASE("Executions that were cut short are kept as censored") {
  TableRecords const records = published_records();
  int completed = 0;
  int killed = 0;
  int evicted = 0;
  for (ExecutionRecord const& execution : records.executions) {
    if (execution.end == ExecutionEnd::completed) ++completed;
    if (execution.end == ExecutionEnd::killed_at_limit) ++killed;
    if (execution.end == ExecutionEnd::evicted) ++evicted;
  }
  CHECK(completed == 79);
  CHECK(killed == 2);
  CHECK(evicted == 1);  // 794570.10
}

TEST_CASE("An evicted execution is the row's value before the final one") {
  history::JobRow row = plain_job(0, "A", 900);
  row.execute.insert(row.execute.begin(), Seconds(300));
  row.slot_busy.insert(row.slot_busy.begin(), Seconds(800));
  row.sites = {"B", "A"};
  row.evictions = 1;
  row.transfer_total = Seconds(1500);
  TableRecords const records = make_table_records({{row}}, {}, Bytes(1e9));
  REQUIRE(records.executions.size() == 2);
  CHECK(records.executions[0].censored());
  CHECK(records.executions[0].site == "B");
  CHECK(records.executions[0].seconds == 300);
  CHECK_FALSE(records.executions[1].censored());
  CHECK(records.executions[1].site == "A");
  CHECK(records.jobs[0].evicted_at == std::vector<std::string>{"B"});
  CHECK(*records.jobs[0].retried_seconds == 1000);
  CHECK(*records.jobs[0].overhead == 3);
}

TEST_CASE(
    "An overhead is known where each execution has the time of its slot, and that is longer") {
  auto const overhead = [](history::JobRow const& row) {
    return make_table_records({{row}}, {}, Bytes(1e9)).jobs[0].overhead;
  };
  history::JobRow row = plain_job(0, "A", 900, 500);
  CHECK(overhead(row) == 3);
  row.slot_busy = {Seconds(1399)};
  CHECK_FALSE(overhead(row));
  row.slot_busy = {Seconds(700), Seconds(1403)};
  CHECK_FALSE(overhead(row));
  row = plain_job(0, "A", 900, 500);
  row.transfer_total.reset();
  row.transfer_last.reset();
  CHECK_FALSE(overhead(row));
}

TEST_CASE("Wrong outputs are distinguished by how long they ran") {
  TableRecords const records = published_records();
  REQUIRE(records.wrong_outputs.size() == 3);
  CHECK(records.wrong_outputs[0].cause == WrongOutputCause::network_down);
  CHECK(records.wrong_outputs[1].cause == WrongOutputCause::network_down);
  CHECK_FALSE(records.wrong_outputs[2].cause == WrongOutputCause::network_down);
  CHECK(records.wrong_outputs[2].seconds == 33);
}

TEST_CASE("Retried time is total less last, and not known where the last is not") {
  TableRecords const records = published_records();
  CHECK(*job(records, {794569, 46}).retried_seconds == 11655);
  CHECK(*job(records, {794569, 0}).retried_seconds == 0);
  double sum = 0;
  for (JobRecord const& record : records.jobs) {
    if (record.outcome == history::Outcome::success) sum += *record.retried_seconds;
  }
  CHECK(sum == 1088004);

  history::JobRow row = plain_job(0, "A", 900);
  row.transfer_last.reset();
  row.stalls = 2;
  CHECK_FALSE(make_table_records({{row}}, {}, Bytes(1e9)).jobs[0].retried_seconds.has_value());
  row.stalls = 0;
  CHECK(*make_table_records({{row}}, {}, Bytes(1e9)).jobs[0].retried_seconds == 0);
}

TEST_CASE("A job held by a 404 never got its data") {
  JobRecord const record = job(published_records(), {794570, 13});
  CHECK_FALSE(record.got_data);
  CHECK_FALSE(record.last_transfer.has_value());
  CHECK(record.first_site.empty());
}

TEST_CASE("Sites of the pool come first, in its order") {
  TableRecords const records = published_records({"Elsewhere", "PDX-Coeus-CE1"});
  CHECK(records.sites == std::vector<std::string>{"Elsewhere", "PDX-Coeus-CE1", "CHTC-Spark-CE1",
                                                  "GP-ARGO-ksu-backfill"});
}

}  // namespace gridcast::calibration
