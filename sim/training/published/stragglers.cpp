// The slowest of ten workers in two production jobs, beside the fit to all of a job and to its first half.
#include <cmath>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/training/fit/straggler_fit.hpp"
#include "sim/training/published/source_table.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::training {
namespace {

constexpr double high = 0.99;

enum class Half { first, second };

std::vector<WorkerSteps> half(std::vector<WorkerSteps> workers, Half which) {
  for (WorkerSteps& worker : workers) {
    auto const middle = worker.times.begin() + static_cast<std::ptrdiff_t>(worker.times.size() / 2);
    which == Half::first ? worker.times.erase(middle, worker.times.end())
                         : worker.times.erase(worker.times.begin(), middle);
  }
  return workers;
}

void add(SourceTable& table, std::string const& what, std::vector<WorkerSteps> const& fitted,
         std::vector<WorkerSteps> const& judged, double wanted) {
  StragglerFit const fit = fit_stragglers(fitted);
  auto const slowest = slowest_of(judged);
  std::string const note = fmt::format(
      "slow {:.2g} % of the time, by {:.0f} % in the median, for {:.1f} rows; memory "
      "of the rest {:.1f} rows",
      100 * fit.compute.slow_share, 100 * fit.compute.slow_by, fit.compute.slow_steps,
      fit.compute.steady_steps);
  table.rows.push_back({what, "99 % point of the slowest of ten", "usual times",
                        quantile(slowest, high), slowest_quantile(fit.compute, fit.own, high),
                        wanted, true, note});
  table.rows.push_back({what, "median of the slowest of ten", "usual times", median(slowest),
                        slowest_quantile(fit.compute, fit.own, 0.5), 0, true, ""});
}

}  // namespace

SourceTable straggler_table(SourceFiles const& files) {
  SourceTable table{"Stragglers: the slowest of ten workers",
                    "Two production jobs of `calibration/data/mlperf`, rows ten steps apart "
                    "(`gridcast train --fit calibration/data/mlperf/job_1.csv`). Fitted to all "
                    "rows, and to the first half of a job to predict the second: slow spells are "
                    "few, so a half without the worst of them cannot tell of it.",
                    {},
                    "",
                    "measured",
                    "model"};
  constexpr double wanted = 0.15;
  for (char const* job : {"job_1", "job_2"}) {
    auto const workers = read_worker_steps(files.data / "mlperf" / (std::string(job) + ".csv"));
    add(table, fmt::format("{}, fitted to all", job), workers, workers, wanted);
    add(table, fmt::format("{}, second half predicted from the first", job),
        half(workers, Half::first), half(workers, Half::second), 0);
  }
  return table;
}

}  // namespace gridcast::training
