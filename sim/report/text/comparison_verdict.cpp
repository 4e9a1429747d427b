#include "sim/report/text/comparison_verdict.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "sim/report/text/figure_words.hpp"

namespace gridcast::report {
namespace {

// The one figure that cannot be won by giving up early: holding a job costs little and yields
// nothing.
constexpr study::ComparedFigure deciding = {"gpu_hours_per_success", false};

/// A strategy that has fewer successes than this share of the baseline's has bought its figures
/// dear.
constexpr double few_successes = 0.9;

/// The strategies that are best equally often, and how often that is.
struct Lead {
  std::vector<std::string> strategies;
  double probability = 0;
};

Lead leader(study::Comparison const& comparison, study::ComparedFigure const& figure) {
  constexpr double alike = 1e-9;
  auto const shares = study::probability_best(comparison, figure);
  Lead lead;
  for (double const share : shares) lead.probability = std::max(lead.probability, share);
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (shares[s] >= lead.probability - alike) lead.strategies.push_back(comparison.strategies[s]);
  }
  return lead;
}

/// "cool-down, best in 63 %".
std::string in_words(Lead const& lead) {
  constexpr std::size_t most_named = 3;
  auto const& names = lead.strategies;
  std::string const share = share_text(lead.probability);
  if (names.size() == 1) return fmt::format("{}, best in {}", names.front(), share);
  if (names.size() <= most_named) {
    return fmt::format("{} alike, each best in {}", fmt::join(names, ", "), share);
  }
  return fmt::format("{} and {} others alike, each best in {}", names.front(), names.size() - 1,
                     share);
}

std::string under_each(study::Comparison const& comparison, Lead const& overall) {
  std::string text;
  bool changes = false;
  auto const explained = study::hypotheses(comparison.samples[comparison.baseline]);
  if (explained.empty()) return "";
  for (auto const& each : explained) {
    auto const lead = leader(study::select_hypothesis(comparison, each), deciding);
    if (lead.strategies.empty()) continue;
    auto const& names = lead.strategies;
    bool const same =
        std::find(names.begin(), names.end(), overall.strategies.front()) != names.end();
    changes = changes || !same;
    text += fmt::format(
        "  {:<9} ({} of the replicas): {}\n", hypothesis_title(each),
        share_text(study::posterior_probability(comparison.samples[comparison.baseline], each)),
        in_words(lead));
  }
  return (changes ? "The answer depends on what makes transfers stall:\n"
                  : "It is the same whatever makes transfers stall:\n") +
         text;
}

double median_successes(study::Comparison const& comparison, std::size_t strategy) {
  return study::summarise(comparison.samples[strategy], "succeeded").p50;
}

/// Says so where the strategy with the least badput finishes few jobs.
std::string hollow_victory(study::Comparison const& comparison) {
  std::size_t least = 0;
  auto const badput = [&](std::size_t s) {
    return study::summarise(comparison.samples[s], "badput_s").p50;
  };
  for (std::size_t s = 1; s < comparison.samples.size(); ++s) {
    if (badput(s) < badput(least)) least = s;
  }
  double const of_baseline = median_successes(comparison, comparison.baseline);
  if (median_successes(comparison, least) >= few_successes * of_baseline) return "";
  return fmt::format(
      "{} has the least badput only because few of its jobs succeed:\n{} in the median, {} under "
      "{}.\n",
      comparison.strategies[least], number_text(median_successes(comparison, least), Unit::jobs),
      number_text(of_baseline, Unit::jobs), comparison.strategies[comparison.baseline]);
}

}  // namespace

std::string comparison_verdict(study::Comparison const& comparison) {
  auto const lead = leader(comparison, deciding);
  if (lead.strategies.empty()) return "No strategy brings a job to its end.\n";
  return fmt::format("Fewest GPU hours for each success: {} of the replicas.\n", in_words(lead)) +
         under_each(comparison, lead) +
         fmt::format("Most successes: {}.\n", in_words(leader(comparison, {"succeeded", true}))) +
         hollow_victory(comparison);
}

}  // namespace gridcast::report
