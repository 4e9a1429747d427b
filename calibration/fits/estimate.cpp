#include "calibration/fits/estimate.hpp"

#include <utility>

#include "sim/base/error.hpp"

namespace gridcast::calibration {

void DrawTable::add(std::string column, std::vector<double> const& values) {
  if (columns.empty()) rows.resize(values.size());
  check(values.size() == rows.size(), "each column of draws has a value for each row");
  columns.push_back(std::move(column));
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row].push_back(values[row]);
}

std::vector<double> DrawTable::column(std::string const& name) const {
  std::vector<double> values;
  auto const c = position_of(columns, name);
  if (!c) return values;
  for (auto const& row : rows) values.push_back(row[*c]);
  return values;
}

RandomStream bootstrap_stream(RandomStreams const& streams, DrawsOf what, std::size_t site,
                              std::size_t draw) {
  check(site < 65536, "there are fewer than 65,536 sites");
  auto const entity = (static_cast<std::uint32_t>(what) << 16) | static_cast<std::uint32_t>(site);
  return streams.stream(Purpose::bootstrap, entity, static_cast<std::uint32_t>(draw));
}

// FNV-1a of the name (Fowler, Noll & Vo), in the half of the numbers that no DrawsOf reaches.
RandomStream bootstrap_stream(RandomStreams const& streams, std::string_view parameter) {
  std::uint32_t hash = 2166136261u;
  for (char const c : parameter) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return streams.stream(Purpose::bootstrap, hash | 1u << 31);
}

std::vector<double> stratified_draws(RandomStream stream, std::size_t n,
                                     std::function<double(double)> const& quantile) {
  std::vector<double> draws(n);
  for (std::size_t i = 0; i < n; ++i) {
    draws[i] = quantile((static_cast<double>(i) + stream.uniform()) / static_cast<double>(n));
  }
  for (std::size_t i = n; i > 1; --i) {
    std::swap(draws[i - 1], draws[stream.below(static_cast<std::uint32_t>(i))]);
  }
  return draws;
}

namespace {

// A draw without a limit has no value of the capacity: it has no such link.
std::vector<double> finite(std::vector<double> draws) {
  std::erase_if(draws, [](double draw) { return !std::isfinite(draw); });
  return draws;
}

}  // namespace

void summarize(Estimate& estimate, std::vector<double> const& draws) {
  double const levels[] = {0.05, 0.95};
  auto const some = finite(draws);
  if (some.empty()) {
    estimate.interval90 = {draws.front(), draws.front()};
    return;
  }
  std::vector<double> const q = quantiles(some, levels);
  estimate.standard_error = standard_deviation(some);
  estimate.interval90 = {q[0], q[1]};
}

void add_parameter(Fit& fit, Estimate documentation, std::vector<double> const& draws) {
  summarize(documentation, draws);
  fit.draws.add(documentation.name, draws);
  fit.estimates.push_back(std::move(documentation));
}

void add_posterior(Fit& fit, Estimate documentation, std::vector<double> const& draws) {
  auto const some = finite(draws);
  documentation.estimate = some.empty() ? draws.front() : median(some);
  add_parameter(fit, std::move(documentation), draws);
}

void add_beta(Fit& fit, Estimate documentation, double hits, double others, std::size_t draws,
              RandomStream stream) {
  add_posterior(fit, std::move(documentation), stratified_draws(stream, draws, [&](double u) {
                  return beta_quantile(u, hits + 0.5, others + 0.5);
                }));
}

void append(Fit& fit, Fit const& part) {
  auto const add_all = [](auto& to, auto const& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add_all(fit.estimates, part.estimates);
  add_all(fit.tests, part.tests);
  add_all(fit.not_identified, part.not_identified);
  add_all(fit.hypotheses, part.hypotheses);
  for (std::size_t column = 0; column < part.draws.columns.size(); ++column) {
    std::vector<double> values;
    for (std::vector<double> const& row : part.draws.rows) values.push_back(row[column]);
    fit.draws.add(part.draws.columns[column], values);
  }
}

}  // namespace gridcast::calibration
