#include "sim/report/text/answer.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

/// ", 38 were held for good, 2 gave a wrong output": the other endings of the jobs.
std::string other_ends(ResultFigures const& metrics) {
  struct End {
    std::string_view name, one, many;
  };
  constexpr End ends[] = {{"held", "was held for good", "were held for good"},
                          {"wrong_output", "gave a wrong output", "gave a wrong output"},
                          {"removed", "was removed", "were removed"},
                          {"unfinished", "was not finished", "were not finished"}};
  // A job that is held may be released if the record continues.
  constexpr End held_so_far = {"held", "is held", "are held"};
  bool const continues = figure(metrics, "unfinished") > 0;
  std::string text;
  for (auto const& each : ends) {
    End const& end = continues && each.name == held_so_far.name ? held_so_far : each;
    double const jobs = figure(metrics, end.name);
    if (jobs > 0) text += fmt::format(", {:.0f} {}", jobs, jobs == 1 ? end.one : end.many);
  }
  return text;
}

/// The time of attempts that the end of the record cut short is not lost: they may succeed. In a
/// record in which all jobs are over, the same figures are those of removed jobs.
ResultFigures without_open_attempts(ResultFigures metrics) {
  if (!(figure(metrics, "unfinished") > 0)) return metrics;
  for (auto const* open : {"compute_unfinished_s", "transfer_unfinished_s"}) {
    double const time = figure(metrics, open);
    if (!(time > 0)) continue;
    metrics[open] = 0;
    metrics["badput_s"] = std::max(0.0, figure(metrics, "badput_s") - time);
  }
  return metrics;
}

/// Attempts that are not in the record lost slot time too, so a share without them is no result.
std::string slot_time_sentence(ResultLedger const& ledger, std::string const& time) {
  double const all = figure(ledger.metrics, "wallclock_s");
  auto const ended = without_open_attempts(ledger.metrics);
  double const lost = figure(ended, "badput_s") / all;
  double const open = figure(ledger.metrics, "badput_s") / all - lost;
  bool const removed = figure(ledger.metrics, "removed") > 0;
  std::string const open_text = open > 0
                                    ? fmt::format("; {} belongs to jobs that are {}not finished",
                                                  share_text(open), removed ? "removed or " : "")
                                    : "";
  if (ledger.attempts_unrecorded == 0) {
    return fmt::format("{} of slot time, {} of it lost{}{}.", time, share_text(lost),
                       largest_loss(ended), open_text);
  }
  return fmt::format(
      "{} of slot time is in the record{}. {} of these jobs {} not in it: the lost share is "
      "not known.",
      time, lost > 0 ? ", " + share_text(lost) + " of it lost" : "",
      counted(ledger.attempts_unrecorded, "earlier attempt"),
      ledger.attempts_unrecorded > 1 ? "are" : "is");
}

std::vector<std::string> of_ledger(Result const& result) {
  auto const& metrics = result.ledger->metrics;
  auto const scale = time_scale(result);
  double const jobs = figure(metrics, "jobs");
  if (!(jobs > 0)) return {"There is no job in it, so there is nothing to report."};
  std::vector<std::string> text;
  double const succeeded = figure(metrics, "succeeded");
  double const makespan = figure(metrics, "makespan_s");
  bool const continues = figure(metrics, "unfinished") > 0;
  std::string const time = TimeWords(makespan == 0 ? 1 : makespan).text(makespan);
  std::string when = continues ? "the record goes to " + time + " after the first submission"
                               : "the last job ended after " + time;
  if (std::isnan(makespan)) when = "the source has no dates, so the time is not known";
  if (figure(metrics, "unfinished") >= jobs) when = "none has ended";
  text.push_back(fmt::format("{:.0f} of {} succeeded{}; {}.", succeeded,
                             counted(std::llround(jobs), "job"), other_ends(metrics), when));
  double const wallclock = figure(metrics, "wallclock_s");
  if (!(wallclock > 0)) {
    text.emplace_back(succeeded > 0 ? "How long they ran is not recorded."
                                    : "No slot time was spent.");
    return text;
  }
  text.push_back(slot_time_sentence(*result.ledger, value_text("wallclock_s", wallclock, scale)));
  if (!result.strategy.empty()) {
    text.push_back(
        fmt::format("This is one simulated campaign (strategy {}, number {}): its spread "
                    "over random numbers "
                    "is shown by `gridcast forecast`.",
                    result.strategy, result.replica.value_or(0)));
  } else {
    text.emplace_back("This is a record of a real campaign, so it has no interval.");
  }
  return text;
}

