#include "sim/study/value_of_parameters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace gridcast::study {
namespace {

constexpr std::size_t folds = 20;
constexpr std::size_t fewest_draws = 2 * folds, in_a_bin = 40, most_bins = 10;
constexpr std::size_t most_replicas = 10000, most_candidates = 30;
constexpr double least_share = 0.001;

/// Scores of the candidates in the replicas that have all of them.
struct Scores {
  std::vector<std::size_t> candidates;      // indices of strategies
  std::vector<std::size_t> draw;            // by replica: the row of the calibration
  std::vector<double> hypothesis;           // by replica; NaN without rivals
  std::vector<std::vector<double>> scores;  // [replica][candidate]
};

/// Sums of the scores in one bin of a parameter, by fold and candidate.
struct Bin {
  double upto = infinity;
  std::string name = {};
  std::array<std::vector<double>, folds> sums;

  explicit Bin(std::size_t candidates) { sums.fill(std::vector<double>(candidates, 0)); }

  void add(Scores const& all, std::size_t replica) {
    auto& sum = sums[all.draw[replica] % folds];
    for (std::size_t a = 0; a < sum.size(); ++a) sum[a] += all.scores[replica][a];
  }
};

std::vector<std::size_t> rated_candidates(Comparison const& complete, Choice const& choice) {
  auto candidates = equal_before(choice, choice.decided_by);
  auto const standing = standings(complete);
  std::erase_if(candidates, [&](std::size_t s) {
    bool const stopped = !complete.stopped.empty() && complete.stopped[s];
    return stopped || standing[s].rank != Rank::ranked;
  });
  if (candidates.size() > most_candidates) candidates.resize(most_candidates);
  return candidates;
}

Scores scores_of(Comparison const& complete, Choice const& choice) {
  Scores result{rated_candidates(complete, choice), {}, {}, {}};
  std::vector<std::vector<double>> by_candidate;
  for (std::size_t const s : result.candidates) {
    by_candidate.push_back(goal_scores(complete, s, choice.order[choice.decided_by]));
  }
  auto const draws = column(complete.samples[complete.baseline], "draw");
  auto const hypothesis = column(complete.samples[complete.baseline], "hypothesis");
  for (std::size_t i = 0; i < std::min(draws.size(), most_replicas); ++i) {
    std::vector<double> row = each_of(by_candidate, [&](auto const& scores) { return scores[i]; });
    bool const known = !std::isnan(draws[i]) && draws[i] < count(complete.parameters->rows.size());
    if (!known || !std::ranges::all_of(row, [](double x) { return std::isfinite(x); })) continue;
    result.draw.push_back(static_cast<std::size_t>(draws[i]));
    result.hypothesis.push_back(hypothesis[i]);
    result.scores.push_back(std::move(row));
  }
  return result;
}

std::size_t highest(std::vector<double> const& sums) {
  return static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
}

/// The sums over all folds, without one of them.
std::vector<double> sums_without(Bin const& bin, std::size_t fold) {
  std::vector<double> sums(bin.sums.front().size(), 0);
  for (std::size_t f = 0; f < folds; ++f) {
    for (std::size_t a = 0; f != fold && a < sums.size(); ++a) sums[a] += bin.sums[f][a];
  }
  return sums;
}

/// The bins of a parameter; one bin for a parameter that does not vary.
std::vector<Bin> bins_of(Scores const& all, std::vector<double> const& values) {
  std::size_t const n = values.size();
  std::size_t const wanted = std::clamp<std::size_t>(n / in_a_bin, 2, most_bins);
  auto sorted = values;
  std::ranges::sort(sorted);
  std::set<double> ends;
  for (std::size_t k = 1; k < wanted; ++k) ends.insert(sorted[k * n / wanted - 1]);
  ends.erase(sorted.back());
  std::vector<Bin> bins;
  for (double const end : ends) bins.emplace_back(all.candidates.size()).upto = end;
  bins.emplace_back(all.candidates.size());
  for (std::size_t i = 0; i < n; ++i) {
    auto const index = std::distance(ends.begin(), ends.lower_bound(values[i]));
    bins[static_cast<std::size_t>(index)].add(all, i);
  }
  return bins;
}

/// A bin for each name that `name_of` gives the explanations; none without rivals.
std::vector<Bin> bins_of(Scores const& all, std::string_view (*name_of)(scenario::Hypothesis)) {
  std::vector<Bin> bins;
  for (std::size_t i = 0; i < all.hypothesis.size(); ++i) {
    if (std::isnan(all.hypothesis[i])) return {};
    auto const name = name_of(static_cast<scenario::Hypothesis>(all.hypothesis[i]));
    auto bin = std::ranges::find_if(bins, [&](Bin const& each) { return each.name == name; });
    if (bin == bins.end()) {
      bin = bins.emplace(bins.end(), all.candidates.size());
      bin->name = name;
    }
    bin->add(all, i);
  }
  return bins;
}

std::string_view seen_in_log(scenario::Hypothesis hypothesis) {
  bool const dead =
      hypothesis == scenario::Hypothesis::overload || hypothesis == scenario::Hypothesis::bad_path;
  return dead ? "no byte came" : "bytes came";
}

std::vector<BestInRange> ranges_of(Scores const& all, std::vector<Bin> const& bins) {
  std::vector<BestInRange> ranges;
  for (Bin const& bin : bins) {
    std::size_t const best = all.candidates[highest(sums_without(bin, folds))];
    bool const goes_on = !ranges.empty() && ranges.back().choice == best && bin.name.empty();
    if (!goes_on) ranges.push_back({bin.upto, best, bin.name});
    ranges.back().upto = bin.upto;
  }
  return ranges;
}

/// The gain of each fold over its part of the best score of all replicas.
std::vector<double> gains_of(std::vector<Bin> const& bins) {
  Bin whole(bins.front().sums.front().size());
  for (Bin const& bin : bins) {
    for (std::size_t f = 0; f < folds; ++f) {
      for (std::size_t a = 0; a < whole.sums[f].size(); ++a) whole.sums[f][a] += bin.sums[f][a];
    }
  }
  auto const total = sums_without(whole, folds);
  std::size_t const now = highest(total);
  std::vector<double> gains;
  for (std::size_t f = 0; f < folds; ++f) {
    double gain = -whole.sums[f][now];
    for (Bin const& bin : bins) gain += bin.sums[f][highest(sums_without(bin, f))];
    gains.push_back(gain / (total[now] / count(folds)));
  }
  return gains;
}

}  // namespace

