#include "sim/running/running_forecast.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "tests/running/campaign_writer.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

TEST_CASE("each job stands where its last event left it", "[running_campaign]") {
  Writer writer;
  writer.job();  // fresh
  writer.run(writer.job(), minutes(1), minutes(5));
  std::size_t const held = writer.job(), idle = writer.job(), runs = writer.job();
  writer.run(held, minutes(1), minutes(4), EventKind::held);
  writer.run(idle, minutes(2), minutes(6), EventKind::evicted);
  writer.run(runs, minutes(1), minutes(3), EventKind::evicted);
  writer.event(runs, minutes(7), EventKind::matched);
  writer.event(runs, minutes(8), EventKind::executing);
  auto const campaign = running_campaign(writer.until(minutes(10)), 2);
  REQUIRE(campaign.jobs.size() == 7);
  CHECK(campaign.jobs[0].stand == Stand::fresh);
  CHECK(campaign.jobs[1].stand == Stand::over);
  CHECK(campaign.jobs[2].stand == Stand::held);
  CHECK(campaign.jobs[2].since == minutes(4));
  CHECK(campaign.jobs[3].stand == Stand::idle);
  CHECK(campaign.jobs[3].since == minutes(6));
  CHECK(campaign.jobs[4].stand == Stand::executing);
  CHECK(campaign.jobs[4].since == minutes(8));
  CHECK(campaign.jobs[4].repeats == 1);
  CHECK(campaign.jobs[5].stand == Stand::fresh);
  CHECK(campaign.now == minutes(10));
}

/// Nodes "prepare" of a minute and nodes "train" of ten hours, half of which are over.
JobHistory two_programs() {
  Writer writer;
  std::vector<std::string> nodes;
  auto const node = [&](std::string const& name) {
    nodes.push_back(name + std::to_string(nodes.size()));
    return writer.job();
  };
  for (int i = 0; i < 40; ++i) writer.run(node("prepare"), Seconds(), minutes(1));
  for (int i = 0; i < 20; ++i) writer.run(node("train"), minutes(1), hours(10));
  for (int i = 0; i < 20; ++i) {
    std::size_t const job = node("train");
    writer.event(job, hours(10), EventKind::matched);
    writer.event(job, hours(10), EventKind::executing);
  }
  JobHistory history = writer.until(hours(10.5));
  for (std::string const& name : nodes) history.labels.push_back({.node = name});
  return history;
}

TEST_CASE("each program of a campaign has lengths of its own", "[running_forecast]") {
  JobHistory const history = two_programs();
  auto const campaign = running_campaign(history);
  CHECK(campaign.jobs[0].scale < 0.1);
  // The mean length is a third of theirs.
  CHECK(campaign.jobs[50].scale == Approx(3).epsilon(0.05));
  auto const forecast = forecast_running(campaign, history, {.futures = 200});
  auto ends = ends_of(forecast);
  std::sort(ends.begin(), ends.end());
  CHECK(ends[100] == Approx(hours(20).value()).epsilon(0.1));
  // A merge has no execution yet: each future draws its scale.
  auto const planned =
      running_dag(history, {{.name = "merge", .jobs = 1, .gpus = 0, .program = "merge"}});
  CHECK(planned.jobs.back().scale == 1);
  CHECK(planned.jobs.back().unknown_program == std::size_t{0});
  CHECK(planned.jobs.back().gpus == 0);
  CHECK(planned.jobs[50].scale == campaign.jobs[50].scale);
}

TEST_CASE("A node that was just submitted is no trouble that somebody ends", "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 20; ++i) writer.run(writer.job(), minutes(1), hours(5));
  std::size_t const next = writer.job();
  writer.begin(next, hours(5));
  JobHistory history = writer.until(hours(5) + minutes(1));
  for (auto& event : history.events) {
    if (event.job.index() == next) event.at = hours(5);
  }
  history.labels.assign(history.jobs.size(), {.node = "train"});
  std::stable_sort(history.events.begin(), history.events.end(),
                   [](auto const& a, auto const& b) { return a.at < b.at; });
  auto ends = ends_of(forecast_running(running_campaign(history), history, {.futures = 200}));
  std::sort(ends.begin(), ends.end());
  // Five hours, by the jobs before; a pace that gets slower counts as trouble.
  CHECK(ends[100] == Approx(hours(10).value()).epsilon(0.2));
}

