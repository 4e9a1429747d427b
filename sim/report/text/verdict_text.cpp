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
using study::Decision;
using study::ObservationKind;
using study::Rank;

constexpr Unit cost_unit = Unit::ratio;

std::string const& name_of(Result const& result, std::size_t strategy) {
  return result.strategies[strategy].name;
}

std::string title_of(study::StateOfTheWorld const& state) {
  return std::string(hypothesis_title(state.name));
}

/// "upgrade", "upgrade and timer-never alike".
std::string best_words(Result const& result, study::StateOfTheWorld const& state) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> names;
  for (std::size_t const s : state.best) names.push_back(name_of(result, s));
  if (names.empty()) return "none";
  if (names.size() > most_named) {
    return fmt::format("{} and {} others alike", names.front(), names.size() - 1);
  }
  return list_text(names) + (names.size() > 1 ? " alike" : "");
}

std::string cost_text(double cost) {
  return std::isfinite(cost) ? number_text(cost, cost_unit) : "-";
}

/// "0.31 GPU hours a success (at worst 0.60, if slow)".
std::string regret_words(Result const& result, std::size_t strategy) {
  auto const& verdict = *result.verdict;
  auto const& regret = verdict.regrets[strategy];
  std::string const text = cost_text(regret.expected) + " GPU hours a success";
  if (verdict.states.size() <= 1) return text;
  auto const& worst_in = verdict.states[regret.worst_in];
  return text + fmt::format(" (at worst {}, if {})", cost_text(regret.worst), title_of(worst_in));
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
    std::vector<TextCell> row = {name_of(result, s)};
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
      "most campaigns do not reach that. Draws: the share of {} draws of the calibration in which "
      "the strategy is best, averaged over the replicas of a draw. Loss: of the first goal, against "
      "the best strategy of each draw.\n",
      100 * choice.preferences.margin, choice.wanted, choice.draws);
}

/// The probabilities of the explanations, above the strategies.
void add_weights(TextTable& table, study::Verdict const& verdict) {
  auto const row = [&](char const* what, auto const& cell) {
    std::vector<TextCell> cells = {what};
    for (auto const& state : verdict.states) cells.emplace_back(cell(state));
    cells.emplace_back("");
    cells.emplace_back("");
    table.add_row(std::move(cells));
  };
  row("prior", [](auto const& state) { return share_text(state.prior); });
  row("ln Bayes factor", [](auto const& state) {
    return std::isfinite(state.log_bayes_factor) ? fmt::format("{:+.2f}", state.log_bayes_factor)
                                                 : std::string("-");
  });
  row("posterior", [](auto const& state) { return share_text(state.posterior); });
}

