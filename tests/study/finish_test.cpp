#include <cmath>

#include "sim/study/record.hpp"
#include "sim/study/sample.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

/// Two jobs that succeed at these times.
Record record_of(double first, double second) {
  test::HistoryBuilder history({{1, 0}, {1, 1}}, {"PDX"});
  double const times[] = {first, second};
  for (std::size_t job = 0; job < 2; ++job) {
    history.add(0, job, history::EventKind::submitted)
        .add(1, job, history::EventKind::matched)
        .on(0)
        .add(2, job, history::EventKind::executing)
        .on(0);
  }
  for (std::size_t job = 0; job < 2; ++job) {
    history.add(times[job], job, history::EventKind::terminated).on(0);
  }
  return make_record(history.get(), {"PDX"}, {});
}

StudySample sample_of(std::vector<SharedRecord> records) {
  StudySample sample{record_names({"PDX"}), {}, std::move(records)};
  for (std::uint32_t i = 0; i < sample.records.size(); ++i) sample.replicas.push_back(i);
  return sample;
}

TEST_CASE("the curve shows at each time the jobs that had succeeded, over replicas", "[finish]") {
  auto const sample = sample_of({record_of(10, 20), record_of(10, 40), record_of(30, 40)});
  auto const band = finish_band(sample, {Seconds(0), Seconds(15), Seconds(35), Seconds(50)});
  CHECK(band.p50 == std::vector<double>{0, 1, 1, 2});
  CHECK(band.p05[1] == Approx(0.1));  // 0, 1, 1
  CHECK(band.p95[2] == Approx(1.9));  // 2, 1, 1
  REQUIRE(band.makespans.size() == 101);
  CHECK(band.makespans[0] == Seconds(20));
  CHECK(band.makespans[25].value() == Approx(30));
  CHECK(band.makespans[100] == Seconds(40));
  CHECK(finish_end({sample}) == Seconds(40));
}

TEST_CASE("a deadline is kept by jobs that succeeded, not by a campaign that has ended",
          "[finish]") {
  // In one of three replicas the second job is removed at once: it has ended first, and is never
  // done.
  test::HistoryBuilder history({{1, 0}, {1, 1}}, {"PDX"});
  for (std::size_t job = 0; job < 2; ++job) history.add(0, job, history::EventKind::submitted);
  history.add(1, 1, history::EventKind::aborted);
  history.add(1, 0, history::EventKind::matched).on(0);
  history.add(2, 0, history::EventKind::executing).on(0);
  history.add(10, 0, history::EventKind::terminated).on(0);
  auto const sample =
      sample_of({make_record(history.get(), {"PDX"}, {}), record_of(10, 20), record_of(10, 40)});
  auto const band = finish_band(sample, {Seconds(0)}, 2);
  CHECK(band.makespans.front() == Seconds(10));
  CHECK(band.wanted == 2);
  REQUIRE(band.reached.size() == 101);
  CHECK(band.reached.front() == Seconds(20));
  CHECK(band.reached[66] == Seconds(40));
  CHECK(std::isinf(band.reached[67].value()));
  // Nine tenths of two jobs are both of them; a half is one.
  CHECK(wanted_jobs(sample, 0.9) == 2);
  CHECK(wanted_jobs(sample, 0.5) == 1);
  CHECK(makespans(sample, 2)[1] == 20);
  CHECK(std::isinf(makespans(sample, 2)[0]));
  CHECK(finish_band(sample, {Seconds(0)}, 1).reached.back() == Seconds(10));
  CHECK(std::isinf(finish_band(sample, {Seconds(0)}, 3).reached.front().value()));
}

TEST_CASE("steps of a record stand for jobs, each of up to fifty exactly", "[finish]") {
  for (std::size_t jobs = 1; jobs <= finish_steps; ++jobs) {
    std::vector<bool> met(jobs + 1, false);
    for (std::size_t step = 1; step <= finish_steps; ++step) met[finish_rank(step, jobs)] = true;
    for (std::size_t n = 1; n <= jobs; ++n) CHECK(met[n]);
  }
  CHECK(finish_rank(finish_steps, 100) == 100);
  CHECK(finish_rank(1, 100) == 2);
}

TEST_CASE("a result without dates has no curve", "[finish]") {
  CHECK(finish_band(sample_of({}), {Seconds(0)}).at.empty());
}

}  // namespace
}  // namespace gridcast::study
