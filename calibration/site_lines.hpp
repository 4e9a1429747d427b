// Lines of the calibration file that several fits of dated histories write alike.
#pragma once

#include <string>
#include <vector>

#include "calibration/estimate.hpp"
#include "calibration/pooled_rate.hpp"
#include "calibration/pooled_share.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

Estimate site_line(std::string const& parameter, std::string const& site, std::string unit,
                   std::string method, std::size_t events);

/// A column a site, probabilities partially pooled. With no event at a site the interval is
/// one-sided, [0, 90 % quantile]: no lower limit can be told from zero.
void add_shares(Fit& fit, std::string const& parameter, std::string const& what,
                std::vector<std::string> const& sites, std::vector<SiteTrials> const& trials,
                std::size_t draws, RandomStream stream);
/// What was never seen at any site is none in the draws, with an upper limit.
/// The same for rates.
void add_rates(Fit& fit, std::string const& parameter, std::string const& what,
               std::vector<std::string> const& sites, std::vector<SiteCount> const& counts,
               std::size_t draws, RandomStream stream);

/// How far probability integral transforms are from uniform: Kolmogorov's distance, with the 5 %
/// critical value where two parameters were fitted (Lilliefors 1967: 0.886 / sqrt(n)).
std::string uniform_fit(std::vector<double> u);

}  // namespace gridcast::calibration