std::vector<ParameterValue> parameter_values(Comparison const& complete, Choice const& choice) {
  if (!complete.parameters || choice.state == ChoiceState::no_success) return {};
  auto const all = scores_of(complete, choice);
  std::set<std::size_t> const draws(all.draw.begin(), all.draw.end());
  if (all.candidates.size() < 2 || draws.size() < fewest_draws) return {};
  auto const& parameters = *complete.parameters;
  constexpr std::size_t questions = 2;
  double const level = 1 - 0.05 / count(parameters.columns.size() + questions);
  std::vector<ParameterValue> found;
  auto const add = [&](std::string const& name, std::string const& meaning,
                       std::vector<Bin> const& bins) {
    auto ranges = ranges_of(all, bins);
    bool const differ = std::ranges::any_of(
        ranges, [&](BestInRange const& range) { return range.choice != ranges.front().choice; });
    if (!differ) return;
    auto const gains = gains_of(bins);
    if (!(mean_interval(gains, level).low > 0) || mean(gains) < least_share) return;
    found.push_back({name, meaning, mean(gains), mean_interval(gains), std::move(ranges)});
  };
  add("explanation", "why transfers stall", bins_of(all, scenario::name));
  add("starter_log", "one starter's log of a transfer that was ended", bins_of(all, seen_in_log));
  for (std::size_t p = 0; p < parameters.columns.size(); ++p) {
    std::vector<double> values;
    for (std::size_t const row : all.draw) values.push_back(parameters.rows[row][p]);
    add(parameters.columns[p], parameters.meanings[p], bins_of(all, values));
  }
  std::ranges::stable_sort(found, [](auto const& a, auto const& b) { return a.share > b.share; });
  return found;
}

}  // namespace gridcast::study
