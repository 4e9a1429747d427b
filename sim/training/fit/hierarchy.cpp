#include "sim/training/fit/hierarchy.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::training {
namespace {

/// A value as far as it is known.
struct Estimate {
  double precision = 0;
  double mean = 0;
};

class Fitter {
 public:
  Fitter(Hierarchy const& hierarchy, std::size_t points, RandomStreams const& streams)
      : model_(hierarchy),
        points_(points),
        streams_(streams),
        evidences_(hierarchy.families.size(), std::vector<Estimate>(hierarchy.priors.size())),
        weights_(hierarchy.families.size(), even_weights()) {}

  std::vector<HierarchyFit> run() {
    constexpr int rounds = 3;
    auto const teachers =
        std::count_if(model_.families.begin(), model_.families.end(),
                      [](HierarchyFamily const& family) { return family.teaches; });
    for (int i = 0; teachers > 1 && i < rounds; ++i) learn();
    std::vector<HierarchyFit> fits;
    for (std::size_t f = 0; f < model_.families.size(); ++f) {
      fits.push_back({posteriors(f, priors_of(f), final_points(f)), {}});
      fits.back().weights = weights_of(fits.back().posteriors, candidates_before(f));
    }
    return fits;
  }

 private:
  /// Share of the variance between families that is between those of one group.
  static constexpr double of_group = 0.25;

  /// What several parameters share out among them, as a time a step and a share of it do, is a long
  /// ridge that few points meet. Many rows leave less of it, and take their time.
  std::size_t points_of_last_round(std::size_t family, std::size_t times) const {
    constexpr std::size_t few_rows = 12;
    return model_.families[family].rows <= few_rows ? times * points_ : 0;
  }
  std::size_t final_points(std::size_t family) const {
    constexpr std::size_t few = 4, times = 8;
    bool const many = model_.families[family].teaches || model_.families.size() <= few;
    return many ? points_of_last_round(family, times) : 0;
  }

  std::vector<double> even_weights() const {
    double const all = static_cast<double>(model_.candidates.size());
    return std::vector<double>(model_.candidates.size(), 1 / all);
  }

  /// Adds what the other families say, of the same group or of others, that lie around the value by
  /// that variance.
  void learn_from(std::size_t family, std::size_t parameter, bool same_group, double variance,
                  Estimate& value) const {
    for (std::size_t other = 0; other < model_.families.size(); ++other) {
      bool const same = model_.families[other].group == model_.families[family].group;
      Estimate const& evidence = evidences_[other][parameter];
      if (other == family || same != same_group || evidence.precision <= 0) continue;
      double const precision = 1 / (variance + 1 / evidence.precision);
      value.mean += precision / (value.precision + precision) * (evidence.mean - value.mean);
      value.precision += precision;
    }
  }

  std::vector<NormalPrior> priors_of(std::size_t family) const {
    std::vector<NormalPrior> priors;
    for (std::size_t p = 0; p < model_.priors.size(); ++p) {
      WidePrior const& wide = model_.priors[p];
      double const variance = wide.between * wide.between;
      Estimate common{1 / (wide.common * wide.common), wide.median};
      learn_from(family, p, false, variance, common);
      Estimate of_its{1 / (1 / common.precision + (1 - of_group) * variance), common.mean};
      learn_from(family, p, true, of_group * variance, of_its);
      priors.push_back({of_its.mean, std::sqrt(1 / of_its.precision + of_group * variance)});
      auto const& own = model_.families[family].own;
      if (p < own.size() && own[p]) priors.back() = *own[p];
    }
    return priors;
  }

  std::vector<double> candidates_before(std::size_t family) const {
    std::vector<double> prior = even_weights();
    for (std::size_t other = 0; other < model_.families.size(); ++other) {
      if (other == family || !model_.families[other].teaches) continue;
      for (std::size_t k = 0; k < prior.size(); ++k) prior[k] += weights_[other][k];
    }
    return prior;
  }

