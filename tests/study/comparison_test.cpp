#include "sim/study/comparison.hpp"

#include <cmath>
#include <csignal>
#include <limits>
#include <stdexcept>

#include "sim/base/random.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

TEST_CASE("ties are shared equally and NaN never wins", "[comparison]") {
  // Replica by replica: strategy 0 wins; 0 and 1 tie; 2 wins (others not available); nobody.
  std::vector<std::vector<double>> const values = {
      {1, 2, nan, nan}, {2, 2, nan, nan}, {3, 3, 7, nan}};
  auto const least = share_best(values, false);
  CHECK(least[0] == Approx(1.5 / 3));
  CHECK(least[1] == Approx(0.5 / 3));
  CHECK(least[2] == Approx(1. / 3));
  auto const most = share_best(values, true);
  CHECK(most[0] == 0);
  CHECK(most[2] == Approx(1));
  CHECK(std::isnan(share_best({{nan}, {nan}}, true)[0]));
  CHECK(std::isnan(share_best({{}, {}}, true)[1]));
}

Comparison two_strategies() {
  Comparison comparison;
  comparison.strategies = {"published", "patient"};
  return comparison;
}

std::vector<std::string> const three_columns = {"succeeded", "badput_s", "hypothesis"};

/// Replica k has badput 10 k, under the second strategy 3 less; odd replicas live on a bad path.
Record fake_record(std::size_t strategy, std::uint32_t replica) {
  auto const which =
      replica % 2 == 0 ? scenario::Hypothesis::overload : scenario::Hypothesis::bad_path;
  return {80, 10. * replica - 3. * static_cast<double>(strategy), static_cast<double>(which)};
}

StudyOptions study_of(std::size_t replicas) {
  StudyOptions options;
  options.replicas = replicas;
  options.processes = 2;
  return options;
}

TEST_CASE("strategies meet in the replicas that all of them finished", "[comparison]") {
  auto comparison = two_strategies();
  run_strategies(comparison, three_columns, study_of(6), [](std::size_t s, std::uint32_t r) {
    if (s == 1 && r == 2) throw std::runtime_error("lost");
    return fake_record(s, r);
  });
  CHECK(comparison.samples[0].size() == 6);
  CHECK(comparison.samples[1].size() == 5);
  REQUIRE(comparison.failed.size() == 1);
  CHECK(comparison.failed[0].strategy == "patient");
  CHECK(comparison.failed[0].replica == 2);
  CHECK(comparison.failed[0].why == "lost");

  auto const paired = complete(comparison);
  CHECK(paired.samples[0].replicas == std::vector<std::uint32_t>{0, 1, 3, 4, 5});
  CHECK(paired.samples[1].replicas == paired.samples[0].replicas);
  CHECK(difference(paired, 1, "badput_s").mean == Approx(-3));
  CHECK(difference(paired, 0, "badput_s").mean == 0);
  auto const best = probability_best(paired, {"badput_s", false});
  CHECK(best[1].share == Approx(1));
  CHECK(best[1].ci95.low < 1);
  CHECK(best[1].n == 5);

  auto const bad_path = select_hypothesis(paired, "bad_path");
  CHECK(bad_path.samples[0].replicas == std::vector<std::uint32_t>{1, 3, 5});
  CHECK(difference(bad_path, 1, "badput_s").n == 3);
}

/// Replicas with these figures, named.
StudySample sample_of(std::vector<std::string> names, std::vector<Record> const& rows) {
  names.insert(names.end(), {"cause", "never_ran"});
  StudySample sample{std::move(names), {}, {}};
  for (Record record : rows) {
    record.insert(record.end(), {nan, 0});
    sample.replicas.push_back(static_cast<std::uint32_t>(sample.records.size()));
    sample.records.emplace_back(std::move(record));
  }
  return sample;
}

Comparison compared(std::vector<std::string> const& names, std::vector<Record> const& base,
                    std::vector<Record> const& other) {
  Comparison comparison;
  comparison.strategies = {"published", "other"};
  comparison.samples = {sample_of(names, base), sample_of(names, other)};
  return comparison;
}

TEST_CASE("holding every job does not win the least badput", "[comparison]") {
  auto const comparison = compared({"succeeded", "badput_s"}, {{80, 500}, {90, 400}, {90, 400}},
                                   {{0, 0}, {81, 100}, {80, 1}});
  auto const best = probability_best(comparison, {"badput_s", false});
  CHECK(best[0].share == Approx(2. / 3));
  CHECK(best[1].share == Approx(1. / 3));
}

TEST_CASE("badput saved by giving up is none: the difference is of campaigns as successful",
          "[comparison]") {
  // In two of five replicas all jobs are held at once, which costs nothing; in the others it is 50
  // more.
  auto const comparison =
      compared({"succeeded", "badput_s"}, {{80, 500}, {80, 500}, {80, 500}, {80, 500}, {80, 500}},
               {{80, 551}, {80, 550}, {80, 549}, {0, 0}, {0, 0}});
  auto const naive = paired_difference(column(comparison.samples[1], "badput_s"),
                                       column(comparison.samples[0], "badput_s"));
  CHECK(naive.mean < 0);
  auto const honest = difference(comparison, 1, "badput_s");
  CHECK(honest.mean == Approx(50));
  CHECK(honest.n == 3);
  CHECK(honest.better.share == 0);
  CHECK(honest.better.n == 5);
  // All replicas count for the successes themselves: (3 x 0 - 2 x 80) / 5.
  auto const successes = difference(comparison, 1, "succeeded");
  CHECK(successes.mean == Approx(-32));
  CHECK(successes.n == 5);
}

