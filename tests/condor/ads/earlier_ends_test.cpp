// How the attempts before the last one ended, as far as a job's own ad counts it.
#include <algorithm>
#include <map>
#include <string>

#include "sim/condor/ads/ad_history.hpp"
#include "sim/condor/ads/merge_ads.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

// Four attempts, two of which executed; the last one did, from 1100 to 1150. 80 s in slots.
std::string ad(std::string const& more, char const* status = "JobStatus = 4\nExitCode = 0\n") {
  return "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 4\nNumJobStarts = 2\n"
         "JobStartDate = 1010\nRemoteWallClockTime = 80.0\nLastRemoteWallClockTime = 50.0\n"
         "JobCurrentStartDate = 1100\nJobCurrentStartExecutingDate = 1100\n"
         "CompletionDate = 1150\n" +
         (status + more);
}

struct AdRecord {
  history::JobHistory history;
  condor::MergeReport report = {};
};

AdRecord record_of_ad(std::string const& text) {
  condor::JobAds ads;
  condor::add_job_ads(text, "ads", ads);
  condor::settle_job_ads(ads);
  AdRecord record;
  record.history = condor::history_from_ads(ads, record.report);
  return record;
}

// The earlier attempts: 10 to 40 executing, then two that never did, of which nothing but the
// number is known.
std::string const began = "0 submitted\n10 matched\n10 executing end_not_recorded\n";
std::string const last = "100 matched\n100 executing\n150 terminated\n";

}  // namespace

TEST_CASE("Ends of which the ad counts nothing are not reported, and are no evictions") {
  CHECK(story(record_of_ad(ad("")).history) ==
        began +
            "40 evicted end_not_recorded\n40 matched\n40 evicted not_begun\n"
            "40 matched\n40 evicted not_begun\n" +
            last);
}

// The last attempt ended at 1150; who held jobs for memory looked at 3000.
TEST_CASE("A job that was removed while held was held by its last attempt") {
  auto const history_of = [](char const* last_status) {
    return record_of_ad(ad("NumHolds = 1\nNumHoldsByReason = [ JobOutOfResources = 1 ]\n"
                           "LastHoldReasonCode = 34\nLastHoldReasonSubCode = 102\n"
                           "EnteredCurrentStatus = 3000\n",
                           last_status))
        .history;
  };
  std::string const ends = "40 evicted not_begun\n40 matched\n40 evicted not_begun\n";
  CHECK(story(history_of("JobStatus = 3\nLastJobStatus = 5\n")) ==
        began + "40 evicted end_not_recorded\n40 matched\n" + ends +
            "100 matched\n100 executing\n150 held out_of_resources 34/102\n2000 aborted unknown\n");
  // Removed from its slot: the hold was an earlier attempt's.
  CHECK(story(history_of("JobStatus = 3\nLastJobStatus = 2\n")) ==
        began + "40 held out_of_resources 34/102\n40 released unknown\n40 matched\n" + ends +
            "100 matched\n100 executing\n150 aborted unknown\n");
}

TEST_CASE("Holds for input ended attempts that never executed, others one that did") {
  auto const both = record_of_ad(
      ad("NumHolds = 2\nNumHoldsByReason = [ TransferInputError = 1; JobOutOfResources = 1 ]\n"
         "LastHoldReasonCode = 13\nLastHoldReasonSubCode = 256\nLastHoldReason = \"404 Not "
         "Found\"\n"));
  CHECK(story(both.history) ==
        began +
            "40 held out_of_resources 34/0\n40 released unknown\n40 matched\n"
            "40 evicted not_begun\n40 matched\n40 held not_found 13/256\n100 released unknown\n" +
            last);
  REQUIRE(both.report.guesses.size() == 3);
  CHECK(both.report.guesses[0].starts_with("3 attempts before the last"));
  CHECK(both.report.guesses[1].starts_with("2 attempts taken for held"));
  CHECK(both.report.guesses[2].starts_with("1 attempt that never executed"));
}

