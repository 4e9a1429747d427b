#include "calibration/records/transfer_record.hpp"

#include <algorithm>
#include <map>

#include "tests/calibration/log_records.hpp"
#include "tests/calibration/transfer_campaigns.hpp"

namespace gridcast::calibration {
namespace {

TransferRecords records_of(std::string const& campaign, CacheLists const& stated = {}) {
  auto const history = test::transfer_history(campaign);
  return make_transfer_records(history, make_attempt_records(history), {Bytes(9e8)}, stated);
}

std::map<TransferEnd, std::size_t> ends(TransferRecords const& records) {
  std::map<TransferEnd, std::size_t> counts;
  for (TransferTry const& one : records.tries) ++counts[one.end_kind];
  return counts;
}

}  // namespace

TEST_CASE("Each URL in a real pool's ads is a try, and so is each attempt without one") {
  auto const records = records_of("w1.r1");
  auto counts = ends(records);
  CHECK(counts[TransferEnd::arrived] == 113);  // URLs in the ads
  CHECK(counts[TransferEnd::by_timer] == 41);  // 021 of the log
  CHECK(records.caches.size() == 3);
  CHECK(records.nodes.size() == 5);  // startds
  CHECK(std::is_sorted(records.tries.begin(), records.tries.end(),
                       [](auto const& a, auto const& b) { return a.start < b.start; }));
  for (TransferTry const& one : records.tries) {
    CAPTURE(one.start.value(), one.end.value());
    if (one.end_kind == TransferEnd::by_timer) {
      // The pool's timer acts at 21 s; stamps are whole seconds.
      CHECK(std::abs(one.duration().value() - 21) <= 1);
      CHECK_FALSE(one.timed);
      CHECK(one.bytes == Bytes(one.urls == 1 ? 9e8 : 14e8));
    } else if (one.end_kind == TransferEnd::arrived) {
      CHECK(one.timed);
      CHECK(one.first_byte);
    }
  }
}

TEST_CASE("Tries at one cache after the other follow each other") {
  auto const records = records_of("w3.r1");
  auto counts = ends(records);
  CHECK(counts[TransferEnd::arrived] == 119);
  CHECK(counts[TransferEnd::by_client] == 52);
  std::map<std::pair<std::size_t, std::uint32_t>, TransferTry> last;
  std::size_t next = 0;
  for (TransferTry const& one : records.tries) {
    auto const key = std::pair(one.job.index(), one.attempt);
    if (one.before > 0) {
      TransferTry const& before = last.at(key);
      CHECK(before.end_kind == TransferEnd::by_client);
      CHECK(before.no_byte);
      CHECK(before.cache != one.cache);
      CHECK(one.start == before.end);
      ++next;
    }
    last[key] = one;
  }
  CHECK(next == 47);  // 52 given up, 5 of them at the last of three caches
}

TEST_CASE("A stall that the client reports does not count as the starter's timer") {
  auto const history = test::history_of_log("htcondor-transfer/w3.r1/w3.r1.log");
  auto counts =
      ends(make_transfer_records(history, make_attempt_records(history), {Bytes(9e8)}, {}));
  CHECK(counts[TransferEnd::by_timer] == 0);
  CHECK(counts[TransferEnd::failed] == 5);  // "Code 13 Subcode 256" of its log
}

TEST_CASE("A URL whose duration is finer than its stamps began in the middle of when it can have") {
  history::JobHistory history = test::two_sites();
  history.jobs = {{1, 0}, {1, 1}};
  auto const fetch = [&](std::size_t job, double start, double end, double duration) {
    history.transfers.push_back({Id<history::Job>(job), 1, 0, false, true, Seconds(start),
                                 Seconds(end), Seconds(duration), Bytes(7)});
  };
  fetch(0, 10, 12, 2.4);  // from 10 to 10.6: not before its stamp, nor so late that it ends at 13
  fetch(1, 20, 22, 1.5);  // from 20.5 to 21
  fetch(1, 23, 23, 0.4);  // known to a fraction of a second all the same
  AttemptRecords attempts;
  attempts.attempts = {test::done_at(0, 0, 5, 13, 50), test::done_at(1, 1, 5, 24, 50)};
  auto const records = make_transfer_records(history, attempts, {Bytes(9)}, {});
  REQUIRE(records.tries.size() == 3);
  CHECK(records.tries[0].start.value() == Approx(10.3));
  CHECK(records.tries[0].end.value() == Approx(12.7));
  CHECK(records.tries[1].start.value() == Approx(20.75));
  CHECK(records.tries[1].bytes == Bytes(7));
  CHECK(records.tries[1].timed);
  CHECK(records.tries[2].timed);
  CHECK(records.tries[2].duration().value() == Approx(0.4));
}

TEST_CASE("An attempt takes missing facts from its job's best attempt, else from other jobs") {
  history::JobHistory history = test::two_sites();
  history.jobs = {{1, 0}, {1, 1}};
  auto const fetched = [&](std::uint32_t attempt, std::uint32_t url, double size) {
    history.transfers.push_back({Id<history::Job>(0), attempt, url, false, true, Seconds(10),
                                 Seconds(11), Seconds(0.5), Bytes(size)});
  };
  fetched(1, 0, 5);
  fetched(1, 1, 7);
  fetched(2, 0, 5);  // and was cut off before the second
  AttemptRecords attempts;
  for (std::uint32_t number : {1U, 2U, 3U}) {
    attempts.attempts.push_back(test::done_at(0, 0, 100 * number, 100 * number + 20, 1000));
    attempts.attempts.back().number = number;
  }
  attempts.attempts.push_back(test::done_at(1, 1, 500, 520, 1000));
  auto const records = make_transfer_records(history, attempts, {Bytes(100)}, {});
  REQUIRE(records.tries.size() == 5);
  TransferTry const& unreported = records.tries[3];
  CHECK(unreported.attempt == 3);
  CHECK(unreported.urls == 2);
  CHECK(unreported.bytes == Bytes(12));
  CHECK_FALSE(unreported.timed);
  TransferTry const& other_job = records.tries[4];
  CHECK(other_job.urls == 1);
  CHECK(other_job.bytes == Bytes(100));
}

TEST_CASE("An attempt without an ad used the first stated cache, or the first cache of its site") {
  auto const history = test::transfer_history("w1.r1");
  auto const attempts = make_attempt_records(history);
  auto const shown = make_transfer_records(history, attempts, {}, {});
  auto const stated = make_transfer_records(history, attempts, {},
                                            {{"SITE-B", {"cache-3.example:8443", "cache-1"}}});
  CHECK(shown.assumed_caches > stated.assumed_caches);
  CHECK(stated.caches == shown.caches);
  std::map<std::string, std::string> const first = {{"SITE-A", "cache-1.example"},
                                                    {"SITE-B", "cache-2.example"},
                                                    {"SITE-C", "cache-3.example"},
                                                    {"SITE-D", "cache-1.example"}};
  for (std::size_t i = 0; i < shown.tries.size(); ++i) {
    if (shown.tries[i].end_kind != TransferEnd::by_timer) continue;
    std::string const& site = history.sites[shown.tries[i].site.index()];
    CHECK(shown.caches[shown.tries[i].cache] == first.at(site));
    CHECK(stated.caches[stated.tries[i].cache] ==
          (site == "SITE-B" ? "cache-3.example" : first.at(site)));
  }
  auto log_only = history;
  log_only.transfers.clear();
  log_only.caches.clear();
  auto const bare = make_transfer_records(log_only, attempts, {}, {});
  CHECK(bare.caches.size() == 4);  // one for each site
  CHECK(bare.tries.size() == attempts.attempts.size());
}

TEST_CASE(
    "A site has the caches that its tries asked, in their order, unless the pool states them") {
  auto const history = test::transfer_history("w3.r1");
  auto const records = records_of("w3.r1");
  auto const lists = caches_in_order(history, records, {{"SITE-D", {"cache-9"}}});
  // The order of the pool (calibration/data/htcondor-transfer/README.md).
  CHECK(lists.at("SITE-A") ==
        std::vector<std::string>{"cache-1.example", "cache-2.example", "cache-3.example"});
  CHECK(lists.at("SITE-B") ==
        std::vector<std::string>{"cache-2.example", "cache-3.example", "cache-1.example"});
  CHECK(lists.at("SITE-C") ==
        std::vector<std::string>{"cache-3.example", "cache-1.example", "cache-2.example"});
  CHECK(lists.at("SITE-D") == std::vector<std::string>{"cache-9"});
  // Each site asked one cache. The director also offers those of the others.
  for (auto const& [site, caches] :
       caches_in_order(test::transfer_history("w1.r1"), records_of("w1.r1"), {})) {
    CHECK(caches.size() == 3);
    CHECK(caches.front() == lists.at(site == "SITE-D" ? "SITE-A" : site).front());
  }
  auto const alone = test::transfer_history("g1.r1");
  for (auto const& [site, caches] : caches_in_order(alone, records_of("g1.r1"), {})) {
    for (auto const& cache : caches) CHECK(!cache.starts_with("the cache of"));
  }
}

}  // namespace gridcast::calibration