TEST_CASE("an execution continues from the last checkpoint", "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 30; ++i) writer.run(writer.job(), Seconds(), hours(10));
  std::size_t const left = writer.job();
  writer.event(left, Seconds(), EventKind::matched);
  writer.event(left, Seconds(), EventKind::executing);
  writer.event(left, hours(8), EventKind::transfer_output_started);
  writer.event(left, hours(8), EventKind::checkpointed);
  writer.event(left, hours(9), EventKind::evicted);
  writer.event(left, hours(10), EventKind::matched);
  writer.event(left, hours(10), EventKind::executing);
  JobHistory const history = writer.until(hours(10.5));
  auto const campaign = running_campaign(history);
  CHECK(campaign.jobs[left].saved == hours(8));
  auto const forecast = forecast_running(campaign, history, {.futures = 400});
  // Two hours of ten are left since 10 h, and 1.5 h of them now.
  CHECK(median(ends_of(forecast)) == Approx(hours(12).value()).epsilon(0.05));
}

// Each job has 20 h of work, saves it each 2 h, and is evicted after 5 h of each execution.
TEST_CASE("interruptions end where the saved work is done", "[running_forecast]") {
  Writer writer;
  auto const part = [&writer](std::size_t job, Seconds from, Seconds until) {
    writer.event(job, from, EventKind::matched);
    writer.event(job, from, EventKind::executing);
    for (Seconds at = from + hours(2); at < until; at += hours(2)) {
      writer.event(job, at, EventKind::checkpointed);
    }
  };
  for (int i = 0; i < 30; ++i) {
    std::size_t const job = writer.job();
    for (int k = 0; k < 4; ++k) {
      part(job, hours(5) * k, hours(5) * (k + 1));
      writer.event(job, hours(5) * (k + 1), EventKind::evicted);
    }
    part(job, hours(20), hours(24));
    writer.event(job, hours(24), EventKind::terminated);
  }
  std::size_t const left = writer.job();
  for (int k = 0; k < 4; ++k) {
    part(left, hours(5) * k, hours(5) * (k + 1));
    writer.event(left, hours(5) * (k + 1), EventKind::evicted);
  }
  part(left, hours(20), hours(23));
  JobHistory const history = writer.until(hours(23));
  auto const forecast = forecast_running(running_campaign(history), history, {.futures = 400});
  // 16 hours are saved, and three of the last four are done.
  CHECK(median(ends_of(forecast)) == Approx(hours(24).value()).epsilon(0.02));
}

TEST_CASE("in a full pool a job starts when another one is over", "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 16; ++i) {
    Seconds const start = hours(i / 4) * 1.0;
    writer.run(writer.job(), start, start + hours(1));
  }
  for (int i = 0; i < 4; ++i) {
    std::size_t const job = writer.job();
    writer.event(job, hours(4), EventKind::matched);
    writer.event(job, hours(4), EventKind::executing);
  }
  for (int i = 0; i < 8; ++i) writer.job();
  JobHistory const history = writer.until(hours(4.5));
  auto const forecast = forecast_running(running_campaign(history), history, {.futures = 400});
  // Half an hour of the present jobs, and two rounds of an hour.
  CHECK(median(ends_of(forecast)) == Approx(hours(7).value()).epsilon(0.1));
}

TEST_CASE("the rest of an execution comes from executions that lasted as long",
          "[running_forecast]") {
  JobHistory const history = one_left();
  auto const forecast = forecast_running(running_campaign(history), history, {.futures = 400});
  CHECK(median(ends_of(forecast)) == Approx(hours(2).value()).epsilon(0.05));
  REQUIRE(forecast.delaying.size() == 1);
  CHECK(forecast.delaying.front().job == 10);
  CHECK(forecast.delaying.front().last == Approx(1));
  CHECK(met_by(forecast, hours(1.4)) == Approx(1));  // ten of eleven have succeeded
}

TEST_CASE("figures describe the whole campaign", "[running_forecast]") {
  JobHistory const history = one_left();
  auto const forecast = forecast_running(running_campaign(history), history, {.futures = 50});
  for (FutureFigures const& future : forecast.futures) {
    CHECK(future.succeeded + future.removed + future.wrong_output + future.held == 11);
    CHECK(future.slot_time >= hours(10.5));
    CHECK(future.gpu_hours == Approx(future.slot_time / hours(1)));
  }
}

