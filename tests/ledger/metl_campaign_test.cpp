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
  // What could not be known is said.
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

TEST_CASE("streamed, the ledger is the same") {
  std::filesystem::path const log =
      test::source_dir() / "calibration/data/htcondor-pool/c3-ckpt/c3-ckpt.log";
  Accountant accountant;
  history::AttemptStream stream;
  auto const streamed = condor::stream_logs(
      {log}, [&](history::JobEvent const& event) { accountant.add(stream.next(event)); });
  CHECK(streamed.history.events.empty());
  auto const one = metrics(accountant.finish(streamed.history));
  auto const other = metrics(account(condor::read_logs({log}).history));
  REQUIRE(one.size() == other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    INFO(one[i].name);
    CHECK(one[i].value == other[i].value);
  }
}

}  // namespace
}  // namespace gridcast::ledger
