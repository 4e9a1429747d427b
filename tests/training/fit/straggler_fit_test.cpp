#include "sim/training/fit/straggler_fit.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/training/step_time.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {
namespace {

/// Workers of known differences: own factors, a memory of 5 rows, spells of 4 rows in 2 % of the
/// time.
std::vector<training::WorkerSteps> known_workers() {
  RandomStream stream = RandomStreams(3, 0).stream(Purpose::test, 0);
  auto const normal = [&stream] { return normal_quantile(stream.uniform()); };
  std::vector<training::WorkerSteps> workers;
  for (int w = 0; w < 10; ++w) {
    auto& worker = workers.emplace_back(training::WorkerSteps{fmt::format("{}", w), {}});
    double r = 0.05 * normal(), excess = 0;
    double const a = std::exp(-1 / 5.);
    for (int i = 0; i < 2000; ++i) {
      worker.times.push_back(100 * std::exp(0.1 * w / 9. + r) * (1 + excess));
      r = a * r + std::sqrt(1 - a * a) * 0.05 * normal();
      if (excess > 0 && stream.chance(0.25)) {
        excess = 0;
      } else if (excess <= 0 && stream.chance(0.25 * 0.02 / 0.98)) {
        excess = 0.8 * std::exp(0.3 * normal());
      }
    }
  }
  return workers;
}

}  // namespace

// 20,000 rows and about 100 spells: parameters are found within some ten per cent.
TEST_CASE("stragglers of known parameters are found") {
  auto const fit = training::fit_stragglers(known_workers());
  CHECK(fit.compute.spread == Approx(0.05).epsilon(0.1));
  CHECK(fit.compute.steady_steps == Approx(5).epsilon(0.2));
  CHECK(fit.compute.slow_share == Approx(0.02).epsilon(0.3));
  CHECK(fit.compute.slow_by == Approx(0.8).epsilon(0.15));
  CHECK(fit.compute.slow_steps == Approx(4).epsilon(0.25));
  CHECK(fit.own.back() / fit.own.front() == Approx(std::exp(0.1)).epsilon(0.02));
}

TEST_CASE("the 99 % point of the slowest of ten workers in production is right within 15 %") {
  for (char const* job : {"job_1.csv", "job_2.csv"}) {
    auto const workers = training::read_worker_steps(shipped_files().data / "mlperf" / job);
    REQUIRE(workers.size() == 10);
    auto const fit = training::fit_stragglers(workers);
    double const measured = quantile(training::slowest_of(workers), 0.99);
    CHECK(training::slowest_quantile(fit.compute, fit.own, 0.99) / measured ==
          Approx(1).epsilon(0.15));
  }
}

TEST_CASE("what-ifs: nothing is as slow as keeping the slow ones") {
  auto const fit = training::fit_stragglers(known_workers());
  auto const if_done = training::straggler_what_if(fit.compute, 10);
  CHECK(if_done.replaced < if_done.step);
  CHECK(if_done.replaced > 1);
  CHECK(training::straggler_what_if(fit.compute, 1).step == 1);
}

TEST_CASE("tables of workers that cannot be used are refused with their places") {
  auto const refused = [](std::string const& text) -> std::string {
    try {
      training::parse_worker_steps("w.csv", text);
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused("worker,time,step_s\n1,1,0\n").find("w.csv:2:5: step_s: '0'") == 0);
  CHECK(refused("worker,time,step_s\n1,1,2\n").find("w.csv: worker 1 has 1 steps") == 0);
  CHECK(refused("worker,step_s\n1,2\n").find("no time") != std::string::npos);
}

}  // namespace gridcast::test