TEST_CASE("the same seed gives the same futures", "[running_forecast]") {
  JobHistory const history = one_left();
  auto const campaign = running_campaign(history);
  auto const ends = [&](std::uint64_t seed) {
    return ends_of(forecast_running(campaign, history, {.futures = 50, .seed = seed}));
  };
  CHECK(ends(1) == ends(1));
  CHECK(ends(1) != ends(2));
}

TEST_CASE("jobs of a try that DAGMan has repeated are no wanted ones", "[running_forecast]") {
  Writer writer;
  writer.run(writer.job(), Seconds(), minutes(10));                     // A
  writer.fail(writer.job(), minutes(10), minutes(20));                  // B, first try
  writer.run(writer.job(), minutes(10), minutes(20));                   // ... the other job
  for (int i = 0; i < 2; ++i) writer.begin(writer.job(), minutes(21));  // B, second try
  JobHistory history = writer.until(minutes(25));
  std::uint32_t const clusters[] = {1, 2, 2, 3, 3};
  for (std::size_t i = 0; i < history.jobs.size(); ++i) {
    history.jobs[i].cluster = clusters[i];
    history.labels.push_back({.node = i == 0 ? "A" : "B"});
  }
  auto const campaign = running_campaign(history);
  CHECK(campaign.count() == 3);
  CHECK(campaign.count(Stand::over) == 1);
  CHECK(campaign.count(RecordedEnd::succeeded) == 1);
  auto const forecast = forecast_running(campaign, history, {.futures = 200});
  CHECK(forecast.wanted == 3);
  CHECK(met_by(forecast, days(365)) > 0.1);
}

TEST_CASE("a released job meets the limit that held it, unless such a job has succeeded",
          "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 20; ++i) writer.run(writer.job(), Seconds(), minutes(10));
  std::size_t const held = writer.job();
  writer.exceed(held, Seconds(), minutes(5));
  auto const forecast_now = [&] {
    JobHistory const history = writer.until(minutes(40));
    return forecast_running(running_campaign(history), history, {.futures = 200});
  };
  auto const before = forecast_now();
  REQUIRE(before.effects.front().intervention == Intervention::release);
  CHECK(mean(before.effects.front().succeeded) == 0);
  std::size_t const with_more = writer.job();
  writer.exceed(with_more, minutes(1), minutes(5));
  writer.event(with_more, minutes(8), EventKind::released);
  writer.run(with_more, minutes(9), minutes(19));
  auto const after = forecast_now();
  REQUIRE(after.effects.front().intervention == Intervention::release);
  CHECK(mean(after.effects.front().succeeded) > 0.5);
}

// periodic_hold at 60 min, and a rule that releases: jobs that met it twice meet it again.
TEST_CASE("jobs that a policy held after equal times stay held", "[running_forecast]") {
  auto const successes = [](double spread) {
    Writer writer;
    for (int i = 0; i < 20; ++i) writer.run(writer.job(), Seconds(), minutes(30 + i));
    for (int i = 0; i < 5; ++i) {
      std::size_t const job = writer.job();
      Seconds const limit = minutes(60 + i * spread);
      writer.hold_by_policy(job, Seconds(), limit);
      writer.event(job, minutes(95), EventKind::released);
      writer.hold_by_policy(job, minutes(100), minutes(100) + limit);
    }
    JobHistory const history = writer.until(minutes(180));
    std::vector<double> finished;
    for (FutureFigures const& future :
         forecast_running(running_campaign(history), history, {.futures = 200}).futures) {
      finished.push_back(static_cast<double>(future.succeeded));
    }
    return mean(finished);
  };
  CHECK(successes(0.2) == 20);
  CHECK(successes(-10) > 20.5);  // held after any time, released jobs can succeed
}

TEST_CASE("releasing held jobs changes their futures and no others", "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 20; ++i) writer.run(writer.job(), Seconds(), minutes(10));
  writer.run(writer.job(), Seconds(), minutes(5), EventKind::held);
  JobHistory const history = writer.until(minutes(20));
  auto const forecast = forecast_running(running_campaign(history), history, {.futures = 200});
  REQUIRE(forecast.effects.size() == 1);
  Effect const& release = forecast.effects.front();
  CHECK(release.intervention == Intervention::release);
  CHECK(release.jobs == 1);
  CHECK(mean(release.succeeded) > 0.1);
  for (double const more : release.succeeded) CHECK((more >= -1 && more <= 1));
}

