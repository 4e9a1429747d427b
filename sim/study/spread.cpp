#include "sim/study/spread.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::study {

namespace {

constexpr double fewest_second_looks = 20;

}  // namespace

bool enough_second_looks(std::vector<double> const& draws) {
  std::set<double> different;
  double n = 0;
  for (double const draw : draws) {
    if (std::isnan(draw)) continue;
    different.insert(draw);
    ++n;
  }
  return n - static_cast<double>(different.size()) >= fewest_second_looks;
}

std::optional<VarianceParts> variance_parts(std::vector<double> const& values,
                                            std::vector<double> const& draws) {
  check(values.size() == draws.size(), "each value is of a draw");
  std::map<double, std::vector<double>> groups;
  double n = 0, squares_of_counts = 0;
  std::vector<double> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) || std::isnan(draws[i])) continue;
    groups[draws[i]].push_back(values[i]);
    all.push_back(values[i]);
    n += 1;
  }
  double const g = static_cast<double>(groups.size());
  if (n - g < fewest_second_looks || !(variance(all) > 0)) return std::nullopt;
  double const middle = mean(all);
  double within = 0, between = 0;
  for (auto const& [draw, group] : groups) {
    double const own = mean(group), count = static_cast<double>(group.size());
    squares_of_counts += count * count;
    between += count * (own - middle) * (own - middle);
    for (double const x : group) within += (x - own) * (x - own);
  }
  VarianceParts parts;
  parts.luck = within / (n - g);
  if (groups.size() < 2) return parts;
  double const usual_count = (n - squares_of_counts / n) / (g - 1);
  parts.ignorance = std::max(0.0, (between / (g - 1) - parts.luck) / usual_count);
  if (!(parts.ignorance + parts.luck > 0)) return std::nullopt;
  return parts;
}

std::optional<std::size_t> more_jobs(VarianceParts const& parts, std::size_t recorded) {
  double const wanted = (1 - worth_while) * (1 - worth_while) * (parts.ignorance + parts.luck);
  double const share = (wanted - parts.luck) / parts.ignorance;  // m / (m + d)
  if (!(share > 0)) return std::nullopt;
  return static_cast<std::size_t>(std::ceil(static_cast<double>(recorded) * (1 / share - 1)));
}

}  // namespace gridcast::study
