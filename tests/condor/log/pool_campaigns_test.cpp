// The logs of a real pool and of a real campaign (calibration/data), counted by other means.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::size_t count(history::JobHistory const& history, history::EventKind kind) {
  return static_cast<std::size_t>(
      std::count_if(history.events.begin(), history.events.end(),
                    [=](auto const& event) { return event.kind == kind; }));
}

nlohmann::json ads_of(std::string const& campaign) {
  return nlohmann::json::parse(std::ifstream(pool_campaign(campaign + "/history.json")));
}

// The sum of a number over condor_history's ads.
std::size_t sum_of_ads(std::string const& campaign, char const* attribute) {
  std::size_t sum = 0;
  for (auto const& ad : ads_of(campaign)) sum += ad.value(attribute, std::size_t{0});
  return sum;
}

// An attempt begins with `matched` and has exactly one end.
void check_attempts(history::JobHistory const& history) {
  std::vector<bool> claimed(history.jobs.size(), false);
  std::vector<Seconds> last(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    std::size_t const job = event.job.index();
    CAPTURE(to_text(history.jobs[job]), event.at.value(), static_cast<int>(event.kind));
    CHECK(event.at >= last[job]);
    last[job] = event.at;
    if (event.kind == history::EventKind::matched) {
      CHECK_FALSE(claimed[job]);
      claimed[job] = true;
    }
    bool const waits =
        event.kind == history::EventKind::submitted || event.kind == history::EventKind::released;
    bool const schedd =
        event.kind == history::EventKind::held || event.kind == history::EventKind::aborted;
    if (!schedd) CHECK(claimed[job] != waits);
    CHECK(event.site.valid() == claimed[job]);
    if (history::ends_attempt(event.kind)) claimed[job] = false;
  }
}

}  // namespace

TEST_CASE("Each campaign is read whole, and its attempts agree with the ads") {
  struct Campaign {
    std::string name;
    std::size_t jobs, holds;
  };
  for (auto const& campaign :
       {Campaign{"c1-sweep", 80, 33}, Campaign{"c3-ckpt", 48, 10}, Campaign{"c4-retry", 60, 9},
        Campaign{"c5-json", 24, 7}, Campaign{"c6-xml", 24, 1}, Campaign{"c7-hang", 16, 18}}) {
    CAPTURE(campaign.name);
    auto const read =
        condor::read_logs({pool_campaign(campaign.name + "/" + campaign.name + ".log")});
    CHECK(read.report.lines_not_understood == 0);
    CHECK(read.report.jobs == campaign.jobs);
    CHECK(read.history.jobs.size() == campaign.jobs);
    CHECK(count(read.history, history::EventKind::submitted) == campaign.jobs);
    CHECK(count(read.history, history::EventKind::held) == campaign.holds);
    CHECK(count(read.history, history::EventKind::held) == sum_of_ads(campaign.name, "NumHolds"));
    CHECK(read.history.sites == std::vector<std::string>{"SITE-A", "SITE-B", "SITE-C", "SITE-D"});
    check_attempts(read.history);
    if (campaign.name == "c3-ckpt") continue;  // its schedd was killed: see below
    CHECK(count(read.history, history::EventKind::matched) ==
          sum_of_ads(campaign.name, "NumShadowStarts"));
    CHECK(count(read.history, history::EventKind::executing) ==
          sum_of_ads(campaign.name, "NumJobStarts"));
  }
}

