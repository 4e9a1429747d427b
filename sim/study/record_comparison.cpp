#include "sim/study/record_comparison.hpp"

#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "sim/base/statistics.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

constexpr double execution_tolerance = 0.05;

PlacedFigure place(StudySample const& sample, std::string_view instrument,
                   ledger::MetricValue const& observed) {
  auto const name = std::string(instrument) + std::string(observed.name);
  auto const values = without_nan(column(sample, name));
  PlacedFigure placed;
  placed.name = observed.name;
  placed.observed = observed.value;
  placed.percentile_rank = percentile_rank(observed.value, values);
  placed.predicted = summarise(sample, name);
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
    if (!job.succeeded() || !job.final_execution || !job.last_site.valid()) continue;
    PlacedExecution placed;
    placed.job = name_of_job(history, Id<history::Job>(j));
    placed.site = history.sites[job.last_site.index()];
    placed.observed_s = job.final_execution->value();
    auto const found = predicted.find(placed.site);
    placed.predicted_s = found == predicted.end() ? nan : found->second;
    placed.within = std::abs(placed.observed_s - placed.predicted_s) <=
                    execution_tolerance * placed.predicted_s;
    result.push_back(std::move(placed));
  }
  return result;
}

RecordComparison compare(StudySample const& sample, history::JobHistory const& observed,
                         ledger::Ledger const& ledger, bool by_rows) {
  RecordComparison against;
  against.through_table = by_rows;
  std::string_view const instrument = by_rows ? through_table : std::string_view();
  against.jobs = ledger.jobs.size();
  for (auto const& figure : ledger::metrics(ledger, ledger::MetricScope::replica)) {
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

}  // namespace

RecordComparison compare_with_record(StudySample const& sample,
                                     history::JobHistory const& observed) {
  return compare(sample, observed, ledger::account(observed), !observed.dated);
}

RecordComparison compare_with_replayed(StudySample const& sample,
                                       history::JobHistory const& observed) {
  ledger::Ledger ledger = ledger::account(observed);
  ledger.makespan.reset();
  ledger.client_stalls.reset();
  return compare(sample, observed, ledger, observed.retries_opaque);
}

}  // namespace gridcast::study
