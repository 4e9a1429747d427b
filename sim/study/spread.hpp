// How much of a figure's spread over campaigns is ignorance of the grid, which a longer record narrows,
// and how much luck, which nothing does: one-way analysis of variance over the rows of the draws that
// several replicas lived with, unbalanced (Searle, Casella & McCulloch, Variance Components, 3.6):
//   luck      = MSW = sum_d sum_i (x_di - x_d)^2 / (n - g)
//   ignorance = max(0, (MSB - MSW) / n0),   n0 = (n - sum_d n_d^2 / n) / (g - 1)
// of n replicas that lived with g rows, n_d with row d. More replicas narrow neither: they tell its
// quantiles more surely.
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

/// Of the values that are available; `draws`: the row each lived with. Nothing where too few rows come
/// twice to tell, or nothing varies.
std::optional<VarianceParts> variance_parts(std::vector<double> const& values,
                                            std::vector<double> const& draws);

}  // namespace gridcast::study