TEST_CASE("a makespan lasts until the wanted jobs succeed, or for ever", "[comparison]") {
  // One wanted job, which step 1 of 50 has: 10 h later twice, never only under the strategy, never
  // under both.
  auto comparison = compared({"jobs", "makespan_s", "finish_s:1", "succeeded"},
                             {{1, 50, 20, 1}, {1, 50, 20, 1}, {1, 50, 20, 1}, {1, 50, nan, 0}},
                             {{1, 1, 30, 1}, {1, 1, 30, 1}, {1, 1, nan, 0}, {1, 1, nan, 0}});
  auto const found = difference(comparison, 1, "makespan_s");
  CHECK(found.n == 4);
  CHECK(std::isnan(found.mean));
  CHECK(found.p50 == Approx(10));
  CHECK(std::isinf(found.p95));
  CHECK(found.better.share == 0);
  auto const best = probability_best(comparison, {"makespan_s", false});
  CHECK(best[0].share == 1);
  CHECK(best[0].n == 3);
}

TEST_CASE("GPU hours a success are pooled, by the GPUs of a job", "[comparison]") {
  auto comparison = compared({"succeeded", "wallclock_s", "gpu_hours_per_success"},
                             {{90, 900 * 3600., 20}, {1, 10 * 3600., 20}},
                             {{90, 810 * 3600., 18}, {1, 40 * 3600., 80}});
  comparison.gpus_per_job = 2;
  auto const found = difference(comparison, 1, "gpu_hours_per_success");
  CHECK(found.mean == Approx(2 * (850. / 91 - 10)));
  CHECK(found.mean < 0);
}

TEST_CASE("a strategy under which too few succeed in most replicas is named with its cause",
          "[comparison]") {
  std::vector<Record> const base = {{80, 1}, {80, 1}, {80, 1}};
  auto comparison = compared({"succeeded", "badput_s"}, base, {{0, 1}, {10, 1}, {80, 1}});
  history::Ending const held{history::EventKind::held, history::Reason::input_too_large, 32, 0};
  for (auto& record : comparison.samples[1].records) {
    Record with = Record(record.begin(), record.end());
    with[2] = cause_number(held);
    record = SharedRecord(with);
  }
  auto const found = standings(comparison);
  CHECK(found[0].rank == Rank::ranked);
  CHECK(found[1].rank == Rank::too_few_succeed);
  CHECK(found[1].enough.share == Approx(1. / 3));
  CHECK(found[1].enough.n == 3);
  REQUIRE(found[1].cause);
  CHECK(*found[1].cause == held);
  CHECK(found[1].too_few_in == 2);
  // Half of the replicas are not most.
  comparison = compared({"succeeded", "badput_s"}, {{80, 1}, {80, 1}}, {{0, 1}, {72, 1}});
  CHECK(standings(comparison)[1].rank == Rank::ranked);
}

TEST_CASE("replicas in which no job ran are counted, with the most frequent reason",
          "[comparison]") {
  StudySample sample{{"cause", "never_ran"}, {}, {}};
  auto const add = [&](NeverRan why) {
    sample.replicas.push_back(static_cast<std::uint32_t>(sample.records.size()));
    sample.records.emplace_back(Record{nan, static_cast<double>(why)});
  };
  for (int i = 0; i < 7; ++i) add(NeverRan::a_job_ran);
  for (int i = 0; i < 2; ++i) add(NeverRan::no_slots);
  add(NeverRan::not_matched);
  auto const found = never_ran(sample);
  CHECK(found.share.share == Approx(0.3));
  CHECK(found.why == NeverRan::no_slots);
  CHECK_FALSE(found.cause);
  CHECK(never_ran(StudySample{sample.names, {}, {}}).share.n == 0);
}

TEST_CASE("an interrupted comparison has about as many replicas of each strategy", "[comparison]") {
  auto comparison = two_strategies();
  auto options = study_of(1000);
  options.progress = [](std::size_t done, std::size_t, std::size_t) {
    if (done == 41) raise(SIGINT);
  };
  run_strategies(comparison, three_columns, options, fake_record);
  CHECK(comparison.interrupted);
  auto const first = static_cast<int>(comparison.samples[0].size());
  auto const second = static_cast<int>(comparison.samples[1].size());
  CHECK(first + second >= 41);
  CHECK(std::abs(first - second) <= 2);
}

TEST_CASE("a comparison does not depend on the number of processes", "[comparison]") {
  auto one = two_strategies();
  auto two = two_strategies();
  auto options = study_of(30);
  run_strategies(two, three_columns, options, fake_record);
  options.processes = 1;
  run_strategies(one, three_columns, options, fake_record);
  for (std::size_t s = 0; s < 2; ++s) CHECK(one.samples[s].records == two.samples[s].records);
}

}  // namespace
}  // namespace gridcast::study
