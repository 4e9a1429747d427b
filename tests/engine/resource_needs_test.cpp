// Memory and disk of jobs, by closed forms on the quiet grid (a job takes 10 s of transfer and
// 1,000 s of execution).
#include "sim/engine/resource_needs.hpp"

#include "sim/ledger/ledger.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using enum history::EventKind;
constexpr auto out_of_resources = history::Reason::out_of_resources;
constexpr Bytes mebibyte(1048576);

/// Jobs that need from 1 to 5 GiB, all amounts alike.
Grid grid_of_needs(Bytes request) {
  Grid grid = quiet_grid(4, 200);
  nobody_releases(grid);
  grid.campaign.request.memory = request;
  grid.campaign.work.memory = {1024 * mebibyte, 5120 * mebibyte};
  return grid;
}

TEST_CASE("A job that needs more than it requests is held, as many as the distribution has") {
  Grid const grid = grid_of_needs(2048 * mebibyte);  // a quarter of the jobs need no more
  auto const history = grid.run().history;
  auto const ledger = ledger::account(history);
  CHECK(ledger.total.succeeded + ledger.total.held == 200);
  CHECK(ledger.total.succeeded > 50 - 25);
  CHECK(ledger.total.succeeded < 50 + 25);
  CHECK(count(history, held, out_of_resources) == static_cast<std::size_t>(ledger.total.held));
  for (history::JobEvent const& event : history.events) {
    if (event.kind != held) continue;
    CHECK(event.code == 34);
    CHECK(event.subcode == 102);
  }
  // Uniform moments of executions of 1,000 s.
  CHECK(ledger.total.compute_held.value() == Approx(500.0 * ledger.total.held).epsilon(0.15));
}

TEST_CASE("Enough memory, and no request at all, stop no job") {
  for (Bytes const request : {Bytes(), 5120 * mebibyte}) {
    auto const history = grid_of_needs(request).run().history;
    CHECK(ledger::account(history).total.succeeded == 200);
    CHECK(count(history, evicted) == 0);
  }
}

TEST_CASE("Needs that are met change no event") {
  Grid plain = quiet_grid(4, 20), stated = quiet_grid(4, 20);
  stated.campaign.request.memory = 8192 * mebibyte;
  stated.campaign.work.memory = {1024 * mebibyte};
  stated.pool.sites[0].memory = 8192 * mebibyte;
  auto const one = plain.run().history.events, other = stated.run().history.events;
  CHECK(std::equal(one.begin(), one.end(), other.begin(), other.end(),
                   [](history::JobEvent const& a, history::JobEvent const& b) {
                     return a.at == b.at && a.kind == b.kind && a.job == b.job && a.slot == b.slot;
                   }));
}

TEST_CASE("retry_request_memory runs a job again with more, and holds it if that is too little") {
  Grid grid = grid_of_needs(2048 * mebibyte);
  SECTION("enough for all") {
    policy_of(grid).retry_request_memory = classad::parse("5120");
    auto const history = grid.run().history;
    auto const ledger = ledger::account(history);
    CHECK(ledger.total.succeeded == 200);
    CHECK(count(history, held) == 0);
    CHECK(count(history, evicted, out_of_resources) > 100);
    for (double const evictions : counts(history, evicted)) CHECK(evictions <= 1);
  }
  SECTION("enough for half of them: three quarters are evicted, half are held") {
    policy_of(grid).retry_request_memory = classad::parse("3072");
    auto const history = grid.run().history;
    double const once = static_cast<double>(count(history, evicted, out_of_resources));
    double const lost = static_cast<double>(count(history, held, out_of_resources));
    CHECK(once == Approx(150).margin(25));
    CHECK(lost == Approx(100).margin(25));
    CHECK(ledger::account(history).total.succeeded == 200 - lost);
  }
  SECTION("a list of sizes, one after the other") {
    policy_of(grid).retry_request_memory = classad::parse("{3072, 4096, 5120}");
    auto const history = grid.run().history;
    CHECK(ledger::account(history).total.succeeded == 200);
    auto const often = counts(history, evicted);
    CHECK(std::count(often.begin(), often.end(), 3) == Approx(50).margin(25));
  }
  SECTION("an expression of the request so far") {
    policy_of(grid).retry_request_memory = classad::parse("RequestMemory + 1024");
    CHECK(ledger::account(grid.run().history).total.succeeded == 200);
  }
}

