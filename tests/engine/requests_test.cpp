// Jobs with several requests, by closed forms on the quiet grid (a job takes 10 s of transfer and
// 1,000 s of execution).
#include "sim/ledger/ledger.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using enum history::EventKind;

constexpr Seconds attempt = execution + Seconds(10);

/// Beside the GPUs, a site with slots without GPUs. Jobs `cpu` request none.
Grid two_sites(int gpus, int gpu_jobs, int slots, int cpu_jobs) {
  Grid grid = quiet_grid(gpus, gpu_jobs);
  scenario::SiteSpec cpus = grid.pool.sites[0];
  cpus.name = "cpus";
  cpus.gpus = 0;
  cpus.slots = slots;
  grid.pool.sites.push_back(cpus);
  grid.draw.sites["cpus"] = grid.draw.sites["site"];
  grid.draw.sites["cpus"].gpus.reset();
  grid.draw.sites["cpus"].slots = slots;
  scenario::NamedRequest request;
  request.name = "cpu";
  request.gpus = 0;
  grid.campaign.requests = {request};
  if (cpu_jobs > 0) grid.campaign.submit.push_back({Seconds(0), cpu_jobs});
  grid.campaign.submit.back().request = cpu_jobs > 0 ? "cpu" : "";
  return grid;
}

/// Of jobs that ran at a site, by number.
std::vector<std::size_t> jobs_at(history::JobHistory const& history, std::string const& site) {
  std::vector<std::size_t> jobs;
  for (history::JobEvent const& event : history.events) {
    bool const there = event.kind == executing && history.sites[event.site.index()] == site;
    if (there) jobs.push_back(event.job.index());
  }
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

double end_of(history::JobHistory const& history) { return history.events.back().at.value(); }

TEST_CASE("Each request has the slots that meet it: the makespan is that of the longer queue") {
  Grid grid = two_sites(2, 4, 2, 6);
  grid.campaign.requests[0].site = "cpus";
  auto const history = grid.run().history;
  CHECK(jobs_at(history, "site") == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(jobs_at(history, "cpus") == std::vector<std::size_t>{4, 5, 6, 7, 8, 9});
  CHECK(end_of(history) == Approx(3 * attempt.value()).margin(10));
}

TEST_CASE("Jobs without GPUs take GPU slots too, and use no GPU hours") {
  Grid grid = two_sites(4, 2, 1, 3);
  auto const history = grid.run().history;
  auto const ledger = ledger::account(history);
  CHECK(ledger.total.succeeded == 5);
  CHECK(end_of(history) == Approx(attempt.value()).margin(10));
  CHECK(ledger.gpu_time.value() == Approx(2 * attempt.value()).margin(5));
}

TEST_CASE("A job occupies as many slots as GPUs, beside jobs of one") {
  Grid grid = quiet_grid(5, 2);
  grid.pool.sites[0].gpus_per_node = 8;
  scenario::NamedRequest pair;
  pair.name = "pair";
  pair.gpus = 2;
  grid.campaign.requests = {pair};
  grid.campaign.submit.push_back({Seconds(0), 3});
  grid.campaign.submit.back().request = "pair";
  auto const replica = grid.run();
  // Two single GPUs and one pair at first, the other two pairs then: 4 of 5 GPUs each time.
  CHECK(end_of(replica.history) == Approx(2 * attempt.value()).margin(10));
  double const gpu_time = (2 + 3 * 2) * attempt.value();
  CHECK(ledger::account(replica.history).gpu_time.value() == Approx(gpu_time).margin(10));
  CHECK(replica.audit.slot_busy.value() == Approx(gpu_time).margin(10));
}

TEST_CASE("A request's own requirements stand in place of the strategy's") {
  Grid grid = two_sites(4, 2, 4, 2);
  policy_of(grid).requirements = classad::parse("GLIDEIN_ResourceName == \"site\"");
  grid.campaign.requests[0].requirements = classad::parse("GLIDEIN_ResourceName == \"cpus\"");
  auto const history = grid.run().history;
  CHECK(jobs_at(history, "site") == std::vector<std::size_t>{0, 1});
  CHECK(jobs_at(history, "cpus") == std::vector<std::size_t>{2, 3});
}

TEST_CASE("A request of memory keeps its jobs off smaller slots, and only these") {
  Grid grid = two_sites(2, 2, 4, 2);
  grid.campaign.submit[0].request = "large";
  grid.pool.sites[0].memory = Bytes(16e9);
  grid.pool.sites[1].memory = Bytes(4e9);
  scenario::NamedRequest large = grid.campaign.requests[0];
  large.name = "large";
  large.memory = Bytes(8e9);
  grid.campaign.requests.push_back(large);
  grid.campaign.requests[0].site = "cpus";
  auto const history = grid.run().history;
  CHECK(jobs_at(history, "site") == std::vector<std::size_t>{0, 1});
}

TEST_CASE("Jobs whose request has no slot wait while the others run") {
  Grid grid = two_sites(2, 2, 1, 1);
  grid.campaign.requests[0].site = "cpus";
  grid.draw.sites["cpus"].slots = 0;
  auto const ledger = ledger::account(grid.run().history);
  CHECK(ledger.total.succeeded == 2);
  CHECK(ledger.total.removed == 1);
}

TEST_CASE("A limit of concurrency counts the jobs of all requests that name it") {
  Grid grid = two_sites(8, 4, 8, 4);
  grid.pool.negotiator.concurrency_limits = {{"license", 4}};
  grid.campaign.request.concurrency_limits = "license:2";
  grid.campaign.requests[0].concurrency_limits = "license";
  auto const history = grid.run().history;
  int now = 0, most = 0;
  for (history::JobEvent const& event : history.events) {
    int const use = event.job.index() < 4 ? 2 : 1;
    if (event.kind == executing) most = std::max(most, now += use);
    if (event.kind == terminated) now -= use;
  }
  CHECK(most == 4);
  CHECK(end_of(history) == Approx(3 * attempt.value()).margin(10));
}

TEST_CASE("A named request equal to the campaign's changes no event") {
  Grid const grid = quiet_grid(3, 7);
  Grid other = grid;
  scenario::NamedRequest same;
  same.name = "same";
  other.campaign.requests = {same};
  other.campaign.submit[0].request = "same";
  auto const a = grid.run().history, b = other.run().history;
  REQUIRE(a.events.size() == b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    CHECK(a.events[i].at == b.events[i].at);
    CHECK(a.events[i].slot == b.events[i].slot);
  }
}

}  // namespace
}  // namespace gridcast::test
