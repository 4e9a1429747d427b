// Failed transfers and evictions against closed forms (geometric retry, restart under exponential
// failure, timeouts), one campaign of thousands of jobs with independent random numbers each.
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/model/closed_form.hpp"

namespace gridcast::test {

namespace {

constexpr int gpus = 500, retried_jobs = 10000;

/// Jobs on links so wide that they do not meet, whose attempts stall with probability p.
Grid stalling_grid(double p) {
  Grid grid = quiet_grid(gpus, retried_jobs);
  grid.site().stream_limit = BytesPerSecond(1e8);
  grid.draw.outages.stall_when_quiet = p;
  grid.strategy.transfer.stall_timeout = Seconds(100);
  grid.strategy.transfer.check_interval = Seconds(30);
  grid.strategy.transfer.max_shadow_exceptions = retried_jobs;
  return grid;
}

/// A dead connection: looks are at 20 s, 50 s, 80 s and 110 s.
constexpr double noticed_after = 110;

/// The same, but the plugin gives up after half its time.
Grid failing_grid(double p) {
  Grid grid = stalling_grid(0);
  grid.site().url_failure = p;
  return grid;
}

/// A figure of each job's events.
std::vector<double> by_job(
    Grid const& grid, std::function<double(std::vector<history::JobEvent> const&)> const& figure) {
  return in_child([&] {
    history::JobHistory const history = grid.run().history;
    std::vector<double> figures;
    for (auto const& indices : history::events_by_job(history)) {
      std::vector<history::JobEvent> events;
      for (std::uint32_t const i : indices) events.push_back(history.events[i]);
      figures.push_back(figure(events));
    }
    return figures;
  });
}

double attempts(std::vector<history::JobEvent> const& events) {
  return static_cast<double>(times(events, history::EventKind::transfer_input_started).size());
}

double held(std::vector<history::JobEvent> const& events) {
  return events.back().kind == history::EventKind::held ? 1 : 0;
}

/// Time in transfers that failed.
double wasted(std::vector<history::JobEvent> const& events) {
  Seconds start, sum;
  for (history::JobEvent const& event : events) {
    if (event.kind == history::EventKind::transfer_input_started) start = event.at;
    if (event.kind == history::EventKind::shadow_exception) sum += event.at - start;
  }
  return sum.value();
}

/// Time with a slot.
double claimed(std::vector<history::JobEvent> const& events) {
  Seconds start, sum;
  for (history::JobEvent const& event : events) {
    if (event.kind == history::EventKind::matched) start = event.at;
    bool const ends = event.kind == history::EventKind::evicted ||
                      event.kind == history::EventKind::terminated ||
                      event.kind == history::EventKind::shadow_exception;
    if (ends) sum += event.at - start;
  }
  return sum.value();
}

}  // namespace

// R attempts at most: P(hold) = p^R, E[attempts] = (1 - p^R) / (1 - p).
TEST_CASE("cool-downs with a cap are geometric retries") {
  constexpr double p = 0.45;
  for (int const r : {1, 2, 4}) {
    Grid grid = failing_grid(p);
    grid.strategy.retry = {
        scenario::OnTransferFailure::cool_down, Seconds(5), Seconds(10), r - 1, {}};
    agrees(by_job(grid, held), std::pow(p, r));
    agrees(by_job(grid, attempts), (1 - std::pow(p, r)) / (1 - p));
  }
}

// As in 2024: requeued at once, and each failure holds with probability h, of its kind. An attempt
// is the last one with probability 1 - p + p h.
TEST_CASE("requeued jobs are held by chance") {
  constexpr double p = 0.6, h = 0.1, last = 1 - p + p * h;
  bool const stalls = GENERATE(true, false);
  Grid grid = stalls ? stalling_grid(p) : failing_grid(p);
  (stalls ? grid.draw.hold_on_stall : grid.draw.hold_on_failure) = h;
  agrees(by_job(grid, held), p * h / last);
  agrees(by_job(grid, attempts), 1 / last);
}

// Timeout tau with outliers of probability p: failed attempts before a success are geometric, each
// costs the time to the first look after the timeout.
TEST_CASE("stalls cost p / (1 - p) timeouts for each success") {
  constexpr double p = 0.4;
  agrees(by_job(stalling_grid(p), wasted), p / (1 - p) * noticed_after);
}

// A share q of the stalls trickles for an exponential time X of mean m first, which the starter
// takes for progress: noticed at the first look after X + tau, 30 s apart, so (X > 10 s + 30 s k
// for each look that comes later) 110 + 30 sum P(X > 10 + 30 k) on average.
TEST_CASE("trickling stalls cost their trickle too") {
  constexpr double p = 0.4, q = 0.3, m = 50;
  Grid grid = stalling_grid(p);
  grid.draw.outages.slow_before_stall = q;
  grid.draw.outages.slow_duration = Seconds(m);
  double const later = 30 * std::exp(-10 / m) / (1 - std::exp(-30 / m));
  agrees(by_job(grid, wasted), p / (1 - p) * (noticed_after + q * later));
}

// The Pelican client gives up what trickles for 130 s: E[min(T, L)] and the timeout only if T < L,
// which comes to (m + tau) (1 - exp(-L / m)). Asking the next cache first changes no mean, as each
// cache fails with the same probability; but only attempts of which all three caches fail end in an
// exception, so the waste is read off the time with a slot.
TEST_CASE("asking the next cache costs as much as asking again") {
  constexpr double p = 0.4, m = 100, limit = 130;
  Grid grid = stalling_grid(p);
  add_caches(grid);
  grid.strategy.transfer.on_stall = scenario::OnStall::next_cache;
  grid.draw.outages.slow_before_stall = 1;
  grid.draw.outages.slow_duration = Seconds(m);
  constexpr double patience = 100;  // the client's, which needs no looks
  double const cost = (m + patience) * (1 - std::exp(-limit / m));
  double const useful = (input_size / BytesPerSecond(1e8) + execution).value();
  agrees(by_job(grid, claimed), useful + p / (1 - p) * cost);
  // Exceptions: all three fail, p^3 / (1 - p^3) of them before a success.
  agrees(by_job(grid, attempts), 1 / (1 - p * p * p));
}

// Work w that an exponential eviction of rate l sends back to its start: E = (exp(l w) - 1) / l.
TEST_CASE("restarts under exponential evictions") {
  double const w = (input_size / BytesPerSecond(1e8) + execution).value();
  for (double const lw : {0.2, 1.0}) {
    Grid grid = quiet_grid(gpus, retried_jobs);
    grid.site().pilot_kill_per_second = lw / w;
    agrees(by_job(grid, claimed), std::expm1(lw) / (lw / w));
  }
}

// DAGMan tries a node as a whole: with q = (1 - p)^n for all of its jobs a node succeeds within R
// retries with 1 - (1 - q)^(R + 1), after 1 + (1 - q) + ... + (1 - q)^R tries on average. n = 5, p
// = 0.1, R = 2: 0.9313 and 1.5772; jobs that were tried each by themselves would make it 0.9950. A
// right simulator misses either mean for 0.27 % of the seeds.
TEST_CASE("a node of several jobs fails and is tried again as a whole") {
  constexpr int nodes = 2000, jobs_of_node = 5, retries = 2;
  constexpr double crash = 0.1;
  Grid grid = quiet_grid(gpus, 1);
  grid.site().crash = crash;
  grid.campaign.submit.assign(nodes, {Seconds(), jobs_of_node});
  for (scenario::Submission& each : grid.campaign.submit) each.retries = retries;
  auto const figures = in_child([&] {
    history::JobHistory const history = grid.run().history;
    std::vector<double> tries(nodes), failed(nodes);
    for (history::JobEvent const& event : history.events) {
      std::size_t const node = event.job.index() / jobs_of_node;
      bool const first = event.job.index() % jobs_of_node == 0;
      if (event.kind == history::EventKind::submitted && first) {
        ++tries[node];
        failed[node] = 0;
      }
      if (event.kind == history::EventKind::terminated && !event.useful) failed[node] = 1;
    }
    for (double const each : failed) tries.push_back(1 - each);
    return tries;
  });
  double const q = std::pow(1 - crash, jobs_of_node);
  auto const middle = figures.begin() + nodes;
  agrees({figures.begin(), middle}, 1 + (1 - q) + (1 - q) * (1 - q));
  agrees({middle, figures.end()}, 1 - std::pow(1 - q, retries + 1));
}

}  // namespace gridcast::test
