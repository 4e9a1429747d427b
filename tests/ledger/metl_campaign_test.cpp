// The untouched logs of a real OSPool campaign: all that is in them is accounted for.
#include <algorithm>
#include <filesystem>

#include "sim/condor/log/read_log.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/metrics.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

condor::LoggedHistory read_metl() {
  std::vector<std::filesystem::path> logs;
  auto const folder = test::source_dir() / "calibration/data/metl-ospool";
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".log") logs.push_back(entry.path());
  }
  std::sort(logs.begin(), logs.end());
  return condor::read_logs(logs);
}

TEST_CASE("METL: every event, every job, each in one outcome") {
  auto const logged = read_metl();
  // 4,360 lines begin an event in the folder's logs; README of the data.
  CHECK(logged.report.events == 4360);
  CHECK(logged.report.lines_not_understood == 0);
  auto const ledger = account(logged.history);
  LedgerLines const& total = ledger.total;
  // One log begins with its job's removal: that job was never submitted, as far as is known.
  CHECK(total.jobs == 55);
  CHECK(total.succeeded + total.wrong_output == 19);
  CHECK(total.removed == 36);
  CHECK(total.held + total.unfinished == 0);
  CHECK(total.holds == 26);
  CHECK(total.executions == 57);
  CHECK(total.disconnects == 26);
  // Unknown facts are reported.
  CHECK(std::any_of(logged.report.warnings.begin(), logged.report.warnings.end(),
                    [](condor::LogWarning const& warning) {
                      return warning.what.find("submission is not in the log") != std::string::npos;
                    }));
}

TEST_CASE("METL: each second in one class and each slot second in one line") {
  auto const logged = read_metl();
  auto const ledger = account(logged.history);
  auto const by_job = history::events_by_job(logged.history);
  for (std::size_t j = 0; j < by_job.size(); ++j) {
    INFO(to_text(logged.history.jobs[j]));
    auto const& events = logged.history.events;
    REQUIRE(ledger.jobs[j].classes.total() ==
            events[by_job[j].back()].at - events[by_job[j].front()].at);
  }
  CHECK(ledger.total.wallclock() == ledger.classes.slot_time());
}

TEST_CASE("a streamed ledger is the same for any order of the files") {
  std::filesystem::path const pool = test::source_dir() / "calibration/data/htcondor-pool";
  auto const c1 = pool / "c1-sweep/c1-sweep.log", c3 = pool / "c3-ckpt/c3-ckpt.log",
             c4 = pool / "c4-retry/c4-retry.log";
  std::vector<std::filesystem::path> const files =
      GENERATE_COPY(std::vector{c3}, std::vector{c1, c4}, std::vector{c4, c1});
  Accountant accountant;
  history::AttemptStream stream;
  auto const streamed = condor::stream_logs(
      files, [&](history::JobEvent const& event) { accountant.add(stream.next(event)); });
  CHECK(streamed.history.events.empty());
  Ledger const one = accountant.finish(streamed.history);
  Ledger const other = account(condor::read_logs(files).history);
  auto const of_one = metrics(one), of_other = metrics(other);
  REQUIRE(of_one.size() == of_other.size());
  for (std::size_t i = 0; i < of_one.size(); ++i) {
    INFO(of_one[i].name);
    CHECK(of_one[i].value == of_other[i].value);
  }
  // Jobs are numbered as they are first read, so that only all of their ends compare.
  auto const ends = [](Ledger const& ledger) {
    std::vector<double> times;
    for (JobOutcome const& job : ledger.outcomes) times.push_back((*job.ended_at).value());
    std::sort(times.begin(), times.end());
    return times;
  };
  CHECK(ends(one) == ends(other));
  CHECK(ends(one).front() >= 0);
  CHECK(ends(one).back() <= one.makespan->value());
}

}  // namespace
}  // namespace gridcast::ledger
