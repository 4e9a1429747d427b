#include "sim/study/finish_band.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "sim/base/statistics.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

constexpr std::size_t steps = 80;
constexpr std::size_t percents = 100;

/// Jobs that had succeeded at a time in one replica.
double succeeded_by(SharedRecord const& record, std::size_t first, std::size_t jobs, Seconds at) {
  std::size_t done = 0;
  for (std::size_t step = 1; step <= finish_steps; ++step) {
    double const time = record[first + step - 1];
    if (std::isnan(time) || time > at.value()) break;
    done = finish_rank(step, jobs);
  }
  return static_cast<double>(done);
}

}  // namespace

std::vector<Seconds> finish_times(Seconds end) {
  std::vector<Seconds> times;
  for (std::size_t i = 0; i <= steps; ++i) {
    times.push_back(end * (static_cast<double>(i) / static_cast<double>(steps)));
  }
  return times;
}

Seconds finish_end(std::vector<StudySample> const& samples) {
  Seconds end;
  for (auto const& sample : samples) {
    auto const values = without_nan(column(sample, "makespan_s"));
    if (!values.empty()) end = std::max(end, Seconds(quantile(values, 0.95)));
  }
  return end;
}

std::size_t wanted_jobs(StudySample const& sample, double share) {
  constexpr double rounding = 1e-9;
  double jobs = 0;
  for (double const each : column(sample, "jobs")) jobs = each > jobs ? each : jobs;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(share * jobs - rounding)));
}

std::vector<double> makespans(StudySample const& sample, std::size_t wanted) {
  std::size_t const first = column_index(sample, std::string(finish_of) + "1");
  std::size_t const jobs = column_index(sample, "jobs");
  std::size_t const ends = column_index(sample, "makespan_s");
  std::vector<double> times;
  for (auto const& record : sample.records) {
    if (std::isnan(record[jobs]) || std::isnan(record[ends])) {
      times.push_back(nan);
      continue;
    }
    auto const all = static_cast<std::size_t>(record[jobs]);
    std::size_t step = 1;
    while (step < finish_steps && finish_rank(step, all) < (wanted > 0 ? wanted : all)) ++step;
    double const time = record[first + step - 1];
    times.push_back(wanted > all || std::isnan(time) ? infinity : time);
  }
  return times;
}

StudySample with_makespans(StudySample sample, std::size_t wanted) {
  std::size_t const ends = column_index(sample, "makespan_s");
  auto const times = makespans(sample, wanted);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    Record record(sample.records[i].begin(), sample.records[i].end());
    record[ends] = times[i];
    sample.records[i] = std::move(record);
  }
  return sample;
}

FinishBand finish_band(StudySample const& sample, std::vector<Seconds> const& at,
                       std::size_t wanted) {
  FinishBand band;
  auto const ends = without_nan(column(sample, "makespan_s"));
  if (ends.empty()) return band;
  std::size_t const first = column_index(sample, std::string(finish_of) + "1");
  std::size_t const jobs = column_index(sample, "jobs");
  band.at = at;
  constexpr std::array p = {0.05, 0.5, 0.95};
  for (Seconds const time : at) {
    std::vector<double> done;
    for (auto const& record : sample.records) {
      if (std::isnan(record[jobs])) continue;
      done.push_back(succeeded_by(record, first, static_cast<std::size_t>(record[jobs]), time));
    }
    auto const q = quantiles(std::move(done), p);
    band.p05.push_back(q[0]);
    band.p50.push_back(q[1]);
    band.p95.push_back(q[2]);
  }
  std::vector<double> shares;
  for (std::size_t i = 0; i <= percents; ++i) {
    shares.push_back(static_cast<double>(i) / static_cast<double>(percents));
  }
  for (double const time : quantiles(ends, shares)) band.makespans.emplace_back(time);
  band.wanted = wanted;
  for (double const time : order_statistics(makespans(sample, wanted), shares)) {
    if (!std::isnan(time)) band.reached.emplace_back(time);
  }
  return band;
}

}  // namespace gridcast::study
