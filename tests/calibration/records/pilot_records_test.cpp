#include "calibration/records/pilot_records.hpp"

#include "calibration/file/calibration_file.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;
using history::EventKind;
using history::Reason;

TEST_CASE("The text behind the at sign of a slot names its pilot") {
  CHECK(pilot_of("slot1_2@glidein_3001_1@host") == "glidein_3001_1@host");
  CHECK(pilot_of("slot1") == "slot1");
}

TEST_CASE("A pilot is dead when all that ran on it is lost without an answer") {
  history::JobHistory history = two_sites();
  AttemptRecords records;
  records.end = Seconds(1000);
  // Two jobs on slots of one pilot, cut at 100 and given up at 140; one that survived on the other.
  records.attempts = {attempt_at(0, 0, 10, 140), attempt_at(1, 1, 20, 141),
                      attempt_at(2, 2, 10, 300), attempt_at(3, 0, 200, 260)};
  for (std::size_t const i : {0u, 1u}) {
    records.attempts[i].end_kind = EventKind::reconnect_failed;
    records.attempts[i].disconnections = {{Seconds(100.0 + static_cast<double>(i)), {}}};
  }
  PilotRecords const pilots = make_pilot_records(history, records);
  REQUIRE(pilots.pilots.size() == 2);
  PilotRecord const& dead = pilots.pilots[0];
  CHECK(dead.name == "glidein_1@host");
  CHECK(dead.deaths == std::vector<Seconds>{Seconds(100)});
  CHECK(dead.most_jobs == 2);
  CHECK(dead.seen == Seconds(101 - 10 + 60));
  CHECK(pilots.pilots[1].deaths.empty());
  CHECK(pilots.by_pilot == std::vector<bool>{true, true, false, false});
  CHECK(pilots.own_disconnections == std::vector<int>{0, 0, 0, 0});
  CHECK(pilots.access_point_outages.empty());
}

TEST_CASE("A pilot is alive if another job continues on it, or if it answers") {
  history::JobHistory history = two_sites();
  AttemptRecords records;
  records.attempts = {attempt_at(0, 0, 10, 140), attempt_at(1, 1, 20, 400),
                      attempt_at(2, 2, 10, 101)};
  records.attempts[0].end_kind = records.attempts[2].end_kind = EventKind::reconnect_failed;
  records.attempts[0].disconnections = records.attempts[2].disconnections = {{Seconds(100), {}}};
  PilotRecords const pilots = make_pilot_records(history, records);
  CHECK(pilots.pilots[0].deaths.empty());
  CHECK(pilots.pilots[1].deaths.empty());  // the attempt ended within 2 s of the cut: an answer
  CHECK(pilots.own_disconnections == std::vector<int>{1, 0, 1});
}

TEST_CASE("When most jobs of several sites lose contact at once, the access point did") {
  history::JobHistory history = two_sites();
  AttemptRecords records;
  for (std::size_t i = 0; i < 4; ++i) records.attempts.push_back(attempt_at(i, i % 4, 0, 500));
  for (std::size_t i = 0; i < 3; ++i) {
    records.attempts[i].disconnections = {{Seconds(100.0 + static_cast<double>(i) / 2), {}}};
  }
  PilotRecords pilots = make_pilot_records(history, records);
  REQUIRE(pilots.access_point_outages.size() == 1);
  CHECK(pilots.access_point_outages[0].at == Seconds(100));
  CHECK_FALSE(pilots.access_point_outages[0].back);
  CHECK(pilots.by_outage == std::vector<bool>{true, true, true, false});
  CHECK(pilots.own_disconnections == std::vector<int>{0, 0, 0, 0});
  // Two of four at a time are half, but fewer than three jobs.
  records.attempts[2].disconnections = {{Seconds(110), {}}};
  CHECK(access_point_outages(records).empty());
  // Back when the last of those that were found again is.
  for (std::size_t i = 0; i < 3; ++i) {
    records.attempts[i].disconnections = {{Seconds(100), Seconds(130 + static_cast<double>(i))}};
  }
  CHECK(access_point_outages(records).at(0).back == Seconds(132));
}

