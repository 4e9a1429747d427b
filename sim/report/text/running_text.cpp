#include "sim/report/text/running_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {
namespace {

std::string state_text(RunningResult const& result) {
  std::string text = fmt::format("{} of {} over, {} with success", result.over,
                                 counted(result.jobs, "job"), result.succeeded);
  auto const add = [&text](std::size_t jobs, std::string_view words) {
    if (jobs > 0) text += fmt::format("; {} {}", jobs, words);
  };
  add(result.running, "in slots");
  add(result.idle, "in the queue again");
  add(result.fresh, "not started");
  add(result.held, "held");
  return text;
}

/// "in 3.2 h", from now; "never".
std::string after_text(RunningResult const& result, double at_s) {
  if (!std::isfinite(at_s)) return "never";
  return to_text(std::max(Seconds(), Seconds(at_s) - result.now));
}

/// "2026-11-28 14:05, in 3.2 h (90 %: 1.9 h to 7 h)".
std::string when_text(RunningResult const& result, Range90 const& at_s) {
  std::string const date = date_text(result.start_unix, Seconds(at_s.middle));
  return fmt::format("{}{}in {} (90 %: {} to {})", date, date.empty() ? "" : ", ",
                     after_text(result, at_s.middle), after_text(result, at_s.low),
                     after_text(result, at_s.high));
}

std::string number_range(Range90 const& range, int digits = 0) {
  if (std::abs(range.high - range.low) < 1e-9) return fmt::format("{:.{}f}", range.middle, digits);
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", range.middle, digits, range.low, digits,
                     range.high, digits);
}

std::string wanted_text(RunningResult const& result) {
  if (result.succeeded >= result.wanted) {
    return fmt::format("The {} wanted jobs have succeeded.", result.wanted);
  }
  if (std::isfinite(result.wanted_at_s.middle)) {
    return fmt::format("{} jobs have succeeded by {}.", result.wanted,
                       when_text(result, result.wanted_at_s));
  }
  return fmt::format("{} jobs are not likely to succeed; the closest is {}.", result.wanted,
                     number_range(result.final_successes));
}

/// A difference of times: "-3.2 h", "0".
std::string shift_text(double seconds) {
  if (std::abs(seconds) < 1) return "0";
  return (seconds < 0 ? "-" : "+") + to_text(Seconds(std::abs(seconds)));
}

std::string effect_text(EffectWords const& effect) {
  return fmt::format("  {}: end {} ({} to {}), successes {:+.0f}, GPU hours {:+.3g}\n", effect.what,
                     shift_text(effect.end_s.middle), shift_text(effect.end_s.low),
                     shift_text(effect.end_s.high), effect.succeeded.middle,
                     effect.gpu_hours.middle);
}

std::string delays_text(RunningResult const& result, std::size_t most) {
  if (result.delaying.empty()) return "";
  std::string text = "Last job, with its probability:\n";
  for (std::size_t i = 0; i < std::min(most, result.delaying.size()); ++i) {
    DelayWords const& job = result.delaying[i];
    text += fmt::format("  {:>4} {} {}\n", share_text(job.last), job.job, job.why);
  }
  return text;
}

std::string effects_text(RunningResult const& result) {
  std::string text;
  for (EffectWords const& effect : result.effects) text += effect_text(effect);
  return text.empty() ? "" : "Intervening now changes (same random numbers):\n" + text;
}

std::string deadline_text(RunningResult const& result) {
  if (!result.deadline) return "";
  std::string const date = date_text(result.start_unix, *result.deadline);
  return fmt::format("Deadline {}: {} jobs have succeeded by then with {} probability.",
                     date.empty() ? to_text(*result.deadline) : date, result.wanted,
                     share_text(result.met));
}

}  // namespace

std::string brief_running(RunningResult const& result, Screen const& screen) {
  Brief brief(screen);
  std::string const date = date_text(result.start_unix, result.now);
  brief.say(fmt::format("Now{}: {}.", date.empty() ? "" : " (" + date + ")", state_text(result)), 9,
            2);
  brief.say(wanted_text(result), 9, 2);
  brief.say(fmt::format("The last job ends {}; {} succeed.", when_text(result, result.end_s),
                        number_range(result.final_successes)),
            9, 2);
  brief.say(deadline_text(result), 8, 2);
  std::size_t const lines = 4 + (result.deadline ? 1 : 0) + result.effects.size();
  std::size_t const room = most_brief_lines - std::min(most_brief_lines, lines + 2);
  brief.add(delays_text(result, std::max<std::size_t>(1, room)), 7);
  brief.add(effects_text(result), 6);
  return brief.text();
}

std::string running_text(RunningResult const& result, Screen const& screen) {
  std::string text = brief_running(result, screen) + "\n";
  TextTable table({{"whole campaign"}, {"median (90 %)", Align::right}});
  auto const add = [&table](std::string const& what, std::string const& figure) {
    table.add_row({what, figure});
  };
  auto const since_start = [](double s) {
    return std::isfinite(s) ? to_text(Seconds(s)) : std::string("never");
  };
  add("first submission to the last end",
      fmt::format("{} ({} to {})", since_start(result.end_s.middle), since_start(result.end_s.low),
                  since_start(result.end_s.high)));
  add("jobs that succeed", number_range(result.final_successes));
  add("jobs with a wrong output", number_range(result.wrong_output));
  add("jobs that stay held", number_range(result.final_held));
  add("jobs that are removed", number_range(result.removed));
  add("GPU hours", number_range(result.gpu_hours, 1));
  text += table.str(screen) + "\n" + fitted(delays_text(result, result.delaying.size()), screen);
  return text + fmt::format("{} futures.\n", result.futures);
}

std::string running_line(RunningResult const& result) {
  std::string text = state_text(result);
  if (std::isfinite(result.wanted_at_s.middle) && result.succeeded < result.wanted) {
    text += fmt::format(" | {} succeed in {}", result.wanted,
                        after_text(result, result.wanted_at_s.middle));
  }
  return text + fmt::format(" | all over in {}", after_text(result, result.end_s.middle));
}

}  // namespace gridcast::report