std::string regret_table(Result const& result, Screen const& screen) {
  auto const& verdict = *result.verdict;
  bool const rivals = verdict.states.size() > 1;
  std::vector<TextColumn> columns = {{"GPU h/success, sum over sum"}};
  for (auto const& state : verdict.states) {
    columns.push_back({rivals ? title_of(state) : "all", Align::right});
  }
  columns.push_back({"regret to expect", Align::right});
  columns.push_back({"at worst", Align::right});
  TextTable table(std::move(columns));
  if (rivals) add_weights(table, verdict);
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    std::vector<TextCell> row = {name_of(result, s)};
    for (auto const& state : verdict.states) {
      bool const best = std::find(state.best.begin(), state.best.end(), s) != state.best.end();
      bool const few = state.rank[s] == Rank::too_few_succeed;
      row.emplace_back(cost_text(state.cost[s]) + (best ? "*" : few ? "!" : " "));
    }
    auto const& regret = verdict.regrets[s];
    bool const ranked = !std::isnan(regret.expected);
    auto const& [low, high] = regret.expected_ci90;
    std::string const error =
        std::isnan(low) || !ranked ? "" : fmt::format(" ({}..{})", cost_text(low), cost_text(high));
    row.emplace_back(ranked ? cost_text(regret.expected) + error : "not ranked");
    row.emplace_back(ranked ? cost_text(regret.worst) : "");
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

std::string observations_text(Result const& result) {
  if (result.observations.empty()) return "";
  auto const saves = [](double x) { return number_text(x, cost_unit); };
  std::string text;
  bool run_is_shown = false;
  for (auto const& each : result.observations) {
    bool const is_run = each.kind == ObservationKind::test_run;
    if (is_run && run_is_shown) continue;
    run_is_shown = run_is_shown || is_run;
    auto const* fewest = is_run ? study::enough_jobs(result.observations, each.strategy) : nullptr;
    auto const& observation = fewest == nullptr ? each : *fewest;
    if (!(observation.saving > 0)) continue;
    text += fmt::format("  {} {}: {}\n", saves(observation.saving),
                        observation_words(result, observation), outcome_words(result, observation));
  }
  if (text.empty()) return "";
  return "Observations that help, and how much of the expected regret each saves:\n" + text;
}

/// The figure that a parameter's value is a share of.
std::string_view score_words(study::Choice const& choice) {
  switch (choice.order[choice.decided_by]) {
    case scenario::GoalKind::successes:
      return "finished jobs";
    case scenario::GoalKind::deadline:
      return "campaigns that meet the deadline";
    case scenario::GoalKind::makespan:
      return "speed (1 / makespan)";
    case scenario::GoalKind::gpu_hours:
      return "successes per GPU hour";
    case scenario::GoalKind::cost:
      return choice.currency.empty() ? "successes per GPU hour" : "successes per unit of money";
  }
  return "";
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
    words.push_back(std::isinf(range.upto) ? name + " above"
                                           : fmt::format("{} up to {:.3g}", name, range.upto));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

bool saves_something(study::Observation const& observation) {
  constexpr double least_shown = 0.005;  // GPU hours a success
  return observation.saving >= least_shown && !(observation.saving_ci95.low <= 0);
}

std::string observation_words(Result const& result, study::Observation const& observation) {
  switch (observation.kind) {
    case ObservationKind::everything:
      return "if all were known";
    case ObservationKind::starter_log:
      return "one starter's log of a transfer that was ended, with the plugin's results (no new "
             "job)";
    case ObservationKind::htcondor_version:
      return "HTCondor's version at the execution points (no new job)";
    case ObservationKind::test_run:
      return fmt::format("a run under {}, {} jobs", name_of(result, observation.strategy),
                         observation.jobs);
  }
  return "";
}

std::string outcome_words(Result const& result, study::Observation const& observation) {
  std::vector<std::string> words;
  for (auto const& outcome : observation.outcomes) {
    std::string const what = observation.kind == ObservationKind::everything
                                 ? std::string(hypothesis_title(outcome.name))
                                 : outcome.name;
    words.push_back(fmt::format("{}{}: {}", what.empty() ? "in " : what + " ",
                                what.empty() ? share_text(outcome.probability)
                                             : "(" + share_text(outcome.probability) + ")",
                                name_of(result, outcome.choice)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
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
      job.n > 0 && job.p50 > 0 ? fmt::format(" (about {} each)", to_text(Seconds(job.p50))) : "");
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
                      "replicas{}.",
                      strategy.name, result.baseline, chance_text(strategy.enough_succeed),
                      strategy.why_not_ranked.empty() ? "" : "; " + strategy.why_not_ranked));
    }
    if (strategy.never_ran.share >= 0.005) {  // what is less reads "in 0 % of the replicas"
      text.push_back(fmt::format("{}: no job ever ran in {} of the replicas ({}).", strategy.name,
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
  if (!result.verdict) return "";
  std::string text = fitted(headline(result) + "\n", screen) + "\n";
  for (auto const& strategy : result.strategies) {
    auto const about = about_sentence(strategy);
    if (!about.empty()) text += fitted(about + "\n", screen);
  }
  if (result.choice && result.choice->state != study::ChoiceState::no_success) {
    text += choice_table(result, screen) + fitted(choice_legend(result), screen) + "\n";
  }
  text += regret_table(result, screen);
  text += fitted(
      "*: best there, within 1 %. !: too few of its jobs succeed there. Regret: GPU hours a "
      "success more than the best there, with 90 % of the resamples.\n",
      screen);
  auto const observed = observations_text(result);
  if (!observed.empty()) text += "\n" + fitted(observed, screen);
  auto const parameters = deciding_parameters(result);
  if (!parameters.empty()) text += "\n" + fitted(parameters, screen);
  for (auto const& sentence : standing_sentences(result)) text += fitted(sentence + "\n", screen);
  return text;
}

std::string regret_sentence(Result const& result, std::size_t strategy) {
  if (!result.verdict || !(result.verdict->regrets[strategy].expected > 0)) return "";
  return fmt::format("To choose {} is expected to cost {} more than the best there would.",
                     name_of(result, strategy), regret_words(result, strategy));
}

std::vector<std::string> verdict_sentences(Result const& result) {
  if (!result.verdict) return {};
  auto const& verdict = *result.verdict;
  std::vector<std::string> text = {headline(result)};
  bool const open = result.choice && result.choice->state == study::ChoiceState::undecided;
  if (verdict.states.size() > 1 && open && verdict.decision == Decision::undecided) {
    std::vector<std::string> each;
    for (auto const& state : verdict.states) {
      each.push_back(fmt::format("{} ({}): {}", title_of(state), share_text(state.posterior),
                                 best_words(result, state)));
    }
    text.push_back(fmt::format("Best by explanation: {}.", fmt::join(each, "; ")));
  }
  if (result.observations.size() > 1 && open && saves_something(result.observations[1])) {
    auto const& next = result.observations[1];
    text.push_back(
        fmt::format("Most useful observation: {}; it is expected to save {} of the {} GPU hours "
                    "a success that the open question costs.",
                    observation_words(result, next), number_text(next.saving, cost_unit),
                    number_text(result.observations.front().saving, cost_unit)));
  }
  return text;
}

std::string spread_sentence(Result const& result, ResultStrategy const& strategy) {
  for (auto const* figure : {"makespan_s", "badput_s"}) {
    auto const found = strategy.spread.find(figure);
    if (found == strategy.spread.end()) continue;
    double const share = found->second.ignorance_share();
    auto const heading = ledger::find_metric(figure)->heading;
    std::string const text = fmt::format(
        "{1} of the {0}'s variance over campaigns is open in the calibration and {2} is "
        "random: "
        "more replicas would not narrow its interval",
        heading, share_text(share), share_text(1 - share));
    if (!result.recorded_jobs) return text + ".";
    auto const more = study::more_jobs(found->second, *result.recorded_jobs);
    if (!more) return text + ", nor would more logged jobs by a fifth.";
    return text + fmt::format("; {} more logged {} beside the {} would by a fifth at best.", *more,
                              *more == 1 ? "job" : "jobs", *result.recorded_jobs);
  }
  return "";
}

}  // namespace gridcast::report