TEST_CASE("Slots of a site are the most jobs at one time; saturated if jobs waited meanwhile") {
  history::JobHistory history = two_sites();
  AttemptRecords records;
  records.attempts = {attempt_at(0, 0, 0, 100), attempt_at(1, 1, 50, 150),
                      attempt_at(2, 0, 100, 120), attempt_at(3, 2, 0, 10)};
  // The second begins when the peak at the other site ends.
  records.waits = {{Id<history::Job>(2), Seconds(40), Seconds(100)},
                   {Id<history::Job>(3), Seconds(10), Seconds(30)}};
  auto const slots = count_slots(history, records);
  REQUIRE(slots.size() == 2);
  CHECK(slots[0].slots == 2);
  CHECK(slots[0].slots_per_pilot == 2);
  CHECK(slots[0].attempts == 3);
  CHECK(slots[0].pilots == 1);
  CHECK(slots[0].saturated);  // 50 of 70 seconds with two jobs
  CHECK(slots[1].slots == 1);
  CHECK_FALSE(slots[1].saturated);
  std::vector<SiteFacts> const facts = {{slots[0]}, {slots[1]}};
  CHECK(pool_yaml(facts, "gridcast calibrate a.log", {}) ==
        R"(# The pool as a campaign's log shows it: sites, the most slots that ran jobs at one time,
# and how many of them share a pilot. Made by:
#   gridcast calibrate a.log
schema: gridcast.pool/1
sites:
  # 3 attempts on 1 pilots
  - {name: "A", slots: 2, slots_per_pilot: 2}
  # 1 attempts on 1 pilots; jobs never waited for more: draws have 1 to 20 times these slots, unless another number stands here
  - {name: "B", slots: 1, slots_per_pilot: 1}
access_point: {policy_interval: 60 s}
)");
}

TEST_CASE("A minute's wait for the next match does not show that there were no more slots") {
  AttemptRecords records;
  records.attempts = {attempt_at(0, 0, 0, 3600), attempt_at(1, 1, 0, 3600)};
  records.waits = {{Id<history::Job>(2), Seconds(600), Seconds(660)},
                   {Id<history::Job>(3), Seconds(630), Seconds(690)}};
  CHECK_FALSE(count_slots(two_sites(), records)[0].saturated);
  records.waits.push_back({Id<history::Job>(4), Seconds(1800), Seconds(4000)});
  CHECK(count_slots(two_sites(), records)[0].saturated);  // 31.5 of 60 minutes
}

TEST_CASE("The pool contains each cache that sites use once, and none if no site uses one") {
  SiteFacts site{SlotCount{.site = "A"}};
  CHECK_THAT(pool_yaml({site}, "", {}), !has_text("caches"));
  site.caches = {"near", "far"};
  SiteFacts other{SlotCount{.site = "B"}};
  other.caches = {"far"};
  std::string const pool = pool_yaml({site, other}, "", {});
  CHECK_THAT(pool, has_text("caches: [\"near\", \"far\"]"));
  CHECK_THAT(pool,
             has_text("  - {name: \"near\", disk: 1000 TB}\n  - {name: \"far\", disk: 1000 TB}\n"));
  CHECK_THAT(pool,
             has_text("origin: {name: \"origin\", bandwidth: 8000 Gbps, stream_limit: 8000 Gbps}"));
}

TEST_CASE("GPUs of a site and of a pilot are the most in use at one time, and go into the pool") {
  history::JobHistory history = two_sites();
  AttemptRecords records;
  records.attempts = {attempt_at(0, 0, 0, 100), attempt_at(1, 1, 50, 150), attempt_at(2, 2, 0, 50)};
  records.attempts[0].gpus = 2;
  records.attempts[1].gpus = 2;
  auto const slots = count_slots(history, records);
  CHECK(slots[0].gpus == 4);
  CHECK(slots[0].gpus_of_pilot == 4);
  CHECK(slots[1].gpus == 0);
  SiteFacts part{slots[0], {"A/L40S", "A", {"NVIDIA L40S", 2, Bytes(48e9), 8.9}}};
  part.count.site = "A/L40S";
  std::string const pool = pool_yaml({part}, "gridcast calibrate a.log", {});
  CHECK_THAT(pool, has_text("gpus: 4"));
  CHECK_THAT(pool, has_text("gpus_per_node: 4"));
  CHECK_THAT(pool, has_text("gpu: \"NVIDIA L40S\""));
  CHECK_THAT(pool, has_text("resource: \"A\""));
  CHECK_THAT(pool, !has_text("gpus_per_slot"));
  part.slots_decide = true;
  CHECK_THAT(pool_yaml({part}, "", {.max_execution = days(365)}), has_text("gpus_per_slot: 2"));
  CHECK_THAT(pool_yaml({part}, "", {.max_execution = days(365)}), has_text("max_execution"));
}

}  // namespace gridcast::calibration
