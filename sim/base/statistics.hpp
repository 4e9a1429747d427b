// Summaries and intervals: means with t intervals, quantiles, paired differences, exact and
// Jeffreys intervals of counts, distances between samples. Sources: Law, Simulation Modeling and
// Analysis; Hyndman & Fan 1996 for quantiles; Clopper & Pearson 1934.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gridcast::inline base {

struct Interval {
  double low = 0;
  double high = 0;
  bool contains(double x) const { return low <= x && x <= high; }
};

double mean(std::span<double const> x);      // NaN for no values
double variance(std::span<double const> x);  // n - 1; 0 for fewer than 2
double standard_deviation(std::span<double const> x);
/// Type 7 of Hyndman & Fan (R's default); x in any order, p in [0, 1]; NaN for no values.
double quantile(std::vector<double> x, double p);
double median(std::vector<double> x);
/// Several quantiles with one sort.
std::vector<double> quantiles(std::vector<double> x, std::span<double const> p);
/// Mean +- t_{n-1,(1+level)/2} s/sqrt(n); a point for fewer than 2 values.
Interval mean_interval(std::span<double const> x, double level = 0.95);
/// Exact (Clopper-Pearson) interval of a proportion; [0, 1] for no trials.
Interval proportion_interval(std::size_t hits, std::size_t trials, double level = 0.95);
/// Jeffreys interval of a Poisson rate: Gamma(events + 1/2, 1/exposure). Zero events give an honest
/// upper limit and a positive median, not zero; no exposure gives [0, infinity].
Interval rate_interval(std::size_t events, double exposure, double level = 0.95);
/// Index of dispersion of counts: variance / mean (1 for Poisson); 0 when the mean is 0.
double dispersion_index(std::span<double const> counts);
/// Kolmogorov-Smirnov distance of two samples; NaN if one is empty.
double kolmogorov_distance(std::vector<double> a, std::vector<double> b);
/// Wasserstein-1 distance of two samples of any sizes; NaN if one is empty.
double wasserstein_distance(std::vector<double> a, std::vector<double> b);
/// Where x stands in the sample: (number below + half the ties) / n; NaN for n = 0.
double percentile_rank(double x, std::span<double const> sample);

}  // namespace gridcast::inline base