std::string of_strategy(Result const& result, ResultStrategy const& strategy) {
  auto const times = mean_times(strategy);
  double const wallclock = figure(times, "wallclock_s");
  auto const outcome = outcome_of(result, strategy);
  auto const words = result.choice ? time_words(*result.choice) : time_words(outcome);
  auto const text = fmt::format("With the {} strategy {}", strategy.name, to_text(outcome, words));
  if (!(wallclock > 0)) return text + ". No slot time is spent.";
  return text + fmt::format("; {} of the slot time is lost on average{}.",
                            share_text(figure(times, "badput_s") / wallclock), largest_loss(times));
}

/// The recommended strategy, its outcome, and that of the baseline.
void add_verdict(Result const& result, ResultStrategy const& base, std::vector<std::string>& text) {
  auto const sentences = verdict_sentences(result);
  if (!sentences.empty()) text.push_back(sentences.front());
  auto const named = named_by_verdict(result);
  for (auto const& strategy : result.strategies) {
    bool const shown = strategy.name == named && &strategy != &base;
    if (!shown) continue;
    auto const about = about_sentence(strategy);
    text.push_back(of_strategy(result, strategy) + (about.empty() ? "" : " " + about));
  }
  text.push_back(of_strategy(result, base));
}

void add_study(Result const& result, std::vector<std::string>& text) {
  auto const* base = baseline(result);
  if (base == nullptr) return text.push_back("There is no strategy in it.");
  if (summary(base->metrics, "jobs").n == 0) {
    return text.push_back("No campaign was finished, so there is no answer.");
  }
  if (result.kind == ResultKind::comparison && result.strategies.size() > 1) {
    return add_verdict(result, *base, text);
  }
  text.push_back(of_strategy(result, *base));
  if (std::isnan(result.money.middle)) return;
  text.push_back(fmt::format("The campaign costs {} {}: the median and 90 % of the campaigns.",
                             money_cell(result.money), result.currency));
}

/// Without its introduction, which the page has as a heading.
std::string without_heading(std::string sentence) {
  constexpr std::string_view heading = "Evidence: ";
  if (!sentence.starts_with(heading)) return sentence;
  sentence.erase(0, heading.size());
  sentence.front() = static_cast<char>(std::toupper(sentence.front()));
  return sentence;
}

/// The strategies that cannot be chosen, with the causes; empty if all can.
std::string not_ranked_sentence(Result const& result) {
  std::vector<std::string> names;
  for (auto const& strategy : result.strategies) {
    if (strategy.rank == study::Rank::ranked) continue;
    names.push_back(strategy.name + (strategy.why_not_ranked.empty()
                                         ? ""
                                         : " (" + one_line(strategy.why_not_ranked) + ")"));
  }
  return names.empty() ? "" : "Too few jobs succeed to choose " + list_text(names) + ".";
}

void add_evidence(Result const& result, std::vector<std::string>& text) {
  auto const* base = baseline(result);
  if (base == nullptr || summary(base->metrics, "jobs").n == 0) return;
  text.push_back(without_heading(evidence_sentence(result)));
  if (result.choice && result.choice->draws > 1)
    text.push_back("A draw is one set of parameters that agrees with the record.");
  if (result.kind == ResultKind::comparison && result.strategies.size() > 1) {
    if (auto few = not_ranked_sentence(result); !few.empty()) text.push_back(std::move(few));
    for (auto& sentence : record_sentences(result)) text.push_back(std::move(sentence));
  } else {
    for (auto& sentence : standing_sentences(result)) text.push_back(std::move(sentence));
  }
  if (auto spread = spread_sentence(result, *base); !spread.empty())
    text.push_back(std::move(spread));
  if (!result.against || result.against->figures.empty()) return;
  text.push_back(fmt::format("Held against the record: {}.", coverage_text(*result.against)));
}

/// "The record does not show why transfers stall, so the campaigns differ in it: in 27 % a cache
/// delivers nothing for hours; in 73 % the links are too slow."
std::string explanations_sentence(Result const& result) {
  std::string text;
  for (auto const& hypothesis : result.hypotheses) {
    text += fmt::format("{}in {} {}", text.empty() ? "" : "; ", share_text(hypothesis.posterior),
                        hypothesis_words(hypothesis.name));
  }
  bool const open = result.hypotheses.size() > 1;
  if (text.empty()) return text;
  return fmt::format("{}: {}.",
                     open
                         ? "The record does not show why transfers stall, so campaigns differ in it"
                         : "Why transfers stall in the campaigns",
                     text);
}

}  // namespace

std::string largest_loss(ResultFigures const& times) {
  double const wallclock = figure(times, "wallclock_s");
  double const badput = figure(times, "badput_s");
  std::string_view most;
  double seconds = 0;
  for (auto const& line : ledger::slot_time_lines()) {
    double const time = figure(times, line.name);
    if (!line.lost || !(time > seconds)) continue;
    seconds = time;
    most = line.name;
  }
  constexpr double worth_a_word = 0.005, half = 0.5, nearly_all = 0.995, few_points = 0.02;
  if (most.empty() || badput < worth_a_word * wallclock) return "";
  auto const to = fmt::format(" to {}", ledger::find_metric(most)->in_sentence());
  if (seconds > nearly_all * badput) return "," + to;
  auto const* const how = seconds < half * badput ? ", the largest part" : ", mostly";
  bool const same = std::round(100 * seconds / wallclock) == std::round(100 * badput / wallclock);
  if (badput < few_points * wallclock || same) return how + to;
  return fmt::format("{} ({:.0f} of {:.0f} points){}", how, 100 * seconds / wallclock,
                     100 * badput / wallclock, to);
}

