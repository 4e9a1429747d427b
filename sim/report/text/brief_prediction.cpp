#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sim/report/text/answer.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

/// The figures with their ranges, without those that are zero.
std::string ranges(Result const& result, Outcome const& outcome, TimeWords const& words,
                   bool with_lost, Screen const& screen) {
  TextTable table({{"forecast"}, {"median (90 % of the campaigns)", Align::right}});
  auto const add = [&](std::string const& what, study::Spread const& spread,
                       std::string const& text) {
    if (std::isnan(spread.middle) || (spread.middle == 0 && spread.high == 0)) return;
    table.add_row({what, text});
  };
  add("jobs that finish", outcome.finished, jobs_cell(outcome.finished));
  add(fmt::format("{} until {} finished", words.unit(), counted(outcome.wanted, "job")),
      outcome.makespan, time_cell(outcome.makespan, words));
  add(std::string(outcome.hours), outcome.gpu_hours, hours_cell(outcome.gpu_hours));
  if (!with_lost) return table.str(screen);
  auto const& metrics = result.strategies.front().metrics;
  auto const lost = summary(metrics, "badput_s").range();
  Unit const unit = words_of("badput_s", time_scale(result)).unit;
  add(fmt::format("slot {} lost", unit == Unit::seconds ? "seconds" : "hours"), lost,
      spread_text(lost, unit));
  return table.str(screen);
}

std::string loss_sentence(Result const& result) {
  auto const times = mean_times(result.strategies.front());
  double const wallclock = figure(times, "wallclock_s"), badput = figure(times, "badput_s");
  if (!(wallclock > 0) || !(badput > 0)) return "";
  return fmt::format("On average {} of the slot time is lost{}.", share_text(badput / wallclock),
                     largest_loss(times));
}

/// "It depends on why transfers stall: overload 76 jobs, congestion 40 jobs."
std::string dependence(Result const& result) {
  if (result.hypotheses.size() < 2) return "";
  std::string text;
  std::set<double> medians;
  for (auto const& each : result.hypotheses) {
    auto const won = summary(each.strategies.front().metrics, "succeeded");
    text +=
        fmt::format("{}{} {:.0f}", text.empty() ? "" : ", ", hypothesis_title(each.name), won.p50);
    medians.insert(won.p50);
  }
  if (medians.size() == 1) return "";
  return "Jobs that finish, by the cause of stalled transfers: " + text + ".";
}

std::string evidence_words(Result const& result) {
  if (!result.record_words.empty()) {
    return fmt::format("Evidence: the shipped record of {}; {}.", result.record_words,
                       counted(result.replicas, "campaign"));
  }
  return fmt::format(
      "Evidence: {}{}, strategy {}.",
      result.recorded_jobs ? fmt::format("a record of {}; ", counted(*result.recorded_jobs, "job"))
                           : "",
      counted(result.replicas, "simulated campaign"), result.strategies.front().name);
}

/// Main figures of the record and of its replay.
std::string replayed_figures(Result const& result, Screen const& screen) {
  auto const& against = *result.against;
  TextTable table({{"figure"},
                   {against.through_table ? "rows" : "record", Align::right},
                   {"replay (5 %..95 %)", Align::right}});
  for (auto const* name : {"succeeded", "wallclock_s", "badput_s", "transfer_retried_s"}) {
    auto const row = std::find_if(against.figures.begin(), against.figures.end(),
                                  [&](auto const& figure) { return figure.name == name; });
    if (row == against.figures.end() || (row->observed == 0 && row->predicted.p95 == 0)) continue;
    auto const words = words_of(row->name, time_scale(result));
    table.add_row({fmt::format("{}, {}", words.words, unit_text(words.unit)),
                   number_text(row->observed, words.unit),
                   spread_text(row->predicted.range(), words.unit)});
  }
  return table.str(screen);
}

}  // namespace

std::string brief_replay(Result const& result, Screen const& screen) {
  Brief brief(screen);
  brief.say(incomplete_text(result), 9);
  if (result.replicas == 0 || !result.against) {
    brief.say("No campaign was finished.", 9);
    return brief.text();
  }
  auto const& won = summary(result.strategies.front().metrics, "succeeded");
  brief.say(fmt::format("Replay under {}: {:.0f} of {} recorded jobs finish{}.", result.strategy,
                        won.p50, result.submitted, result.deterministic ? " in all campaigns" : ""),
            9, 3);
  brief.add(replayed_figures(result, brief.screen()), 6);
  brief.say(dependence(result), 3, 2);
  brief.say(fmt::format("Evidence: the record of {} jobs, repeated {} times.", result.submitted,
                        result.replicas),
            5, 2);
  brief.add(next_command(screen), 8);
  return brief.text();
}

std::string brief_prediction(Result const& result, Screen const& screen) {
  Brief brief(screen);
  brief.say(incomplete_text(result), 9);
  if (result.replicas == 0) {
    brief.say("No campaign was finished.", 9);
    return brief.text();
  }
  auto const outcome = outcome_of(result, result.strategies.front());
  auto const words = time_words(outcome);
  auto const& strategy = result.strategies.front();
  brief.say("Forecast: " + median_text(outcome, words) + ".", 9, 3);
  brief.say(result.simplified, 8, 3);
  auto standing = standing_sentences(result);
  if (!result.extrapolation.empty()) {
    brief.say(standing.front(), 8, 3);
    standing.erase(standing.begin());
  }
  for (auto const& sentence : standing) brief.say(sentence, 1, 2);
  brief.say(about_sentence(strategy), 2, 2);
  // Where most jobs fail, their largest loss is more important than its range.
  bool const crowded = !result.extrapolation.empty() && std::isinf(outcome.makespan.middle);
  brief.add(ranges(result, outcome, words, !crowded, brief.screen()), 6);
  if (result.deadline) {
    brief.say(fmt::format("Deadline {}: {} jobs have finished by then in {} of the campaigns.",
                          to_text(*result.deadline), outcome.wanted,
                          chance_text(met_by(result, strategy, *result.deadline))),
              7, 2);
  }
  if (result.against) brief.say("Record: " + coverage_text(*result.against) + ".", 7, 2);
  brief.say(loss_sentence(result), crowded ? 6 : 4, 2);
  brief.say(dependence(result), 3, 2);
  brief.say(evidence_words(result), 5, 2);
  brief.add(next_command(screen), 8);
  return brief.text();
}

}  // namespace gridcast::report
