#include "sim/study/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "sim/base/error.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::study {

StudySample make_sample(std::vector<std::string> names,
                        std::vector<std::pair<std::uint32_t, Record>> records) {
  StudySample sample{std::move(names), {}, {}};
  for (auto& [replica, record] : records) {
    check(record.size() == sample.names.size(), "a record has a number for each of its columns");
    sample.replicas.push_back(replica);
    sample.records.emplace_back(std::move(record));
  }
  return sample;
}

std::size_t column_index(StudySample const& sample, std::string_view name) {
  auto const found = std::find(sample.names.begin(), sample.names.end(), name);
  check(found != sample.names.end(), "a sample has the column " + std::string(name));
  return static_cast<std::size_t>(found - sample.names.begin());
}

std::vector<double> column(StudySample const& sample, std::string_view name) {
  std::size_t const index = column_index(sample, name);
  std::vector<double> values;
  values.reserve(sample.size());
  for (auto const& record : sample.records) values.push_back(record[index]);
  return values;
}

Summary summarise(std::vector<double> values) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  Summary summary;
  summary.n = values.size();
  summary.mean = mean(values);
  summary.sd = values.empty() ? summary.mean : standard_deviation(values);
  // Replicas that are all alike say nothing of how far others could be from them.
  constexpr double not_told = std::numeric_limits<double>::quiet_NaN();
  summary.mean_ci95 = summary.sd > 0 ? mean_interval(values) : Interval{not_told, not_told};
  constexpr std::array p = {0.05, 0.25, 0.5, 0.75, 0.95};
  auto const q = quantiles(std::move(values), p);
  summary.p05 = q[0];
  summary.p25 = q[1];
  summary.p50 = q[2];
  summary.p75 = q[3];
  summary.p95 = q[4];
  return summary;
}

Summary summarise(StudySample const& sample, std::string_view name) {
  return summarise(column(sample, name));
}

std::uint32_t medoid_replica(StudySample const& sample) {
  std::vector<double> sum(sample.size(), 0);
  for (auto const* figure : {"badput_s", "makespan_s", "succeeded"}) {
    auto const values = column(sample, figure);
    auto sorted = values;
    std::erase_if(sorted, [](double value) { return std::isnan(value); });
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      auto const [first, last] = std::equal_range(sorted.begin(), sorted.end(), values[i]);
      auto const below = static_cast<double>(first - sorted.begin());
      auto const upto = static_cast<double>(last - sorted.begin());
      double const rank = (below + upto) / 2 / static_cast<double>(sorted.size());
      sum[i] += std::abs(rank - 0.5);
    }
  }
  auto const least = std::min_element(sum.begin(), sum.end());
  return sample.replicas[static_cast<std::size_t>(least - sum.begin())];
}

std::vector<std::string> hypotheses(StudySample const& sample) {
  std::set<scenario::Hypothesis> found;
  for (double const number : column(sample, "hypothesis")) {
    if (!std::isnan(number)) found.insert(static_cast<scenario::Hypothesis>(number));
  }
  std::vector<std::string> names;
  for (auto const hypothesis : found) names.emplace_back(name(hypothesis));
  return names.size() < 2 ? std::vector<std::string>{} : names;
}

StudySample select_hypothesis(StudySample const& sample, std::string_view which) {
  std::size_t const at = column_index(sample, "hypothesis");
  StudySample part{sample.names, {}, {}};
  for (std::size_t i = 0; i < sample.size(); ++i) {
    double const number = sample.records[i][at];
    if (std::isnan(number)) continue;
    if (name(static_cast<scenario::Hypothesis>(number)) != which) continue;
    part.replicas.push_back(sample.replicas[i]);
    part.records.push_back(sample.records[i]);
  }
  return part;
}

double posterior_probability(StudySample const& sample, std::string_view hypothesis) {
  if (sample.size() == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(select_hypothesis(sample, hypothesis).size()) /
         static_cast<double>(sample.size());
}

}  // namespace gridcast::study
