#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

using scenario::RecordGap;
using study::Rank;

constexpr Unit cost_unit = Unit::ratio;

std::string const& name_of(Result const& result, std::size_t strategy) {
  return result.strategies[strategy].name;
}

bool lacks_transfers(ResultStrategy const& strategy) {
  return strategy.beyond_record == RecordGap::transfers;
}

/// A caution about a recommended strategy whose input comes in a way that the record does not
/// contain.
std::string caution(Result const& result, std::size_t named) {
  auto const& strategy = result.strategies[named];
  if (strategy.beyond_record == RecordGap::none || lacks_transfers(strategy)) return "";
  return fmt::format(" But the record has no input that came as {}'s does: nothing speaks for it.",
                     strategy.name);
}

/// A caveat on a strategy whose input comes in a way that the record lacks; empty for others.
std::string beyond_record_sentence(ResultStrategy const& strategy) {
  if (strategy.beyond_record == RecordGap::http) {
    return fmt::format(
        "{}: the record has no input that came from the origin by HTTP. It is taken to meet the "
        "links and outages that the record's transfers met, and to be aborted besides with a "
        "probability that is drawn from its prior: its figures are no evidence for it.",
        strategy.name);
  }
  if (strategy.beyond_record == RecordGap::access_point) {
    return fmt::format(
        "{}: the record has no input that the access point itself sent. It is taken to meet the "
        "links and outages that the record's transfers met and to fail for no reason of its own, "
        "an assumption: its figures are no evidence for it.",
        strategy.name);
  }
  return "";
}

std::string headline(Result const& result) {
  std::string const text = choice_sentence(result);
  if (!result.choice || result.choice->state == study::ChoiceState::no_success) return text;
  return text + caution(result, result.choice->best);
}

/// The title of a goal's column.
std::string goal_title(study::Choice const& choice, std::size_t goal, TimeWords const& words) {
  switch (choice.order[goal]) {
    case scenario::GoalKind::successes:
      return fmt::format("of {}", choice.wanted);
    case scenario::GoalKind::deadline:
      return "by " + to_text(choice.preferences.goal.deadline);
    case scenario::GoalKind::makespan:
      return fmt::format("{} to {}", words.unit(), choice.wanted);
    case scenario::GoalKind::gpu_hours:
      return "GPU h/success";
    case scenario::GoalKind::cost:
      return choice.currency.empty() ? "GPU h/success" : choice.currency + "/success";
  }
  return "";
}

std::string goal_cell(scenario::GoalKind goal, double figure, TimeWords const& words) {
  if (study::more_is_better(goal)) return share_text(figure);
  if (goal == scenario::GoalKind::makespan) return words.number(figure);
  return number_text(figure, cost_unit);
}

/// The figures of each goal in its order, and the evidence for each strategy.
std::string choice_table(Result const& result, Screen const& screen) {
  auto const& choice = *result.choice;
  auto const words = time_words(choice);
  std::vector<TextColumn> columns = {{"strategy, the best first"}};
  for (std::size_t g = 0; g < choice.order.size(); ++g) {
    columns.push_back({goal_title(choice, g, words), Align::right});
  }
  columns.push_back({"draws", Align::right});
  columns.push_back({"loss", Align::right});
  TextTable table(std::move(columns));
  for (std::size_t const s : study::ranking(choice)) {
    auto const& rated = choice.strategies[s];
    std::vector<std::string> row = {name_of(result, s)};
    for (std::size_t g = 0; g < choice.order.size(); ++g) {
      row.emplace_back(goal_cell(choice.order[g], rated.figures[g], words));
    }
    row.emplace_back(share_text(rated.best_in_draws));
    row.emplace_back(std::isnan(rated.loss) ? "-"
                                            : goal_cell(choice.order.front(), rated.loss, words));
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

std::string choice_legend(Result const& result) {
  auto const& choice = *result.choice;
  return fmt::format(
      "The goals are in their order; each one orders the strategies that are within {:.2g} % of the "
      "best of the goal before. A makespan is the time until {} jobs have succeeded; 'never' if "
      "most campaigns do not reach that. Draws: the share of the {} draws of the calibration in which "
      "the strategy is best, averaged over the campaigns of a draw. Loss: of the first goal, against "
      "the best strategy of each draw.\n",
      100 * choice.preferences.margin, choice.wanted, choice.draws);
}

/// The figure that a parameter's value is a share of.
std::string_view score_words(study::Choice const& choice) {
  return words_of(choice.order[choice.decided_by], !choice.currency.empty()).score;
}

std::string deciding_parameters(Result const& result) {
  if (result.parameter_values.empty()) return "";
  constexpr std::size_t most = 5;
  std::string text = value_of_parameters_sentence(result) + "\n";
  auto const& all = result.parameter_values;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    text += fmt::format("  {} {}: {}\n", gain_in_percent(all[i].share), all[i].name,
                        best_by_value(result, all[i]));
  }
  if (all.size() > most) text += fmt::format("  and {} more (--json)\n", all.size() - most);
  return text;
}

}  // namespace

std::string gain_in_percent(double share) { return fmt::format("{:.2g} %", 100 * share); }

std::string value_of_parameters_sentence(Result const& result) {
  return fmt::format(
      "Parameters that would change the choice, and how many more {} the best choice would bring "
      "if the parameter were known. The values do not add up.",
      score_words(*result.choice));
}

