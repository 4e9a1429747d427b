#include "calibration/held_out.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/draw_columns.hpp"

namespace gridcast::calibration {
namespace {

/// The history without events and transfers.
history::JobHistory names_of(history::JobHistory const& history) {
  history::JobHistory names;
  names.jobs = history.jobs;
  names.sites = history.sites;
  names.slots = history.slots;
  names.urls = history.urls;
  names.gpus = history.gpus;
  names.caches = history.caches;
  names.start_unix = history.start_unix;
  names.dated = history.dated;
  names.retries_opaque = history.retries_opaque;
  names.gpus_per_job = history.gpus_per_job;
  names.batch_system = history.batch_system;
  names.users = history.users;
  names.own_names = history.own_names;
  return names;
}

/// The columns NAME.SITE of each NAME, in the order in which they first come.
std::vector<std::pair<std::string, std::vector<std::size_t>>> site_columns(
    std::vector<std::string> const& columns) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> found;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    auto const point = columns[c].find('.');
    if (point == std::string::npos) continue;
    std::string const name = columns[c].substr(0, point);
    auto at = std::ranges::find_if(found, [&](auto const& each) { return each.first == name; });
    if (at == found.end()) at = found.insert(found.end(), {name, {}});
    at->second.push_back(c);
  }
  return found;
}

bool is_continuous(scenario::Allowed allowed) {
  using enum scenario::Allowed;
  return allowed == probability || allowed == positive || allowed == capacity ||
         allowed == not_negative;
}

/// Takes two uniform random numbers from the stream.
double unseen_value(std::vector<double> const& seen, scenario::Allowed allowed,
                    RandomStream& stream) {
  double const u = stream.uniform();
  auto const one = stream.below(static_cast<std::uint32_t>(seen.size()));
  bool const above_zero =
      std::ranges::all_of(seen, [](double x) { return x > 0 && std::isfinite(x); });
  if (!is_continuous(allowed) || !above_zero || seen.size() < 2) return seen[one];
  std::vector<double> const logarithms = each_of(seen, [](double x) { return std::log(x); });
  double const spread = standard_deviation(logarithms);
  if (spread == 0) return seen.front();
  auto const k = static_cast<double>(seen.size());
  boost::math::students_t const student(k - 1);
  double const value = std::exp(mean(logarithms) +
                                spread * std::sqrt(1 + 1 / k) * boost::math::quantile(student, u));
  return allowed == scenario::Allowed::probability ? std::min(value, 1.0) : value;
}

}  // namespace

history::JobHistory only_jobs(history::JobHistory const& history, std::vector<bool> const& chosen) {
  check(chosen.size() == history.jobs.size(), "each job is chosen or not");
  history::JobHistory part = names_of(history);
  part.jobs.clear();
  part.users.clear();
  std::vector<Id<history::Job>> new_ids(history.jobs.size());
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (!chosen[j]) continue;
    new_ids[j] = Id<history::Job>(static_cast<std::uint32_t>(part.jobs.size()));
    part.jobs.push_back(history.jobs[j]);
    if (!history.users.empty()) part.users.push_back(history.users[j]);
  }
  for (history::JobEvent event : history.events) {
    if (!chosen[event.job.index()]) continue;
    event.job = new_ids[event.job.index()];
    part.events.push_back(event);
  }
  for (history::UrlTransfer transfer : history.transfers) {
    if (!chosen[transfer.job.index()]) continue;
    transfer.job = new_ids[transfer.job.index()];
    part.transfers.push_back(std::move(transfer));
  }
  return part;
}

TwoParts parts_of(history::JobHistory const& history) {
  std::vector<std::pair<double, std::size_t>> begun;
  std::vector<bool> seen(history.jobs.size(), false);
  for (history::JobEvent const& event : history.events) {
    if (event.kind != history::EventKind::executing || seen[event.job.index()]) continue;
    seen[event.job.index()] = true;
    begun.emplace_back(event.at.value(), event.job.index());
  }
  std::ranges::stable_sort(begun);
  std::vector<bool> first(history.jobs.size(), false);
  for (std::size_t i = 0; i < (begun.size() + 1) / 2; ++i) first[begun[i].second] = true;
  std::vector<bool> later = first;
  later.flip();
  return {only_jobs(history, first), only_jobs(history, later)};
}

void add_unseen_site(DrawTable& draws, std::string const& site, RandomStream stream) {
  for (auto const& [name, places] : site_columns(draws.columns)) {
    auto const* const column = scenario::find_site_column(name);
    if (!column) continue;
    draws.columns.push_back(name + "." + site);
    for (std::vector<double>& row : draws.rows) {
      std::vector<double> const seen = each_of(places, [&](std::size_t const c) { return row[c]; });
      row.push_back(unseen_value(seen, column->allowed, stream));
    }
  }
}

}  // namespace gridcast::calibration
