#include "calibration/records/hangs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t enough = 5;
constexpr double deviations = 5;
constexpr double longer_by = 0.223;  // ln 1.25

double log_time(AttemptRecord const& attempt, AttemptRecords const& records) {
  std::size_t const job = attempt.job.index();
  double const scale = job < records.log_scales.size() ? records.log_scales[job] : 0;
  return std::log(std::max(attempt.tail.value(), 1.0)) - scale;
}

}  // namespace

void mark_hangs(AttemptRecords& records) {
  if (records.epochs > 1) return;
  std::map<std::size_t, std::vector<double>> ended;  // by site
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || !attempt.exit || crashed(attempt)) continue;
    if (records.differs(attempt)) continue;
    if (double const at = log_time(attempt, records); !std::isnan(at)) {
      ended[attempt.site.index()].push_back(at);
    }
  }
  std::map<std::size_t, double> beyond;
  for (auto const& [site, times] : ended) {
    if (times.size() < enough) continue;
    beyond[site] = mean(times) + std::max(longer_by, deviations * standard_deviation(times));
  }
  for (AttemptRecord& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || attempt.exit || attempt.unheard) continue;
    auto const there = beyond.find(attempt.site.index());
    if (there != beyond.end()) attempt.hung = log_time(attempt, records) > there->second;
  }
}

}  // namespace gridcast::calibration