ResultFigures mean_times(ResultStrategy const& strategy) {
  ResultFigures times;
  for (auto const& line : ledger::slot_time_lines()) {
    times[std::string(line.name)] = summary(strategy.metrics, line.name).mean;
  }
  for (auto const* sum : {"wallclock_s", "badput_s"}) {
    times[sum] = summary(strategy.metrics, sum).mean;
  }
  return times;
}

std::vector<std::string> answer(std::vector<Result> const& results) {
  std::vector<std::string> text;
  for (auto const& result : results) {
    std::size_t const before = text.size();
    if (result.ledger) {
      for (auto& sentence : of_ledger(result)) text.push_back(std::move(sentence));
    } else {
      add_study(result, text);
    }
    if (results.size() > 1 && before < text.size()) {
      text[before] = one_line(result.source) + ": " + text[before];
    }
  }
  return text;
}

std::vector<std::string> evidence(std::vector<Result> const& results) {
  std::vector<std::string> text;
  for (auto const& result : results) {
    if (!result.ledger) add_evidence(result, text);
  }
  return text;
}

std::vector<std::string> assumptions(std::vector<Result> const& results) {
  std::vector<std::string> text;
  for (auto const& result : results) {
    if (result.ledger && result.strategy.empty()) continue;
    if (!result.simplified.empty()) text.push_back(result.simplified);
    text.insert(text.end(), result.assumed.begin(), result.assumed.end());
    if (auto rival = explanations_sentence(result); !rival.empty())
      text.push_back(std::move(rival));
    if (result.kind == ResultKind::comparison) {
      text.emplace_back(
          "A strategy can be chosen if its successes are at least 90 % of the baseline's. "
          "All strategies meet the same draws and random numbers: only the strategies differ.");
    }
    text.emplace_back(
        "The grid behaves as it did when the calibration's record was taken; every assumption of "
        "the model is in docs/model.md.");
    break;
  }
  return text;
}

std::vector<std::string> words_of_ends(ResultStrategy const& strategy) {
  ResultEnds const& ends = strategy.ends;
  std::vector<std::string> text;
  if (ends.queue_limit > 0) {
    text.push_back(fmt::format(
        "{} of {} campaigns lasted {} or longer: a job that has been in the queue for so long is "
        "removed at its next decision, as on the OSPool.",
        ends.queue_limit, strategy.replicas, to_text(scenario::longest_in_queue)));
  }
  if (ends.at_horizon > 0) {
    bool const one = ends.at_horizon == 1;
    text.push_back(fmt::format(
        "{} of {} campaigns {} not done at the horizon, {} after the first submission, and {} ended "
        "there: {} other jobs count as removed. --horizon TIME changes it.",
        ends.at_horizon, strategy.replicas, one ? "was" : "were", to_text(ends.horizon),
        one ? "was" : "were", one ? "its" : "their"));
  }
  return text;
}

std::vector<std::string> cautions(std::vector<Result> const& results) {
  std::vector<std::string> text;
  Result const* first = nullptr;
  for (auto const& result : results) {
    if (result.partial) {
      text.push_back(fmt::format("{}: partial, after {} of {} campaigns.", one_line(result.source),
                                 result.replicas, result.requested));
    }
    constexpr std::size_t most_named = 5;
    for (std::size_t i = 0; i < std::min(most_named, result.failed.size()); ++i) {
      text.push_back("Failed: " + to_text(result.failed[i]));
    }
    if (result.failed.size() > most_named) {
      text.push_back(fmt::format("{} campaigns failed in all.", result.failed.size()));
    }
    std::map<std::string, std::vector<std::string>> strategies;  // by the words on them
    for (auto const& strategy : result.strategies) {
      for (auto const& words : words_of_ends(strategy)) strategies[words].push_back(strategy.name);
    }
    for (auto const& [words, names] : strategies) {
      bool const one = result.strategies.size() == 1;
      text.push_back(one ? words : fmt::format("{}: {}", fmt::join(names, ", "), words));
    }
    if (result.strategies.empty()) continue;
    if (first == nullptr) {
      first = &result;
    } else if (result.seed != first->seed || result.replicas != first->replicas) {
      text.push_back(
          fmt::format("{} and {} differ in seed or number of campaigns, so their draws do.",
                      one_line(first->source), one_line(result.source)));
    }
  }
  return text;
}

}  // namespace gridcast::report