/// The forecast with the changes, whose effect is the first one.
RunningForecast changed(JobHistory const& history, std::vector<std::string> const& changes) {
  return forecast_running(running_campaign(history), history,
                          {.futures = 400, .chosen = changes_in(changes)});
}

std::vector<double> changed_ends(RunningForecast const& forecast) {
  auto ends = ends_of(forecast);
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] += forecast.effects.front().end_s[i];
  return ends;
}

TEST_CASE("retries of a program: it fails only if all its executions do", "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 200; ++i) {
    std::size_t const job = writer.job();
    i % 2 == 0 ? writer.fail(job, Seconds(), hours(1)) : writer.run(job, Seconds(), hours(1));
  }
  for (int i = 0; i < 40; ++i) writer.begin(writer.job(), hours(1));
  auto const forecast = changed(writer.until(hours(1.5)), {"retries:2"});
  // 20 of 40 jobs succeed without retries, and seven of eight with two.
  double without = 0;
  for (FutureFigures const& future : forecast.futures) without += count(future.succeeded) / 400;
  CHECK(without == Approx(120).margin(2));
  CHECK(mean(forecast.effects.front().succeeded) == Approx(15).margin(1.5));
}

TEST_CASE("the first success of a job and its second copy counts, and the cost of both",
          "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 40; ++i) {
    std::size_t const job = writer.job();
    writer.run(job, Seconds(), minutes(1), EventKind::evicted);
    writer.run(job, minutes(2), hours(1));
  }
  std::size_t const late = writer.job();
  writer.begin(late, hours(1));
  JobHistory const history = writer.until(hours(20));
  auto const forecast = changed(history, {"second-copy:21 h"});
  // The copy comes in an hour, and takes about an hour. The original had 19 and goes on.
  CHECK(median(ends_of(forecast)) > hours(23).value());
  CHECK(median(changed_ends(forecast)) == Approx(hours(22).value()).epsilon(0.02));
  Effect const& effect = forecast.effects.front();
  for (std::size_t i = 0; i < effect.end_s.size(); ++i) {
    CHECK(effect.succeeded[i] >= 0);
    CHECK((effect.end_s[i] <= 0 || effect.succeeded[i] > 0));  // the original was removed
    // Each has a slot until the first success.
    double const rest = ends_of(forecast)[i] + effect.end_s[i] - hours(20).value();
    double const most = (2 * rest - hours(1).value()) / hours(1).value();
    double const gpu_hours = forecast.futures[i].gpu_hours + effect.gpu_hours[i];
    CHECK(gpu_hours <=
          Approx(40 * (hours(1) - minutes(1)) / hours(1) + 19 + std::max(rest / 3600, most)));
  }
}

TEST_CASE("a limit of the time before the execution moves a job that is stuck there",
          "[running_forecast]") {
  Writer writer;
  for (int i = 0; i < 40; ++i) {
    std::size_t const job = writer.job();
    writer.run(job, Seconds(), minutes(1), EventKind::evicted);
    writer.event(job, minutes(2), EventKind::matched);
    writer.event(job, minutes(3), EventKind::executing);
    writer.event(job, hours(1), EventKind::terminated);
  }
  writer.event(writer.job(), hours(1), EventKind::matched);
  JobHistory const history = writer.until(hours(11));
  auto const forecast = changed(history, {"transfer-limit:2 h"});
  CHECK(median(ends_of(forecast)) > hours(13).value());
  CHECK(median(changed_ends(forecast)) == Approx(hours(12).value()).epsilon(0.03));
  // Nobody has to think of it: a limit is offered, and the job is one that an owner submits again.
  for (auto const offered : {Intervention::resubmit, Intervention::start_limit}) {
    auto const found =
        std::find_if(forecast.effects.begin(), forecast.effects.end(),
                     [offered](Effect const& effect) { return effect.intervention == offered; });
    REQUIRE(found != forecast.effects.end());
    CHECK(found->jobs == 1);
    CHECK(median(found->end_s) < -minutes(30).value());
    if (offered == Intervention::start_limit) CHECK(found->limit == 2 * minutes(1));
  }
}

