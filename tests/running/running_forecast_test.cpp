#include "sim/running/running_forecast.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

using history::EventKind;
using history::JobHistory;

/// A history that is written event by event, at one site.
class Writer {
 public:
  Writer() { history_.sites = {"site"}; }

  std::size_t job() {
    history_.jobs.push_back({1, static_cast<std::uint32_t>(history_.jobs.size())});
    event(history_.jobs.size() - 1, Seconds(), EventKind::submitted);
    return history_.jobs.size() - 1;
  }
  void event(std::size_t job, Seconds at, EventKind kind) {
    history::JobEvent event{.at = at, .job = Id<history::Job>(job), .kind = kind};
    if (kind != EventKind::submitted) event.site = Id<history::Site>(0);
    history_.events.push_back(event);
  }
  void run(std::size_t job, Seconds from, Seconds until, EventKind end = EventKind::terminated) {
    event(job, from, EventKind::matched);
    event(job, from, EventKind::executing);
    event(job, until, end);
  }
  JobHistory until(Seconds end) {
    std::stable_sort(history_.events.begin(), history_.events.end(),
                     [](auto const& a, auto const& b) { return a.at < b.at; });
    history_.seen_until = end;
    return history_;
  }

 private:
  JobHistory history_;
};

/// Ten jobs that took an hour, and one that has run for half an hour.
JobHistory one_left() {
  Writer writer;
  for (int i = 0; i < 10; ++i) writer.run(writer.job(), Seconds(), hours(1));
  std::size_t const left = writer.job();
  writer.event(left, hours(1), EventKind::matched);
  writer.event(left, hours(1), EventKind::executing);
  return writer.until(hours(1.5));
}

std::vector<double> ends_of(RunningForecast const& forecast) {
  std::vector<double> ends;
  for (FutureFigures const& future : forecast.futures) ends.push_back(future.end.value());
  return ends;
}

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

TEST_CASE("the rest of an execution is that of the executions that lasted as long",
          "[running_forecast]") {
  JobHistory const history = one_left();
  auto const forecast = forecast_running(running_campaign(history), history, {.futures = 400});
  CHECK(median(ends_of(forecast)) == Approx(hours(2).value()).epsilon(0.05));
  REQUIRE(forecast.delaying.size() == 1);
  CHECK(forecast.delaying.front().job == 10);
  CHECK(forecast.delaying.front().last == Approx(1));
  CHECK(met_by(forecast, hours(1.4)) == Approx(1));  // ten of eleven have succeeded
}

TEST_CASE("figures are those of the whole campaign", "[running_forecast]") {
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

TEST_CASE("a record without dates is refused", "[running_campaign]") {
  JobHistory history = one_left();
  history.dated = false;
  CHECK_THROWS_AS(running_campaign(history), InputError);
}

}  // namespace
}  // namespace gridcast::running
