// How much of a figure's spread over campaigns is ignorance of the grid, which a longer record narrows,
// and how much luck, which nothing does: one-way analysis of variance over the rows of the draws that
// several replicas lived with, unbalanced (Searle, Casella & McCulloch, Variance Components, 3.6):
//   luck      = MSW = sum_d sum_i (x_di - x_d)^2 / (n - g)
//   ignorance = max(0, (MSB - MSW) / n0),   n0 = (n - sum_d n_d^2 / n) / (g - 1)
// of n replicas that lived with g rows, n_d with row d. More replicas narrow neither: they tell its
// quantiles more surely.
//
// More logged jobs narrow ignorance. The variance of a posterior falls with the size m of its record as
// 1 / m (Bernstein and von Mises; van der Vaart 1998, ch. 10), luck stays, and so an interval is c times
// as wide with m + d jobs where
//   ignorance m / (m + d) + luck = c^2 (ignorance + luck)
// At best: what one campaign cannot tell of the next (A-CAMPAIGNS) more of its jobs do not tell either.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace gridcast::study {

struct VarianceParts {
  double ignorance = 0;  // variances
  double luck = 0;

  double ignorance_share() const { return ignorance / (ignorance + luck); }
};

/// Whether enough replicas lived with the row of another to tell luck: n - g of at least 20.
bool enough_second_looks(std::vector<double> const& draws);

/// Of the values that are available; `draws`: the row each lived with. Nothing where too few rows come
/// twice to tell, or nothing varies.
std::optional<VarianceParts> variance_parts(std::vector<double> const& values,
                                            std::vector<double> const& draws);

/// By how much an interval is to be narrower, for people: a fifth.
inline constexpr double worth_while = 0.2;

/// Jobs beyond those of the record after which an interval would be narrower by a fifth, at best;
/// nothing where luck alone is wider than that.
std::optional<std::size_t> more_jobs(VarianceParts const& parts, std::size_t recorded);

}  // namespace gridcast::study
