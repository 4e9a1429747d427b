// The score as a sum of the effects of single settings, estimated from all points that were tried.
// Each campaign of any point is evidence for each of its settings, so the effect of a setting is
// known better than the score of a point with a few campaigns.
//
//   score of replica k at point p = m_k + sum over settings of the effect of p's value + noise
//
// m_k is what all points of the replica share. The effect of a choice is a number for each value.
// That of a number is a parabola in its share of the range, and a number of its own if it is off.
// The coefficients are a ridge regression (Hoerl & Kennard 1970), which is the posterior mean if
// effects are as large as the noise of a few campaigns. The sum holds near the points of the fit
// alone: two changes that prevent the same failure do not add up.
#pragma once

#include <vector>

#include "sim/optimize/knob.hpp"
#include "sim/optimize/scoreboard.hpp"

namespace gridcast::optimize {

class AdditiveModel {
 public:
  /// Of the better half of the points that the board has tried, near which the sum holds.
  AdditiveModel(SearchSpace const& space, Scoreboard const& board);
  /// `points` have scores.
  AdditiveModel(SearchSpace const& space, Scoreboard const& board,
                std::vector<Point> const& points);

  /// Relative to other points of the model.
  double predicted(Point const& point) const;
  /// The mean of the point's own campaigns and of the prediction, which counts as so many.
  double estimated(Point const& point) const;
  /// The gain of one point over another, from campaigns that the model has not seen and from its
  /// prediction, which counts as many as above.
  double estimated_gain(Point const& over, Point const& point,
                        std::vector<double> const& gains) const;

 private:
  /// Mean differences of a point's campaigns from what all points of a replica share.
  struct Seen {
    double mean = 0, campaigns = 0;
  };

  std::vector<double> features(Point const& point) const;
  Seen seen(Point const& point) const;
  void fit(std::vector<Point> const& points);
  void set_shared(std::vector<Point> const& points);

  SearchSpace const& space_;
  Scoreboard const& board_;
  std::vector<std::size_t> first_;    // feature of each setting; the last one ends the features
  std::vector<double> coefficients_;  // by feature; the first one is that of all points
  std::vector<double> shared_;        // by replica
};

}  // namespace gridcast::optimize
