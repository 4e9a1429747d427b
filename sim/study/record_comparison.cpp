#include "sim/study/record_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/ledger/metrics.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

constexpr double execution_tolerance = 0.05;

PlacedFigure place(StudySample const& sample, std::string_view instrument,
                   ledger::MetricValue const& observed) {
  auto values = column(sample, std::string(instrument) + std::string(observed.name));
  std::erase_if(values, [](double x) { return std::isnan(x); });
  PlacedFigure placed;
  placed.name = observed.name;
  placed.observed = observed.value;
  placed.percentile_rank = percentile_rank(observed.value, values);
  placed.predicted = summarise(std::move(values));
  Interval const central90{placed.predicted.p05, placed.predicted.p95};
  placed.inside = central90.contains(observed.value);
  return placed;
}

/// Median over replicas of each site's median execution, by site.
std::map<std::string, double> predicted_executions(StudySample const& sample) {
  std::map<std::string, double> medians;
  for (auto const& name : sample.names) {
    if (!name.starts_with(execution_at)) continue;
    medians[name.substr(execution_at.size())] = summarise(sample, name).p50;
  }
  return medians;
}

std::vector<PlacedExecution> place_executions(StudySample const& sample,
                                              history::JobHistory const& history,
                                              ledger::Ledger const& ledger) {
  auto const predicted = predicted_executions(sample);
  std::vector<PlacedExecution> result;
  for (std::size_t j = 0; j < ledger.jobs.size(); ++j) {
    auto const& job = ledger.jobs[j];
    if (!job.succeeded || !job.final_execution || !job.last_site.valid()) continue;
    PlacedExecution placed;
    placed.job = to_text(history.jobs[j]);
    placed.site = history.sites[job.last_site.index()];
    placed.observed_s = job.final_execution->value();
    auto const found = predicted.find(placed.site);
    placed.predicted_s =
        found == predicted.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
    placed.within = std::abs(placed.observed_s - placed.predicted_s) <=
                    execution_tolerance * placed.predicted_s;
    result.push_back(std::move(placed));
  }
  return result;
}

}  // namespace

RecordComparison compare_with_record(StudySample const& sample,
                                     history::JobHistory const& observed) {
  ledger::Ledger const ledger = ledger::account(observed);
  RecordComparison against;
  against.through_table = !observed.dated;
  std::string_view const instrument = observed.dated ? std::string_view() : through_table;
  against.jobs = ledger.jobs.size();
  for (auto const& figure : ledger::metrics(ledger, ledger::ToldOf::replica)) {
    if (figure.available) against.figures.push_back(place(sample, instrument, figure));
  }
  against.executions = place_executions(sample, observed, ledger);
  for (auto const& [site, lines] : ledger.sites) {
    for (auto const& figure : ledger::metrics(lines, ledger.retries_opaque)) {
      if (figure.available) against.sites[site][std::string(figure.name)] = figure.value;
    }
  }
  return against;
}

}  // namespace gridcast::study