TEST_CASE("jobs do not succeed under a limit that is shorter than each execution",
          "[running_forecast]") {
  JobHistory const history = one_left();
  auto const forecast = changed(history, {"limit:10 min"});
  CHECK(mean(forecast.effects.front().succeeded) < -0.9);
}

TEST_CASE("an earlier campaign stands for lengths that are not known yet", "[running_forecast]") {
  Writer earlier_jobs;
  for (int i = 0; i < 40; ++i) earlier_jobs.run(earlier_jobs.job(), Seconds(), hours(1));
  auto const earlier = history::read_attempts(earlier_jobs.until(hours(2))).jobs;
  // Own jobs take three hours: those that ended, and one that has run for half an hour.
  auto const rest = [&](int ended) {
    Writer writer;
    for (int i = 0; i < ended; ++i) writer.run(writer.job(), Seconds(), hours(3));
    std::size_t const left = writer.job();
    writer.event(left, hours(30), EventKind::matched);
    writer.event(left, hours(30), EventKind::executing);
    JobHistory const history = writer.until(hours(30.5));
    auto campaign = running_campaign(history);
    campaign.earlier = earlier;
    auto const forecast = forecast_running(campaign, history, {.futures = 400});
    return median(ends_of(forecast)) - campaign.now.value();
  };
  CHECK(rest(0) == Approx(hours(0.5).value()).epsilon(0.1));
  CHECK(rest(200) == Approx(hours(2.5).value()).epsilon(0.1));
}

TEST_CASE("an earlier campaign counts as ten jobs in the odds of repetition",
          "[running_forecast]") {
  Writer earlier;
  for (int i = 0; i < 100; ++i) {
    std::size_t const job = earlier.job();
    earlier.run(job, Seconds(), hours(1), EventKind::evicted);
    earlier.run(job, hours(2), hours(3));
  }
  auto campaign = running_campaign(one_left());
  double const alone = campaign_laws(campaign).ending.middle().mean(0);
  campaign.earlier = history::read_attempts(earlier.until(hours(4))).jobs;
  double const pooled = campaign_laws(campaign).ending.middle().mean(0);
  // Ten of ten ended with their first execution here; of twenty with ten repetitions two thirds.
  CHECK(alone > 0.85);
  CHECK(pooled > 0.5);
  CHECK(pooled < 0.8);
}

TEST_CASE("the record shows how often a program that fails is started again", "[running_laws]") {
  // The first jobs fail four times and are over, the others have failed twice.
  auto const failing = [](int most_failures) {
    Writer writer;
    for (int i = 0; i < 6; ++i) {
      std::size_t const job = writer.job();
      int const failures = i == 5 ? most_failures : i < 3 ? 4 : 2;
      for (int f = 0; f < failures; ++f) {
        bool const over = f == 3;
        writer.fail(job, minutes(10 * f), minutes(10 * f + 5));
        if (!over) writer.requeue_last();
      }
    }
    return writer.until(hours(1));
  };
  CHECK(campaign_laws(running_campaign(failing(2))).retries == std::size_t{3});
  CHECK(campaign_laws(running_campaign(failing(6))).retries == std::nullopt);
  JobHistory const history = failing(2);
  auto const forecast = forecast_running(running_campaign(history), history, {.futures = 200});
  for (FutureFigures const& future : forecast.futures) CHECK(future.wrong_output >= 3);
}

TEST_CASE("programs to come fail as often as those that began", "[running_laws]") {
  // Twelve of forty failed after 30 s. The others run, and a hundred jobs have not started.
  Writer writer;
  for (int i = 0; i < 40; ++i) {
    std::size_t const job = writer.job();
    i < 12 ? writer.fail(job, Seconds(), Seconds(30)) : writer.begin(job, Seconds());
  }
  for (int i = 0; i < 100; ++i) writer.job();
  JobHistory const history = writer.until(Seconds(1000));
  auto const forecast = forecast_running(running_campaign(history), history, {.futures = 400});
  double failed = 0;
  for (FutureFigures const& future : forecast.futures) failed += count(future.wrong_output);
  CHECK(failed / count(forecast.futures.size()) == Approx(12 + 0.3 * 100).margin(6));
}

TEST_CASE("a record without dates is refused", "[running_campaign]") {
  JobHistory history = one_left();
  history.dated = false;
  CHECK_THROWS_AS(running_campaign(history), InputError);
}

}  // namespace
}  // namespace gridcast::running
