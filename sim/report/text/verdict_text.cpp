#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/answer.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/reason_words.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::report {
namespace {

// The recommendation of a report page: the strategy to use, whether to submit as planned, or the
// change that follows from a record. It uses the figures on the page alone.

/// Below this share of the slot time a loss is worth no change.
constexpr double small_loss = 0.05;
/// A deadline that so many campaigns meet can be relied on.
constexpr double sure = 0.9;

/// The remedy for a line of lost slot time, in words. The strategy's rows name the keys for it.
struct Remedy {
  std::string_view line, act;
};

constexpr std::string_view of_transfers =
    "try another stall timer, the next cache, or a cool-down after a failure";
constexpr std::string_view of_held =
    "release these jobs by policy, or remove the cause of the hold";
constexpr std::string_view of_wrong =
    "let the job check its result and exit with an error, so that max_retries repeats it";

constexpr Remedy remedies[] = {
    {"transfer_retried_s", of_transfers},
    {"transfer_retried_unsuccessful_s", of_transfers},
    {"transfer_held_s", of_held},
    {"compute_held_s", of_held},
    {"compute_evicted_s", "save checkpoints, or split the work into shorter jobs"},
    {"compute_retried_s", "find the cause of the failed executions in the jobs' standard error"},
    {"compute_wrong_output_s", of_wrong},
    {"transfer_wrong_output_s", of_wrong},
    {"checkpoint_s", "save checkpoints less often"},
    {"suspended_s", "avoid the sites that suspend jobs"},
    {"contact_lost_s", "try another lease"},
    {"overhead_s", "put the work of several jobs into one"},
};

struct Loss {
  std::string_view line;
  double seconds = 0, share = 0;  // of the slot time
};

/// The largest line of lost slot time.
Loss largest_line(ResultFigures const& times) {
  Loss most;
  for (auto const& line : ledger::slot_time_lines()) {
    double const time = figure(times, line.name);
    if (line.lost && time > most.seconds) most = {line.name, time, 0};
  }
  most.share = most.seconds / figure(times, "wallclock_s");
  return most;
}

Remedy const* remedy_of(Loss const& loss) { return find_by(remedies, loss.line, &Remedy::line); }

std::string keys_for(std::string_view line) {
  std::vector<std::string> keys;
  scenario::each_key(scenario::strategy_table().section(),
                     [&](std::string const& path, scenario::Key const& key) {
                       if (contains(split(key.acts_on, ' '), line)) keys.push_back(path);
                     });
  return fmt::format("{}", fmt::join(keys, ", "));
}

/// "The largest loss: 40 % of the slot time for retried transfers of jobs that succeeded".
std::string loss_words(Loss const& loss) {
  return fmt::format("The largest loss: {} of the slot time for {}", share_text(loss.share),
                     ledger::find_metric(loss.line)->in_sentence());
}

/// "`gridcast optimize s.yaml` searches for better settings."
std::string next_words(Result const& result, std::optional<Seconds> deadline) {
  auto const type = std::filesystem::path(result.scenario).extension();
  bool const named = type == ".yaml" || type == ".yml";
  auto const goal = deadline ? fmt::format(" --goal 'deadline:{}'", to_text(*deadline)) : "";
  return fmt::format("`gridcast optimize{}{}`{} searches for better settings.",
                     named ? " " + study::typed(result.scenario) : "", goal,
                     named ? "" : " with the files of this forecast");
}

/// The largest loss of a forecast and the keys that act on it; empty if it is small.
std::string loss_and_keys(ResultFigures const& times) {
  auto const loss = largest_line(times);
  auto const* remedy = loss.share >= small_loss ? remedy_of(loss) : nullptr;
  if (remedy == nullptr) return "";
  return fmt::format(" {}. These settings act on it: {}.", loss_words(loss), keys_for(loss.line));
}

std::string of_forecast(Result const& result, std::optional<Seconds> deadline) {
  auto const& strategy = result.strategies.front();
  auto const times = mean_times(strategy);
  double const wallclock = figure(times, "wallclock_s");
  if (result.replicas == 0) return "";
  if (!(wallclock > 0)) return "do not submit it like this, as no job runs.";
  auto const outcome = outcome_of(result, strategy);
  bool const never = std::isinf(outcome.makespan.middle);
  double const lost = figure(times, "badput_s") / wallclock;
  auto const met = deadline ? met_by(result, strategy, *deadline) : study::Chance{};
  std::string text;
  if (deadline && met.n > 0) {
    bool const enough = met.share >= sure;
    text = fmt::format(
        "{}, as {} of the campaigns meet it.",
        enough ? "submit it as it is; the deadline is safe" : "do not rely on the deadline",
        chance_text(met));
    if (!enough) text += loss_and_keys(times) + " " + next_words(result, deadline);
  } else if (never) {
    text = fmt::format("do not submit it as it is, as fewer than {} of {} jobs usually finish.",
                       outcome.wanted, outcome.jobs);
    text += loss_and_keys(times) + " " + next_words(result, std::nullopt);
  } else if (lost < small_loss) {
    text =
        fmt::format("submit it as it is, as only {} of the slot time is lost.", share_text(lost));
  } else {
    text = "look for better settings first." + loss_and_keys(times) + " " +
           next_words(result, std::nullopt);
  }
  auto const beyond = extrapolation_sentence(result);
  return beyond.empty() ? text : text + " " + beyond;
}

/// "avoid host n1, where 40 of 41 attempts failed, with requirements = ...".
std::string avoidance(ledger::BlackHoles const& holes) {
  constexpr std::size_t most_named = 2;
  bool const few = holes.hosts.size() <= most_named;
  std::size_t failed = 0, ended = 0;
  for (auto const& host : holes.hosts) {
    failed += host.failed;
    ended += host.ended;
  }
  return fmt::format(
      "avoid {}, where {} of {} attempts failed{}{}.",
      holes.hosts.size() == 1 ? "host " + holes.hosts.front().host
                              : counted(holes.hosts.size(), "host"),
      failed, ended,
      few ? ": `requirements = " + ledger::requirements_without(holes.hosts) + "`" : "",
      few ? "" : " (`gridcast ledger --black-holes` names them)");
}

/// The ending that cost most slot time; without any such cost, most jobs. Null if none.
ResultReason const* costliest(ResultLedger const& ledger) {
  ResultReason const* most = nullptr;
  auto const cost = [](ResultReason const& reason) {
    return std::pair(reason.slot_time_lost, reason.jobs);
  };
  for (auto const& reason : ledger.reasons) {
    if (most == nullptr || cost(reason) > cost(*most)) most = &reason;
  }
  return most;
}

std::string of_losses(ResultLedger const& ledger) {
  auto const& metrics = ledger.metrics;
  double const jobs = figure(metrics, "jobs");
  double const wallclock = figure(metrics, "wallclock_s");
  double const lost = wallclock > 0 ? figure(metrics, "badput_s") / wallclock : 0;
  double const missed =
      (jobs - figure(metrics, "succeeded") - figure(metrics, "unfinished")) / jobs;
  if (lost < small_loss && missed < small_loss) {
    return fmt::format("nothing to change, as {} of the slot time is lost.", share_text(lost));
  }
  auto const loss = wallclock > 0 ? largest_line(metrics) : Loss{};
  auto const* const reason = costliest(ledger);
  // An ending that makes up half of the largest line explains it better than the line does.
  bool const explained =
      reason != nullptr && is_remedy(reason->advice) &&
      (lost < small_loss || reason->slot_time_lost.value() >= 0.5 * loss.seconds);
  if (explained) {
    return fmt::format("most costly: {}{} ({}, {}). {}", reason->ended, because(reason->what),
                       counted(std::llround(reason->times), "time"),
                       counted(std::llround(reason->jobs), "job"), reason->advice);
  }
  auto const* const remedy = remedy_of(loss);
  if (remedy == nullptr) return "";
  return fmt::format("{}. {}.", remedy->act, loss_words(loss));
}

std::string of_record(ResultLedger const& ledger, ledger::BlackHoles const& holes) {
  if (!(figure(ledger.metrics, "jobs") > 0)) return "";
  std::vector<std::string> parts;
  if (!holes.hosts.empty()) parts.push_back(avoidance(holes));
  if (ledger.attempts_unrecorded > 0) {
    parts.push_back("read the job event log too, as it has the earlier attempts.");
  } else if (auto losses = of_losses(ledger); !losses.empty()) {
    if (holes.hosts.empty() || !losses.starts_with("nothing")) parts.push_back(std::move(losses));
  }
  if (ledger.dated && figure(ledger.metrics, "unfinished") > 0) {
    parts.push_back("`gridcast forecast LOG --running` forecasts the jobs that have not ended.");
  }
  std::string text;
  for (auto& part : parts) {
    if (!text.empty()) part.front() = static_cast<char>(std::toupper(part.front()));
    text += (text.empty() ? "" : " ") + part;
  }
  return text;
}

/// The strategy to use, and who must act; while the verdict is open also what would settle it.
std::string of_choice(Result const& result) {
  auto const& choice = *result.choice;
  auto const* const base = baseline(result);
  if (choice.state == study::ChoiceState::no_success) return "none of the options.";
  auto const equal = [&](std::size_t s) { return &result.strategies[s] == base; };
  auto const& best = result.strategies[choice.best];
  bool const keep = &best == base || std::any_of(choice.alike.begin(), choice.alike.end(), equal);
  auto text = keep ? "keep " + base->name : best.name;
  if (choice.state == study::ChoiceState::undecided) text += ", until more is known";
  text += keep || best.about.empty() ? "." : about_sentence(best).substr(best.name.size());
  auto const sentences = verdict_sentences(result);
  for (std::size_t i = 1; i < sentences.size(); ++i) text += " " + sentences[i];
  auto const beyond = extrapolation_sentence(result);
  return beyond.empty() ? text : text + " " + beyond;
}

/// The only forecast, or else the only record; null among several.
Result const* only_one(std::vector<Result> const& results) {
  Result const* forecast = nullptr;
  Result const* record = nullptr;
  for (auto const& result : results) {
    if (result.kind == ResultKind::replay) continue;
    auto const*& place = result.ledger ? record : forecast;
    if (place != nullptr) return nullptr;
    place = &result;
  }
  return forecast != nullptr ? forecast : record;
}

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
std::string goal_title(Result const& result, std::size_t goal, TimeWords const& words) {
  auto const& choice = *result.choice;
  switch (choice.order[goal]) {
    case scenario::GoalKind::successes:
      return fmt::format("of {}", choice.wanted);
    case scenario::GoalKind::deadline:
      return "by " + to_text(choice.preferences.goal.deadline);
    case scenario::GoalKind::makespan:
      return fmt::format("{} to {}", words.unit(), choice.wanted);
    case scenario::GoalKind::gpu_hours:
      return with_hours_name("GPU h/success", result.without_gpus);
    case scenario::GoalKind::cost:
      return choice.currency.empty() ? with_hours_name("GPU h/success", result.without_gpus)
                                     : choice.currency + "/success";
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
    columns.push_back({goal_title(result, g, words), Align::right});
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

std::string recommendation(std::vector<Result> const& results, std::optional<Seconds> deadline,
                           ledger::BlackHoles const& holes) {
  for (auto const& result : results) {
    if (result.choice && result.strategies.size() > 1) return of_choice(result);
  }
  auto const* const result = only_one(results);
  if (result == nullptr) return "";
  if (result->kind == ResultKind::prediction && !result->strategies.empty()) {
    return of_forecast(*result, deadline ? deadline : asked_deadline(*result));
  }
  bool const recorded = result->ledger && result->strategy.empty();
  return recorded ? of_record(*result->ledger, holes) : "";
}

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

std::string beyond_sentence(Result const& result) {
  return result.extrapolation.empty() ? "" : "Beyond the record: " + result.extrapolation + ".";
}

std::string extrapolation_sentence(Result const& result) {
  if (result.extrapolation.empty()) return "";
  auto const* const base = baseline(result);
  study::Summary const job =
      base != nullptr ? summary(base->metrics, "match_to_done_median_s") : study::Summary{};
  constexpr std::size_t test_jobs = 5;  // their mean halves a spread of a factor of two
  std::size_t const all = jobs(result);
  return fmt::format(
      "{} Test: run {} of these jobs to their end{}, and forecast again with their log.",
      beyond_sentence(result), all > 0 ? std::min(test_jobs, all) : test_jobs,
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
      auto const where = strategy.never_ran.share < 1
                             ? chance_text(strategy.never_ran) + " of the campaigns"
                             : "any of " + counted(strategy.replicas, "campaign");
      text.push_back(
          fmt::format("{}: no job ran in {} ({}).", strategy.name, where, strategy.why_never_ran));
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
        "The record: {}. The saving by a timer, another cache or a client that tries on for stalls "
        "is drawn from the prior: differences in it are the prior's, not the record's.",
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
