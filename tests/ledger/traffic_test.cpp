// GPU hours, and bytes by site and cache.
#include <algorithm>
#include <string_view>

#include "sim/ledger/ledger.hpp"
#include "sim/ledger/metrics.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

using test::HistoryBuilder;
using enum history::EventKind;

/// Two attempts: 100 s at A, and 1,000 s at B.
history::JobHistory two_attempts() {
  HistoryBuilder h({{1, 0}}, {"A", "B"});
  h.add(0, 0, submitted).add(0, 0, matched).on(0).add(10, 0, executing).on(0);
  h.add(100, 0, evicted, history::Reason::vacated).on(0);
  h.add(200, 0, matched).on(1).add(210, 0, executing).on(1).add(1200, 0, terminated).on(1);
  return h.get();
}

TEST_CASE("GPU hours are the slot's hours times its GPUs, of the whole claim") {
  history::JobHistory history = two_attempts();
  CHECK(account(history).gpu_time == Seconds(1100));
  history.gpus_per_job = 3;
  CHECK(account(history).gpu_time == Seconds(3300));
  std::uint16_t const two = history.gpus_like({"NVIDIA A40", 2, {}, 0});
  std::uint16_t const four = history.gpus_like({"NVIDIA L40S", 4, {}, 0});
  for (history::JobEvent& event : history.events) {
    if (event.kind == executing) event.gpus = event.at < Seconds(100) ? two : four;
  }
  Ledger const ledger = account(history);
  CHECK(ledger.gpu_time == Seconds(2 * 100 + 4 * 1000));
  CHECK(ledger.site_gpu_time.at("A") == Seconds(200));
  CHECK(ledger.site_gpu_time.at("B") == Seconds(4000));
}

TEST_CASE("GPUs that only the end of an attempt shows are that attempt's") {
  history::JobHistory history = two_attempts();
  std::uint16_t const four = history.gpus_like({"", 4, {}, 0});
  history.events.back().gpus = four;
  Ledger const ledger = account(history);
  CHECK(ledger.site_gpu_time.at("A") == Seconds(100));
  CHECK(ledger.site_gpu_time.at("B") == Seconds(4000));
}

TEST_CASE("A report of zero counts as zero; without a report the value of most jobs counts") {
  history::JobHistory history = two_attempts();
  history.gpus_per_job = 3;
  history.events[2].gpus = history.gpus_like({.count = 0});
  CHECK(account(history).gpu_time == Seconds(0));
  history.events.back().gpus = history.gpus_like({.count = 4});
  CHECK(account(history).site_gpu_time == std::map<std::string, Seconds>{{"B", Seconds(4000)}});
  history.settle_gpus();
  CHECK(account(history).gpu_time == Seconds(4000));
  history.gpus[1].count = 0;
  history.settle_gpus();
  CHECK(account(history).gpu_time == Seconds(3 * 1100));
}

TEST_CASE(
    "Stalls and evictions are not reported where the source does not show how attempts ended") {
  HistoryBuilder h({{1, 0}}, {"A", "B"});
  h.add(0, 0, submitted).add(0, 0, matched).on(0).add(10, 0, executing).on(0);
  h.add(100, 0, evicted, history::Reason::end_not_recorded).on(0);
  h.add(200, 0, matched).on(1).add(210, 0, executing).on(1);
  h.add(300, 0, evicted, history::Reason::vacated).on(1);
  Ledger const ledger = account(h.get());
  auto const printed = [](std::vector<MetricValue> const& all, std::string_view name) {
    auto const found = std::find_if(all.begin(), all.end(),
                                    [&](MetricValue const& value) { return value.name == name; });
    REQUIRE(found != all.end());
    return found->available;
  };
  auto const all = metrics(ledger, MetricScope::campaign);
  CHECK_FALSE(printed(all, "stalls"));
  CHECK_FALSE(printed(all, "evictions"));
  CHECK(printed(all, "holds"));
  CHECK_FALSE(printed(metrics(ledger.sites.at("A"), false, MetricScope::site), "evictions"));
  CHECK(printed(metrics(ledger.sites.at("B"), false, MetricScope::site), "evictions"));
  CHECK(ledger.total.evictions == 1);
}

TEST_CASE("Bytes of ads are by the attempt's site, and tries by cache") {
  history::JobHistory history = two_attempts();
  history.urls = {"osdf:///a"};
  history.caches = {"near", "far"};
  history::UrlTransfer in;
  in.job = Id<history::Job>(0);
  in.attempt = 1;
  in.succeeded = true;
  in.size = Bytes(500);
  in.tries = {{0, history::TryEnd::stalled, Seconds(100), Bytes(20), {}},
              {1, history::TryEnd::arrived, Seconds(5), Bytes(500), {}}};
  history::UrlTransfer out;
  out.job = Id<history::Job>(0);
  out.attempt = 2;
  out.upload = out.succeeded = true;
  out.size = Bytes(70);
  history::UrlTransfer lost = in;
  lost.attempt = 2;
  lost.succeeded = false;
  lost.tries = {{0, history::TryEnd::failed, Seconds(1), Bytes(), {}}};
  history.transfers = {in, out, lost};
  Traffic const traffic = count_traffic(history, {});
  CHECK(traffic.sites.at("A").received == Bytes(500));
  CHECK(traffic.sites.at("B").received == Bytes());
  CHECK(traffic.sites.at("B").sent == Bytes(70));
  CHECK(traffic.caches.at("near").received == Bytes(20));
  CHECK(traffic.caches.at("near").tries == 2);
  CHECK(traffic.caches.at("near").given_up == 1);
  CHECK(traffic.caches.at("near").failed == 1);
  CHECK(traffic.caches.at("far").arrived == 1);
  // The log's value comes first.
  CHECK(count_traffic(history, {{"A", {Bytes(900), Bytes(1)}}}).sites.at("A").received ==
        Bytes(900));
}

}  // namespace
}  // namespace gridcast::ledger