TEST_CASE("A request that depends on holds, released by policy, as on access points") {
  Grid grid = quiet_grid(1, 1);
  nobody_releases(grid);
  grid.campaign.work.memory = {5000 * mebibyte};
  auto const* const request = GENERATE(
      "ifThenElse(LastHoldReasonCode =!= 34, 2000, int(1.5 * NumJobStarts * MemoryUsage))",
      "LastJobStatus =?= 5 && LastHoldReasonCode =?= 34 ? int(1.5 * NumJobStarts * MemoryUsage) "
      ": 2000");
  policy_of(grid).request_memory = classad::parse(request);
  policy_of(grid).periodic_release = classad::parse("HoldReasonCode =?= 34 && NumJobStarts < 4");
  auto const history = grid.run().history;
  // 2,000 MB, then 1.5 x 1 x 2,000, then 1.5 x 2 x 3,000 MB.
  CHECK(count(history, held, out_of_resources) == 2);
  CHECK(count(history, released, history::Reason::policy) == 2);
  CHECK(ledger::account(history).total.succeeded == 1);
}

TEST_CASE("A retry by DAGMan is a new job, whose request can depend on the number of the retry") {
  int const jobs = GENERATE(1, 2);  // of the node
  Grid grid = quiet_grid(2, jobs);
  nobody_releases(grid);
  grid.campaign.submit[0].name = "node";
  grid.campaign.submit[0].retries = 3;
  grid.campaign.work.memory = {5000 * mebibyte};
  policy_of(grid).request_memory =
      classad::parse("2000 * (DAGNodeRetry + 1) + 10000 * NumJobStarts");
  policy_of(grid).periodic_remove = classad::parse("HoldReasonCode == 34");
  auto const history = grid.run().history;
  // 2,000, 4,000 and 6,000 MB. The first job that is held takes the other one along.
  CHECK(count(history, held, out_of_resources) >= 2);
  CHECK(count(history, held, out_of_resources) <= static_cast<std::size_t>(2 * jobs));
  CHECK(ledger::account(history).total.succeeded == static_cast<std::size_t>(jobs));
  CHECK(ledger::account(history).total.removed == 0);
}

TEST_CASE("A strategy with a smaller request has the slots that are too small for the campaign's") {
  Grid grid = quiet_grid(4, 20);
  grid.campaign.request.memory = 8192 * mebibyte;
  grid.pool.sites[0].memory = 4096 * mebibyte;
  grid.campaign.work.memory = {1024 * mebibyte, 2048 * mebibyte};
  CHECK(ledger::account(grid.run().history).total.succeeded == 0);
  policy_of(grid).request_memory = classad::parse("2048");
  CHECK(ledger::account(grid.run().history).total.succeeded == 20);
}

TEST_CASE("A larger request waits for a slot that offers it") {
  Grid grid = grid_of_needs(2048 * mebibyte);
  policy_of(grid).retry_request_memory = classad::parse("5120");
  grid.pool.sites[0].memory = 2048 * mebibyte;
  scenario::SiteSpec large = grid.pool.sites[0];
  large.name = "large";
  large.memory = 5120 * mebibyte;
  grid.pool.sites.push_back(large);
  grid.draw.sites["large"] = grid.draw.sites["site"];
  auto const history = grid.run().history;
  CHECK(ledger::account(history).total.succeeded == 200);
  std::vector<bool> raised(200);
  std::size_t on_large = 0;
  for (history::JobEvent const& event : history.events) {
    if (event.kind == evicted) raised[event.job.index()] = true;
    if (event.kind != matched || !raised[event.job.index()]) continue;
    CHECK(history.sites[event.site.index()] == "large");
    ++on_large;
  }
  CHECK(on_large > 100);
}

TEST_CASE("A site without enough memory for the request is not matched") {
  Grid grid = grid_of_needs(2048 * mebibyte);
  grid.pool.sites[0].memory = 2047 * mebibyte;
  CHECK_THAT(scenario::why_no_match(grid.pool.sites[0], grid.campaign.request),
             has_text("memory") && has_text("wanted"));
}

TEST_CASE("Disk is held with its own subcode") {
  Grid grid = quiet_grid(1, 1);
  nobody_releases(grid);
  grid.pool.sites[0].disk = Bytes(1e12);
  grid.campaign.request.disk = Bytes(1e9);
  grid.campaign.work.disk = {Bytes(2e9)};
  auto const history = grid.run().history;
  REQUIRE(history.events.back().kind == held);
  CHECK(history.events.back().subcode == 104);
}

}  // namespace
}  // namespace gridcast::test