  static std::vector<double> weights_of(std::vector<Posterior> const& posteriors,
                                        std::vector<double> const& prior) {
    double high = posteriors.front().log_evidence;
    for (auto const& posterior : posteriors) high = std::max(high, posterior.log_evidence);
    std::vector<double> weights;
    double sum = 0;
    for (std::size_t k = 0; k < posteriors.size(); ++k) {
      weights.push_back(prior[k] * std::exp(posteriors[k].log_evidence - high));
      sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    return weights;
  }

  std::vector<Posterior> posteriors(std::size_t family, std::vector<NormalPrior> const& priors,
                                    std::size_t last) const {
    std::vector<Posterior> all;
    for (std::size_t k = 0; k < model_.candidates.size(); ++k) {
      std::vector<NormalPrior> own;
      for (std::size_t const p : model_.candidates[k].free) own.push_back(priors[p]);
      all.push_back(sample_posterior(
          own,
          [this, family, k](std::vector<double> const& point) {
            return model_.log_likelihood(family, k, point);
          },
          points_,
          streams_.stream(Purpose::bootstrap, static_cast<std::uint32_t>(family),
                          static_cast<std::uint32_t>(k)),
          last));
    }
    return all;
  }

  /// Each family that teaches, under what the others said before.
  void learn() {
    auto evidences = evidences_;
    auto weights = weights_;
    for (std::size_t f = 0; f < model_.families.size(); ++f) {
      if (!model_.families[f].teaches) continue;
      auto const priors = priors_of(f);
      constexpr std::size_t times = 4;
      auto const all = posteriors(f, priors, points_of_last_round(f, times));
      weights[f] = weights_of(all, candidates_before(f));
      for (std::size_t p = 0; p < priors.size(); ++p) {
        evidences[f][p] = evidence_of(p, all, weights[f], priors[p]);
      }
    }
    evidences_ = std::move(evidences);
    weights_ = std::move(weights);
  }

  /// What is left of a parameter's posterior when the prior is taken out of it.
  Estimate evidence_of(std::size_t parameter, std::vector<Posterior> const& all,
                       std::vector<double> const& weights, NormalPrior const& prior) const {
    double weight = 0, sum = 0, squares = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      auto const& free = model_.candidates[k].free;
      auto const at = std::find(free.begin(), free.end(), parameter);
      if (at == free.end()) continue;
      auto const place = static_cast<std::size_t>(at - free.begin());
      double const mean = all[k].mean(place);
      weight += weights[k];
      sum += weights[k] * mean;
      squares += weights[k] * (all[k].variance(place) + mean * mean);
    }
    if (weight <= 0) return {};
    double const mean = sum / weight;
    double const before = 1 / (prior.sd * prior.sd);
    double const after = 1 / std::max(1e-6, squares / weight - mean * mean);
    constexpr double of_sampler = 0.1;  // a smaller gain may be its noise
    if (after < (1 + of_sampler) * before) return {};
    double const precision = after - before;
    return {precision * weight, (after * mean - before * prior.mean) / precision};
  }

  Hierarchy const& model_;
  std::size_t points_;
  RandomStreams const& streams_;
  std::vector<std::vector<Estimate>> evidences_;  // by family and parameter
  std::vector<std::vector<double>> weights_;      // by family and candidate
};

}  // namespace

std::vector<HierarchyFit> fit_hierarchy(Hierarchy const& hierarchy, std::size_t points,
                                        RandomStreams const& streams) {
  return Fitter(hierarchy, points, streams).run();
}

std::vector<ModelDraw> averaged(HierarchyFit const& fit, std::size_t count) {
  std::vector<double> weights;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t k = 0; k < fit.posteriors.size(); ++k) {
    for (std::size_t i = 0; i < fit.posteriors[k].draws.size(); ++i) {
      weights.push_back(fit.weights[k] * fit.posteriors[k].weights[i]);
      places.emplace_back(k, i);
    }
  }
  std::vector<ModelDraw> draws;
  for (std::size_t const at : resample(weights, count, 0.5)) {
    auto const [candidate, i] = places[at];
    draws.push_back({candidate, fit.posteriors[candidate].draws[i]});
  }
  return draws;
}

}  // namespace gridcast::training
