#include "sim/report/answer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/shown.hpp"

namespace gridcast {
namespace {

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string plural(double n, std::string_view noun) {
  return fmt::format("{:.0f} {}{}", n, noun, n == 1 ? "" : "s");
}

std::vector<std::string> of_ledger(Result const& result) {
  auto const& metrics = result.ledger->metrics;
  auto const scale = time_scale(result);
  double const jobs = figure(metrics, "jobs");
  if (!(jobs > 0)) return {"There is no job in it, so there is nothing to tell."};
  std::vector<std::string> text;
  double const succeeded = figure(metrics, "succeeded");
  double const makespan = figure(metrics, "makespan_s");
  text.push_back(fmt::format(
      "{} of {} succeeded{}.", fmt::format("{:.0f}", succeeded), plural(jobs, "job"),
      std::isnan(makespan)
          ? "; the source has no dates, so when they did is not known"
          : ", the last job had ended after " + value_text("makespan_s", makespan, scale)));
  double const wallclock = figure(metrics, "wallclock_s");
  if (!(wallclock > 0)) {
    text.emplace_back("No slot time was spent.");
    return text;
  }
  double const badput = figure(metrics, "badput_s");
  text.push_back(fmt::format("{} of slot time, {} of it lost{}.",
                             value_text("wallclock_s", wallclock, scale),
                             percent(badput / wallclock), largest_loss(metrics)));
  if (!result.strategy.empty()) {
    text.push_back(
        fmt::format("This is one simulated campaign (strategy {}, replica {}): how much luck has "
                    "to do with it, "
                    "`gridcast predict` tells.",
                    result.strategy, result.replica.value_or(0)));
  } else {
    text.emplace_back("This is a record of what took place, so it has no interval.");
  }
  return text;
}

std::string of_strategy(Result const& result, ResultStrategy const& strategy) {
  auto const scale = time_scale(result);
  auto const times = mean_times(strategy);
  double const wallclock = figure(times, "wallclock_s");
  auto const succeeded = summary(strategy.metrics, "succeeded");
  std::string text = fmt::format(
      "With the strategy {}: {} of {:.0f} jobs succeed ({} to {} in 90 % of the replicas), the "
      "last "
      "job has ended after {}",
      strategy.name, number_text(succeeded.p50, Unit::jobs), summary(strategy.metrics, "jobs").mean,
      number_text(succeeded.p05, Unit::jobs), number_text(succeeded.p95, Unit::jobs),
      range_text("makespan_s", summary(strategy.metrics, "makespan_s"), scale));
  if (!(wallclock > 0)) return text + ". No slot time is spent.";
  return text + fmt::format(", and {} of the slot time is lost in the mean{}.",
                            percent(figure(times, "badput_s") / wallclock), largest_loss(times));
}

std::string of_best(Result const& result) {
  auto const* best = best_strategy(result);
  if (best == nullptr) return "No strategy brings a job to its end.";
  double const share = best->probability_best.at("gpu_hours_per_success");
  bool const is_baseline = best->name == result.baseline;
  return fmt::format(
      "Best: {}{}, with probability {:.2f} the one with the fewest GPU hours for each success "
      "({} in the median).",
      best->name, is_baseline ? ", the baseline" : "", share,
      value_text("gpu_hours_per_success", summary(best->metrics, "gpu_hours_per_success").p50,
                 time_scale(result)));
}

/// Which strategy is best under each explanation of stalls.
std::string by_explanation(Result const& result) {
  std::vector<std::string> parts;
  std::vector<std::string> names;
  for (auto const& explanation : result.explanations) {
    Result part;
    part.strategies = explanation.strategies;
    auto const* best = best_strategy(part);
    if (best == nullptr || explanation.replicas == 0) continue;
    names.push_back(best->name);
    parts.push_back(fmt::format("{} if {} (probability {:.2f})", best->name,
                                explanation_words(explanation.name),
                                best->probability_best.at("gpu_hours_per_success")));
  }
  if (parts.size() < 2) return "";
  bool const same = std::count(names.begin(), names.end(), names.front()) == std::ssize(names);
  return (same ? "The best is the same whatever makes transfers stall: "
               : "Which is best depends on what makes transfers stall: ") +
         list_text(parts) + ".";
}

void add_study(Result const& result, std::vector<std::string>& text) {
  auto const* base = baseline(result);
  if (base == nullptr) return text.push_back("There is no strategy in it.");
  if (summary(base->metrics, "jobs").n == 0) {
    return text.push_back("No replica was finished, so there is no answer.");
  }
  text.push_back(of_strategy(result, *base));
  if (result.kind == ResultKind::comparison && result.strategies.size() > 1) {
    text.push_back(of_best(result));
    auto const parts = by_explanation(result);
    if (!parts.empty()) text.push_back(parts);
  }
  if (!result.against || result.against->places.empty()) return;
  std::size_t inside = 0;
  for (auto const& place : result.against->places) inside += place.inside ? 1U : 0U;
  text.push_back(fmt::format("Held against the record: {} of {} figures lie in the central 90 %.",
                             inside, result.against->places.size()));
}

}  // namespace

std::string largest_loss(ResultFigures const& times) {
  double const wallclock = figure(times, "wallclock_s");
  double const badput = figure(times, "badput_s");
  std::string_view most;
  double seconds = 0;
  for (auto const& line : time_lines()) {
    double const time = figure(times, line.name);
    if (!line.lost || !(time > seconds)) continue;
    seconds = time;
    most = line.name;
  }
  if (most.empty()) return "";
  return fmt::format(", mostly ({:.0f} of {:.0f} points) to {}", 100 * seconds / wallclock,
                     100 * badput / wallclock, words_of(most).words);
}

ResultFigures mean_times(ResultStrategy const& strategy) {
  ResultFigures times;
  for (auto const& line : time_lines()) {
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

std::vector<std::string> assumptions(std::vector<Result> const& results) {
  std::vector<std::string> text;
  for (auto const& result : results) {
    if (result.ledger && result.strategy.empty()) continue;
    for (auto const& explanation : result.explanations) {
      text.push_back(fmt::format("In {} of the replicas {}.", percent(explanation.weight),
                                 explanation_words(explanation.name)));
    }
    if (result.kind == ResultKind::comparison) {
      text.emplace_back(
          "In the probability of being best, makespan and badput count only where at least 90 % as "
          "many jobs succeed as under the baseline.");
      text.emplace_back(
          "A replica has the same world and the same luck under each strategy, so differences are "
          "paired.");
    }
    text.emplace_back(
        "The grid behaves as it did when the calibration's record was taken; every assumption of "
        "the model is in docs/model.md.");
    break;
  }
  return text;
}

std::vector<std::string> cautions(std::vector<Result> const& results) {
  std::vector<std::string> text;
  Result const* first = nullptr;
  for (auto const& result : results) {
    if (result.partial) {
      text.push_back(fmt::format("{}: partial, interrupted after {} of {} replicas.",
                                 one_line(result.source), result.replicas, result.requested));
    }
    constexpr std::size_t most_named = 5;
    for (std::size_t i = 0; i < std::min(most_named, result.failed.size()); ++i) {
      text.push_back("Failed: " + result.failed[i]);
    }
    if (result.failed.size() > most_named) {
      text.push_back(fmt::format("{} replicas failed in all.", result.failed.size()));
    }
    if (result.strategies.empty()) continue;
    if (first == nullptr) {
      first = &result;
    } else if (result.seed != first->seed || result.replicas != first->replicas) {
      text.push_back(fmt::format("{} and {} differ in seed or replicas, so their luck does.",
                                 one_line(first->source), one_line(result.source)));
    }
  }
  return text;
}

}  // namespace gridcast