TEST_CASE(
    "The hold in which a job stays is its last attempt's; more holds than attempts were in the "
    "queue") {
  std::string const held = "JobStatus = 5\nEnteredCurrentStatus = 1150\nHoldReasonCode = 13\n";
  auto const once = record_of_ad(ad("NumHolds = 1\n", held.c_str()));
  auto const count = [](AdRecord const& of, history::EventKind kind) {
    return std::count_if(of.history.events.begin(), of.history.events.end(),
                         [kind](auto const& event) { return event.kind == kind; });
  };
  CHECK(count(once, history::EventKind::held) == 1);
  CHECK(once.history.events.back().kind == history::EventKind::held);

  auto const often = record_of_ad(ad("NumHolds = 5\nLastHoldReasonCode = 1\n"));
  CHECK(count(often, history::EventKind::held) == 5);
  CHECK(count(often, history::EventKind::released) == 5);
  CHECK(story(often.history)
            .starts_with("0 submitted\n0 held manual 1/0\n0 released unknown\n"
                         "0 held manual 1/0\n10 released unknown\n10 matched\n"));
}

TEST_CASE("The last attempt of a job that is idle again is reported as the others are") {
  std::string const idle = "JobStatus = 1\nEnteredCurrentStatus = 1150\n";
  CHECK(story(record_of_ad(ad("", idle.c_str())).history)
            .ends_with("150 evicted end_not_recorded\n"));
  CHECK(story(record_of_ad(ad("NumHolds = 1\nLastHoldReasonCode = 34\n", idle.c_str())).history)
            .ends_with("100 executing\n150 held out_of_resources 34/0\n150 released unknown\n"));
}

TEST_CASE("A completion that is not the last attempt's was queued again") {
  std::string const never = "40 matched\n40 evicted not_begun\n40 matched\n40 evicted not_begun\n";
  auto const again = record_of_ad(ad("NumJobCompletions = 2\n"));
  CHECK(story(again.history) == began + "40 requeued exit_code\n" + never + last);
  CHECK(again.report.guesses.at(1).starts_with("1 attempt taken for queued again"));
  CHECK(story(record_of_ad(ad("NumJobCompletions = 1\n")).history) ==
        began + "40 evicted end_not_recorded\n" + never + last);
  // It may have been on_exit_hold's.
  CHECK(
      story(
          record_of_ad(ad("NumJobCompletions = 2\nNumHolds = 1\nLastHoldReasonCode = 3\n")).history)
          .starts_with(began + "40 held policy 3/0\n"));
  std::string const idle = "JobStatus = 1\nEnteredCurrentStatus = 1150\n";
  CHECK(story(record_of_ad(ad("NumJobCompletions = 1\n", idle.c_str())).history)
            .ends_with("100 executing\n150 requeued exit_code\n"));
}

TEST_CASE("Ads alone have as many requeues as the log of a real pool") {
  struct Counted {
    char const* campaign;
    std::size_t requeues;  // 004 "terminated and requeued" of the log
  };
  for (Counted const& each : {Counted{"c4-retry", 20}, Counted{"c5-json", 11}, Counted{"c6-xml", 8},
                              Counted{"c1-sweep", 0}}) {
    auto const ads =
        condor::read_job_ads({pool_campaign(std::string(each.campaign) + "/history.json")});
    condor::MergeReport report;
    std::size_t requeues = 0;
    for (auto const& event : condor::history_from_ads(ads, report).events) {
      requeues += event.kind == history::EventKind::requeued ? 1 : 0;
    }
    CHECK(requeues == each.requeues);
  }
}

TEST_CASE(
    "Vacates are reported by their codes, but for those that only say that something failed") {
  CHECK(story(record_of_ad(ad("NumVacatesByReason = [ StartdShutdown = 1; StarterError = 1 ]\n"))
                  .history) ==
        began +
            "40 evicted pilot_ended 1013/0\n40 matched\n40 evicted not_begun\n40 matched\n"
            "40 evicted not_begun\n" +
            last);
}

TEST_CASE("Ads alone and the log of a real pool have the same holds") {
  struct Counted {
    char const* campaign;
    std::size_t holds;  // sum of NumHolds, which is that of 012 in the log
    std::size_t ends;   // of NumShadowStarts - 1
  };
  for (Counted const& each : {Counted{"c1-sweep", 33, 45}, Counted{"c4-retry", 9, 40}}) {
    auto const ads =
        condor::read_job_ads({pool_campaign(std::string(each.campaign) + "/history.json")});
    condor::MergeReport report;
    std::size_t holds = 0, others = 0;
    for (auto const& event : condor::history_from_ads(ads, report).events) {
      if (event.kind == history::EventKind::held) ++holds;
      if (event.kind == history::EventKind::evicted) ++others;
      if (event.kind == history::EventKind::requeued) ++others;
      if (event.kind == history::EventKind::evicted) CHECK_FALSE(end_is_recorded(event.reason));
    }
    CHECK(holds == each.holds);
    CHECK(holds + others == each.ends);
  }
}

}  // namespace gridcast::test
