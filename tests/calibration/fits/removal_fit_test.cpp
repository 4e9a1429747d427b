// Owners who remove jobs that wait or run.
#include "calibration/fits/people_fit.hpp"
#include "calibration/inference/campaign_spread.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using history::EventKind;
using history::Reason;
using test::line;

namespace {

/// Jobs that leave at the given times.
class Queue {
 public:
  void job(std::vector<std::tuple<EventKind, double, Reason>> const& events,
           Seconds submitted = {}) {
    history::JobEvent event;
    event.at = submitted;
    event.job = Id<history::Job>(history_.jobs.size());
    history_.jobs.push_back({static_cast<std::uint32_t>(history_.jobs.size() + 1), 0});
    event.kind = EventKind::submitted;
    history_.events.push_back(event);
    for (auto const& [kind, at, reason] : events) {
      event.kind = kind;
      event.at = Seconds(at);
      event.reason = reason;
      history_.events.push_back(event);
    }
  }
  history::JobHistory sorted() const {
    history::JobHistory history = history_;
    std::stable_sort(history.events.begin(), history.events.end(),
                     [](auto const& a, auto const& b) { return a.at < b.at; });
    return history;
  }

 private:
  history::JobHistory history_;
};

}  // namespace

TEST_CASE(
    "Removals by hand within ten minutes are one intervention, of the jobs that wait or run") {
  Queue queue;
  for (int i = 0; i < 4; ++i) queue.job({{EventKind::aborted, 1000 + 100.0 * i, Reason::manual}});
  queue.job({{EventKind::terminated, 5000, Reason::none}});
  queue.job({{EventKind::held, 500, Reason::unknown}, {EventKind::aborted, 1000, Reason::manual}});
  queue.job({{EventKind::aborted, 3000, Reason::policy}});
  queue.job({{EventKind::aborted, 4000, Reason::manual}});
  Interventions const found = find_interventions(queue.sorted());
  REQUIRE(found.all.size() == 2);
  CHECK(found.all[0].removed == 4);
  CHECK(found.all[0].in_queue == 7);  // not the one that is held
  CHECK(found.all[1].removed == 1);
  CHECK(found.all[1].in_queue == 2);
  CHECK(found.all[1].submitted_later == 0);
  CHECK(time_within(found.exposed, Seconds(0), Seconds(1e9)) == Seconds(5000));
  CHECK(time_within(found.exposed, Seconds(4000), Seconds(1e9)) == Seconds(1000));
}

// Logs have whole seconds: a job that was submitted in the second of the removal was there.
TEST_CASE("A job is in the queue from the second of its submission to the second of its end") {
  Queue queue;
  queue.job({{EventKind::aborted, 0, Reason::manual}});
  queue.job({{EventKind::terminated, 5000, Reason::none}});
  queue.job({{EventKind::aborted, 5000, Reason::manual}});
  Interventions const found = find_interventions(queue.sorted());
  REQUIRE(found.all.size() == 2);
  CHECK(found.all[0].in_queue == 3);
  CHECK(found.all[1].in_queue == 2);
}

TEST_CASE(
    "The rate is their number over the time with jobs, the share is that of the jobs removed") {
  Interventions seen;
  seen.exposed = {{Seconds(0), Seconds(1e6)}};
  for (int i = 0; i < 20; ++i) seen.all.push_back({Seconds(4e4 * i), 10, 10});
  Fit const fit = removal_fit(seen, 400, RandomStreams(1, 0));
  CHECK(line(fit, "removal_per_s").interval90.contains(20 / 1e6));
  auto const& rows = fit.draws.rows;
  double share = 0;
  for (auto const& row : rows)
    share += row[1] / (row[1] + row[2]) / static_cast<double>(rows.size());
  CHECK(share > 0.9);
  for (std::string const& column : fit.draws.columns) {
    CHECK(scenario::find_draw_column(column) != nullptr);
  }
  CHECK(removal_fit({}, 10, RandomStreams(1, 0)).draws.columns.empty());
}

TEST_CASE("The events after an intervention show whether the queue contained the whole campaign") {
  Queue queue;
  for (int i = 0; i < 3; ++i) queue.job({{EventKind::aborted, 1000, Reason::manual}});
  queue.job({{EventKind::aborted, 3000, Reason::manual}}, Seconds(1000));
  queue.job({{EventKind::terminated, 4000, Reason::none}}, Seconds(2000));
  Interventions const found = find_interventions(queue.sorted());
  REQUIRE(found.all.size() == 2);
  CHECK(found.all[0].in_queue == 4);
  CHECK(found.all[0].submitted_later == 1);
  CHECK(found.all[1].submitted_later == 0);
  // Half of the draws have the queue of the first, half no limit.
  Fit const fit = removal_fit(found, 100, RandomStreams(1, 0));
  std::map<double, int> queues;
  for (auto const& row : fit.draws.rows) ++queues[row.back()];
  CHECK(queues == std::map<double, int>{{4, 50}, {1000000, 50}});
}

TEST_CASE("Interventions that may not go on are in their share of the draws, as they were") {
  Interventions seen;
  seen.exposed = {{Seconds(0), Seconds(1e5)}};
  seen.all = {{Seconds(5e4), 10, 10}};
  Fit const all = removal_fit(seen, 400, RandomStreams(1, 0));
  Fit some = all;
  only_in(some, "removal_per_s", 0.25, test::test_stream(2));
  std::size_t left = 0;
  for (std::size_t i = 0; i < some.draws.rows.size(); ++i) {
    double const rate = some.draws.rows[i][0];
    left += rate > 0;
    CHECK((rate == 0 || some.draws.rows[i] == all.draws.rows[i]));
  }
  CHECK(left == 100);
}

}  // namespace gridcast::calibration