std::string best_by_value(Result const& result, study::ParameterValue const& value) {
  std::vector<std::string> words;
  for (auto const& range : value.ranges) {
    auto const& name = name_of(result, range.choice);
    words.push_back(!range.name.empty()
                        ? fmt::format("{} if {}", name, hypothesis_title(range.name))
                    : std::isinf(range.upto) ? name + " above"
                                             : fmt::format("{} up to {:.3g}", name, range.upto));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string extrapolation_sentence(Result const& result) {
  if (result.extrapolation.empty()) return "";
  auto const* const base = baseline(result);
  study::Summary const job =
      base != nullptr ? summary(base->metrics, "match_to_done_median_s") : study::Summary{};
  constexpr std::size_t test_jobs = 5;  // their mean halves a spread of a factor of two
  std::size_t const all = jobs(result);
  return fmt::format(
      "Beyond the record: {}. Test: run {} of these jobs to their end{}, and forecast again with "
      "their log.",
      result.extrapolation, all > 0 ? std::min(test_jobs, all) : test_jobs,
      job.n > 0 && job.p50 > 0
          ? fmt::format(" (about {} each, with transfers and retries)", to_text(Seconds(job.p50)))
          : "");
}

std::vector<std::string> standing_sentences(Result const& result) {
  std::vector<std::string> text;
  if (!result.extrapolation.empty()) text.push_back(extrapolation_sentence(result));
  if (result.choice && !prices_sentence(*result.choice).empty()) {
    text.push_back(prices_sentence(*result.choice));
  }
  for (auto const& strategy : result.strategies) {
    bool const ranked = strategy.rank == Rank::ranked;
    if (!ranked) {
      text.push_back(
          fmt::format("Not ranked: {}, under which as many jobs succeed as under {} (90 % at "
                      "least) in {} of the "
                      "campaigns{}.",
                      strategy.name, result.baseline, chance_text(strategy.enough_succeed),
                      strategy.why_not_ranked.empty() ? "" : "; " + strategy.why_not_ranked));
    }
    if (strategy.never_ran.share >= 0.005) {  // what is less reads "in 0 % of the campaigns"
      text.push_back(fmt::format("{}: no job ever ran in {} of the campaigns ({}).", strategy.name,
                                 chance_text(strategy.never_ran), strategy.why_never_ran));
    }
    text.push_back(beyond_record_sentence(strategy));
    if (text.back().empty()) text.pop_back();
  }
  for (auto& sentence : record_sentences(result)) text.push_back(std::move(sentence));
  return text;
}

std::vector<std::string> record_sentences(Result const& result) {
  std::vector<std::string> text;
  if (std::any_of(result.strategies.begin(), result.strategies.end(), lacks_transfers)) {
    text.emplace_back(
        "The record has no input transfers: their time is in that from the claim to the "
        "execution, under every strategy. A strategy's changes of them (protocol, caches, "
        "timeouts, resume) show in no figure.");
  }
  if (!result.no_stalls.empty()) {
    text.push_back(fmt::format(
        "The record: {}. The saving by a timer, another cache or a client that tries on for "
        "stalls is drawn from the prior: differences in it are the prior's, not the "
        "record's.",
        result.no_stalls));
  }
  return text;
}

std::string verdict_text(Result const& result, Screen const& screen) {
  if (!result.choice) return "";
  std::string text = fitted(headline(result) + "\n", screen) + "\n";
  for (auto const& strategy : result.strategies) {
    auto const about = about_sentence(strategy);
    if (!about.empty()) text += fitted(about + "\n", screen);
  }
  if (result.choice && result.choice->state != study::ChoiceState::no_success) {
    text += choice_table(result, screen) + fitted(choice_legend(result), screen) + "\n";
  }
  auto const parameters = deciding_parameters(result);
  if (!parameters.empty()) text += "\n" + fitted(parameters, screen);
  for (auto const& sentence : standing_sentences(result)) text += fitted(sentence + "\n", screen);
  return text;
}

std::vector<std::string> verdict_sentences(Result const& result) {
  if (!result.choice) return {};
  std::vector<std::string> text = {headline(result)};
  bool const open = result.choice->state == study::ChoiceState::undecided;
  if (open && !result.parameter_values.empty()) {
    auto const& next = result.parameter_values.front();
    text.push_back(
        fmt::format("Most useful to know: {} ({}); the best choice would then bring {} "
                    "more {}.",
                    next.meaning, best_by_value(result, next), gain_in_percent(next.share),
                    score_words(*result.choice)));
  }
  return text;
}

std::string spread_sentence(Result const& result, ResultStrategy const& strategy) {
  for (auto const* figure : {"makespan_s", "badput_s"}) {
    auto const found = strategy.spread.find(figure);
    if (found == strategy.spread.end()) continue;
    double const share = found->second.ignorance_share();
    std::string const text = fmt::format(
        "{} of the variance of the {} comes from facts that the record leaves open, {} from random "
        "numbers. More simulated campaigns do not narrow the range",
        share_text(share), figure == std::string_view("badput_s") ? "lost slot time" : "makespan",
        share_text(1 - share));
    if (!result.recorded_jobs) return text + ".";
    auto const more = study::more_jobs(found->second, *result.recorded_jobs);
    if (!more) return text + ", and more recorded jobs narrow it by less than a fifth.";
    return text + fmt::format("; {} recorded beside the {} narrow it by a fifth at best.",
                              counted(*more, "more job"), *result.recorded_jobs);
  }
  return "";
}

}  // namespace gridcast::report
