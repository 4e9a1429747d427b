// Running DAGs: nodes wait for others, and are tried again.
#include <algorithm>

#include "sim/base/statistics.hpp"
#include "tests/running/campaign_writer.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

/// Eleven nodes with a job each, of one_left(), and others that come later: name, parents.
RunningCampaign dag_of(JobHistory& history, std::vector<PlannedNode> const& later) {
  std::vector<PlannedNode> plan;
  for (std::size_t i = 0; i < history.jobs.size(); ++i) {
    plan.push_back({"n" + std::to_string(i), 1});
    history.labels.push_back({.node = plan.back().name});
  }
  plan.insert(plan.end(), later.begin(), later.end());
  return running_dag(history, plan);
}

TEST_CASE("the jobs of a node wait for all its parents", "[running_forecast]") {
  JobHistory history = one_left();
  auto const alone = forecast_running(running_campaign(history), history, {.futures = 200});
  auto const campaign = dag_of(history, {{"last", 2, {"n3", "n10"}}, {"end", 1, {"last"}}});
  CHECK(campaign.count(Stand::fresh) == 3);
  auto const forecast = forecast_running(campaign, history, {.futures = 200});
  std::vector<double> ratios;
  for (std::size_t i = 0; i < forecast.futures.size(); ++i) {
    Seconds const before = alone.futures[i].end, after = forecast.futures[i].end;
    CHECK(after >= before);
    ratios.push_back((after - campaign.now) / (before - campaign.now));
  }
  // Half an hour of the job that runs, then an hour each of the two nodes.
  CHECK(median(ratios) == Approx(5).epsilon(0.1));
}

// Twenty splits of 20 min are over, and a train has run for 40 min; trains take two hours.
TEST_CASE("a program without an ended execution may take many times as long as others",
          "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 20; ++i) writer.run(writer.job(), Seconds(), minutes(20));
  std::size_t const left = writer.job();
  writer.event(left, minutes(20), EventKind::matched);
  writer.event(left, minutes(20), EventKind::executing);
  JobHistory history = writer.until(hours(1));
  std::vector<PlannedNode> plan;
  for (std::size_t i = 0; i < history.jobs.size(); ++i) {
    plan.push_back({.name = "n" + std::to_string(i), .jobs = 1, .program = "split"});
    history.labels.push_back({.node = plan.back().name});
  }
  plan.back().program = "train";
  auto const known = running_dag(history, plan);
  CHECK(known.unknown_programs.size() == 1);
  CHECK(known.unknown_programs.front() == Approx(2).epsilon(0.01));
  auto const forecast = forecast_running(known, history, {.futures = 400});
  std::vector<double> rests = ends_of(forecast);
  for (double& end : rests) end -= known.now.value();
  CHECK(quantile(rests, 0.05) < minutes(20).value());
  CHECK(quantile(rests, 0.95) > hours(2).value());
  // Of exp(1.4 Z), given that it is above 2, the median is 4.1: 43 min more.
  CHECK(median(rests) > minutes(25).value());
  CHECK(median(rests) < minutes(75).value());
}

TEST_CASE("a node whose parent did not succeed never starts", "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 10; ++i) writer.run(writer.job(), Seconds(), hours(1));
  writer.run(writer.job(), Seconds(), minutes(20), EventKind::aborted);
  JobHistory history = writer.until(hours(1));
  auto const campaign = dag_of(history, {{"child", 4, {"n10"}}, {"grandchild", 1, {"child"}}});
  for (FutureFigures const& future : forecast_running(campaign, history, {.futures = 50}).futures) {
    CHECK(future.unfinished == 5);
    CHECK(future.succeeded == 10);
  }
}

// Half of the executions fail. The jobs of a node are submitted together until all have succeeded.
TEST_CASE("a node of several jobs is tried again as a whole", "[running_forecast]") {
  auto const successes = [](int retries) {
    Writer writer;
    for (int i = 0; i < 40; ++i) {
      std::size_t const job = writer.job();
      if (i % 2 == 0) {
        writer.fail(job, Seconds(), hours(1));
      } else {
        writer.run(job, Seconds(), hours(1));
      }
    }
    JobHistory history = writer.until(hours(1));
    std::vector<PlannedNode> plan;
    for (std::size_t i = 0; i < history.jobs.size(); ++i) {
      plan.push_back({"n" + std::to_string(i), 1});
      history.labels.push_back({.node = plan.back().name});
    }
    plan.push_back({.name = "two", .jobs = 2, .retries = retries});
    auto const forecast = forecast_running(running_dag(history, plan), history, {.futures = 200});
    double sum = 0;
    for (FutureFigures const& future : forecast.futures) sum += count(future.succeeded) - 20;
    return sum / 200;
  };
  CHECK(successes(0) < 1.2);
  CHECK(successes(1000) > 1.7);  // the owner removes the rest in some futures
}

// DAGMan removes a job because another one of its node failed; the owner removes none.
TEST_CASE("a removal with a node is no removal by the owner", "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 20; ++i) writer.run(writer.job(), Seconds(), hours(1));
  writer.fail(writer.job(), Seconds(), minutes(30));
  for (int i = 0; i < 5; ++i) {
    writer.run(writer.job(), Seconds(), minutes(30), EventKind::aborted);
  }
  for (int i = 0; i < 6; ++i) writer.begin(writer.job(), minutes(40));
  JobHistory history = writer.until(hours(1));
  std::vector<PlannedNode> plan;
  for (std::size_t i = 0; i < history.jobs.size(); ++i) {
    bool const alone = i < 20;
    std::string const node = alone ? "n" + std::to_string(i) : "six";
    history.jobs[i].cluster = i < 20 ? 1 : i < 26 ? 2 : 3;
    history.labels.push_back({.node = node});
    if (alone) plan.push_back({node, 1});
  }
  plan.push_back({.name = "six", .jobs = 6, .retries = 100});
  double removed = 0;
  for (FutureFigures const& future :
       forecast_running(running_dag(history, plan), history, {.futures = 200}).futures) {
    removed += count(future.removed) / 200;
  }
  CHECK(removed < 1);
}

}  // namespace
}  // namespace gridcast::running