TEST_CASE(
    "After the schedd was killed, the ads count its shadows twice and the log lacks transfers") {
  auto const read = condor::read_logs({pool_campaign("c3-ckpt/c3-ckpt.log")});
  std::map<std::uint32_t, std::size_t> checkpoints, starts, matches;
  for (history::JobEvent const& event : read.history.events) {
    std::uint32_t const proc = read.history.jobs[event.job.index()].proc;
    if (event.kind == history::EventKind::checkpointed) ++checkpoints[proc];
    if (event.kind == history::EventKind::executing) ++starts[proc];
    if (event.kind == history::EventKind::matched) ++matches[proc];
  }
  std::size_t compared = 0, shadows_without_events = 0;
  for (auto const& ad : ads_of("c3-ckpt")) {
    auto const proc = ad.at("ProcId").get<std::uint32_t>();
    if (ad.contains("NumJobReconnects") || !ad.contains("CheckpointNumber")) continue;
    CAPTURE(proc);
    ++compared;
    CHECK(checkpoints[proc] == ad.at("CheckpointNumber").get<std::size_t>() + 1);  // from 0
    CHECK(starts[proc] == ad.at("NumJobStarts").get<std::size_t>());
    shadows_without_events += ad.at("NumShadowStarts").get<std::size_t>() - matches[proc];
  }
  CHECK(compared == 34);
  CHECK(shadows_without_events == 1);  // of job 25: nothing in the log says that it lived
}

TEST_CASE("The pool's slots are distinguished") {
  auto const read = condor::read_logs({pool_campaign("c1-sweep/c1-sweep.log")});
  std::map<std::string, std::set<std::string>> slots;
  for (history::JobEvent const& event : read.history.events) {
    std::string const& slot = read.history.slots[event.slot];
    if (event.site.valid() && slot.starts_with("slot1_")) {
      slots[read.history.sites[event.site.index()]].insert(slot);
    }
  }
  CHECK(slots["SITE-A"].size() == 6);
  CHECK(slots["SITE-B"].size() == 4);
  CHECK(slots["SITE-C"].size() == 4);
  CHECK(slots["SITE-D"].size() == 2);
}

TEST_CASE("The same campaign as text of one second and as JSON of milliseconds") {
  auto whole_seconds = [](history::JobHistory history) {
    for (history::JobEvent& event : history.events)
      event.at = Seconds(std::floor(event.at.value()));
    std::stable_sort(history.events.begin(), history.events.end(),
                     [](auto const& a, auto const& b) {
                       return std::pair(a.at, a.job) < std::pair(b.at, b.job);
                     });
    return story(history);
  };
  auto const text = condor::read_logs({pool_campaign("c4-retry/c4-retry.log")});
  auto const json = condor::read_logs({pool_campaign("c4-retry/EventLog.json.global")});
  CHECK(text.history.start_unix == json.history.start_unix);
  CHECK(whole_seconds(text.history) == whole_seconds(json.history));
  CHECK(text.history.slots == json.history.slots);
}

TEST_CASE("Logs of a campaign on the OSPool that nobody tuned") {
  auto const read = condor::read_logs(metl_logs());
  CHECK(read.report.events == 4360);
  CHECK(read.report.jobs == 55);  // one log holds only a removal
  CHECK(read.report.lines_not_understood == 0);
  CHECK(read.report.events_by_number.at(6) == 3820);
  CHECK(read.report.events_by_number.at(12) == 26);
  CHECK(count(read.history, history::EventKind::held) == 26);
  CHECK(count(read.history, history::EventKind::terminated) == 19);
  CHECK(count(read.history, history::EventKind::aborted) == 36);
  CHECK(count(read.history, history::EventKind::reconnect_failed) == 2);
  CHECK(count(read.history, history::EventKind::disconnected) == 26);
  check_attempts(read.history);
}

TEST_CASE("The faults that HTCondor's own reader looks for") {
  auto read = [](std::string const& name) {
    return condor::read_logs({pool_campaign("check/" + name)}).report;
  };
  CHECK(read("ok.log").lines_not_understood == 0);
  CHECK(read("ok.log").warnings.size() == 1);  // the time zone
  CHECK(read("bad1.log").lines_not_understood == 1);
  CHECK(warned(read("bad2.log"), "how the job ended"));
  CHECK(read("bad3.log").lines_not_understood == 1);
  CHECK(read("bad4.log").lines_not_understood == 0);  // a hold without a code
  CHECK(warned(read("bad5.log"), "submission"));
  CHECK(warned(read("bad6.log"), "no date"));
}

}  // namespace gridcast::test
