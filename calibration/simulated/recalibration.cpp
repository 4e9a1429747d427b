#include "calibration/simulated/recalibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace gridcast::calibration {

namespace {

/// The scale on which errors of a parameter are alike wherever it lies.
enum class Scale { log, logit, log_above_one };

Scale scale_of(Estimate const& line, std::vector<double> const& draws) {
  if (line.name.ends_with("_mean_hits")) return Scale::log_above_one;
  bool const share =
      line.unit == "1" && std::all_of(draws.begin(), draws.end(), [](double x) { return x <= 1; });
  return share ? Scale::logit : Scale::log;
}

constexpr double nearly_nothing = 1e-15;

double on(Scale scale, double x) {
  switch (scale) {
    case Scale::logit:
      return std::log(std::max(x, nearly_nothing) / std::max(1 - x, nearly_nothing));
    case Scale::log_above_one:
      return std::log(std::max(x - 1, nearly_nothing));
    case Scale::log:
      break;
  }
  return std::log(std::max(x, nearly_nothing));
}

double back_from(Scale scale, double g) {
  switch (scale) {
    case Scale::logit:
      return 1 / (1 + std::exp(-g));
    case Scale::log_above_one:
      return 1 + std::exp(g);
    case Scale::log:
      break;
  }
  return std::exp(g);
}

double half_width(std::vector<double> const& values) {
  double const levels[] = {0.16, 0.84};
  auto const q = quantiles(values, levels);
  return (q[1] - q[0]) / 2;
}

bool told_by_table(Fit const& fit, Estimate const& line) {
  return line.events > 0 && std::none_of(fit.not_identified.begin(), fit.not_identified.end(),
                                         [&](NotIdentified const& gap) {
                                           return gap.what.find(line.name) != std::string::npos;
                                         });
}

std::vector<double> column(DrawTable const& draws, std::size_t c) {
  std::vector<double> values;
  for (auto const& row : draws.rows) values.push_back(row[c]);
  return values;
}

/// Estimates of simulated campaigns, one row each.
std::vector<std::vector<double>> estimates_again(std::size_t columns, FitAgain const& again,
                                                 std::size_t campaigns, PlayRound const& play) {
  auto const task = [&](std::uint32_t i) {
    study::Record record(columns, std::numeric_limits<double>::quiet_NaN());
    try {
      Fit const fit = again(i);
      for (std::size_t c = 0; c < columns; ++c) record[c] = fit.estimates[c].estimate;
    } catch (InputError const&) {
      // Nothing got done in that campaign, so that its table cannot be fitted.
    }
    return record;
  };
  return play({static_cast<std::uint32_t>(campaigns), 1, task,
               [columns](std::uint32_t) { return columns; }});
}

void correct(Estimate& line, std::vector<double>& draws, std::vector<double> const& estimates) {
  constexpr std::size_t enough = 20;
  Scale const scale = scale_of(line, draws);
  std::vector<double> errors, spread;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    double const truth = draws[i % draws.size()];
    if (std::isfinite(estimates[i])) errors.push_back(on(scale, estimates[i]) - on(scale, truth));
  }
  if (errors.size() < enough) return;
  for (double const x : draws) spread.push_back(on(scale, x));
  double const bias = median(errors);
  double const width = half_width(spread);
  double const wider = width > 0 ? std::max(1., half_width(errors) / width) : 1;
  double const center = on(scale, line.estimate);
  for (double& x : draws) x = back_from(scale, center - bias + wider * (on(scale, x) - center));
  line.estimate = median(draws);
  line.method += fmt::format("; by simulation moved by {:.2f} of its {}, {:.2f} times as wide",
                             -bias, scale == Scale::logit ? "logit" : "logarithm", wider);
  summarize(line, draws);
}

}  // namespace

Fit recalibrated(Fit fit, FitAgain const& again, std::size_t campaigns, PlayRound const& play) {
  auto const rows = estimates_again(fit.estimates.size(), again, campaigns, play);
  for (std::size_t c = 0; c < fit.estimates.size(); ++c) {
    if (!told_by_table(fit, fit.estimates[c])) continue;
    std::vector<double> draws = column(fit.draws, c);
    std::vector<double> estimates;
    for (auto const& row : rows) estimates.push_back(row[c]);
    correct(fit.estimates[c], draws, estimates);
    for (std::size_t i = 0; i < draws.size(); ++i) fit.draws.rows[i][c] = draws[i];
  }
  return fit;
}

}  // namespace gridcast::calibration
