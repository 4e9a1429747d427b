#include "sim/report/text/running_text.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <utility>

#include <fmt/chrono.h>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/reason_words.hpp"

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

/// "3.2 h", from now, in whole seconds; "never".
std::string after_text(RunningResult const& result, double at_s) {
  if (!std::isfinite(at_s)) return "never";
  return to_text(Seconds(std::round(std::max(0.0, at_s - result.now.value()))));
}

/// "in 24 %", "in less than 1 %".
std::string share_words(double share) {
  return share < 0.005 ? "less than 1 %" : share_text(share);
}

/// Futures in which too few jobs succeed end early, so the median of all ends can come before the
/// median time of the wanted jobs. The time in the futures that reach them is shown then; null if
/// that is no use beside the end either, or if fewer than half of the futures reach them.
Range90 const* time_of_wanted(RunningResult const& result) {
  if (result.wanted_probability < 0.5) return nullptr;
  for (Range90 const* range : {&result.wanted_at_s, &result.wanted_if_s}) {
    bool const known = !range->quantiles.empty() && std::isfinite(range->middle);
    if (known && range->middle <= result.end_s.middle) return range;
  }
  return nullptr;
}

/// "2026-11-28 14:05", of the record's clock; empty where that is not known.
std::string date_text(std::optional<std::int64_t> start_unix, Seconds at) {
  if (!start_unix || !std::isfinite(at.value())) return "";
  auto const unix_s = static_cast<std::time_t>(*start_unix + std::llround(at.value()));
  return fmt::format("{:%F %R}", fmt::gmtime(unix_s));
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
    return result.wanted == 1 ? "The wanted job has succeeded."
                              : fmt::format("The {} wanted jobs have succeeded.", result.wanted);
  }
  if (Range90 const* const at = time_of_wanted(result)) {
    double const never = 1 - result.wanted_probability;
    bool const one = result.wanted == 1, dated = result.start_unix.has_value();
    return fmt::format(
        "{} {} {}{}.", counted(result.wanted, "job"),
        dated ? (one ? "has succeeded by" : "have succeeded by") : (one ? "succeeds" : "succeed"),
        when_text(result, *at),
        never > 0 ? fmt::format("; never in {} of the campaigns", share_words(never)) : "");
  }
  if (result.wanted_probability > 0.5) {
    return fmt::format("{} succeed{} with {} probability.", counted(result.wanted, "job"),
                       result.wanted == 1 ? "s" : "", share_text(result.wanted_probability));
  }
  double const chance = result.wanted_probability;
  return fmt::format("The wanted {} will probably not all succeed; the closest is {}.{}",
                     counted(result.wanted, "job"), number_range(result.final_successes),
                     chance < 0.005
                         ? ""
                         : fmt::format(" In {} of the campaigns they all do.", share_text(chance)));
}

/// In the median future, nothing happens to held jobs without the owner.
bool stays_held(RunningResult const& result) {
  return result.held > 0 && result.end_s.middle <= result.now.value();
}

std::string held_text(RunningResult const& result) {
  return counted(result.held, "held job") + " will probably stay held";
}

/// `said`: how many succeed.
std::string end_text(RunningResult const& result, bool said) {
  bool const one = result.jobs == 1 && result.final_successes.middle == 1;
  std::string const succeed =
      said ? "."
           : fmt::format("; {} succeed{}.", number_range(result.final_successes), one ? "s" : "");
  if (stays_held(result)) return held_text(result) + succeed;
  return fmt::format("The last job ends {}{}", when_text(result, result.end_s), succeed);
}

std::string guess_text(RunningResult const& result) {
  if (result.guessed) {
    return "No job has ended yet, so these times are guesses. --calibration EARLIER takes the "
           "lengths of an earlier campaign.";
  }
  if (result.of_unknown_programs == 0) return "";
  bool const one = result.of_unknown_programs == 1;
  return fmt::format("{} {} a program of which no execution has ended: {} guessed.",
                     counted(result.of_unknown_programs, "job"), one ? "runs" : "run",
                     one ? "its length is" : "their lengths are");
}

/// A difference of times: "-3.2 h", "0".
std::string shift_text(double seconds) {
  if (std::abs(seconds) < 1) return "0";
  return (seconds < 0 ? "-" : "+") + to_text(Seconds(std::round(std::abs(seconds))));
}

/// On average, so that half of the futures count where the median is on the edge.
double more_successes(EffectWords const& effect) {
  auto const& quantiles = effect.succeeded.quantiles;
  return quantiles.empty() ? effect.succeeded.middle : mean(quantiles);
}

/// More jobs succeed on average, or the campaign ends sooner in the median, and the opposite
/// happens in few futures.
bool helps(EffectWords const& effect) {
  if (effect.succeeded.low < 0) return false;
  return more_successes(effect) >= 0.5 || (effect.end_s.middle < -1 && effect.end_s.high <= 0);
}

bool is_zero(Range90 const& range) { return range.low == 0 && range.high == 0; }

std::string effect_text(EffectWords const& effect, bool without_gpus) {
  if (is_zero(effect.end_s) && is_zero(effect.succeeded) && is_zero(effect.gpu_hours)) {
    return fmt::format("  {}: no difference\n", effect.what);
  }
  std::string text =
      fmt::format("  {}: end {} ({} to {})", effect.what, shift_text(effect.end_s.middle),
                  shift_text(effect.end_s.low), shift_text(effect.end_s.high));
  if (auto const& more = effect.succeeded; !is_zero(more)) {
    text += fmt::format(", {:+g} success{}", more.middle, std::abs(more.middle) == 1 ? "" : "es");
    if (more.low != more.high) text += fmt::format(" ({:+g} to {:+g})", more.low, more.high);
  }
  if (std::abs(effect.gpu_hours.middle) >= 0.05) {
    text += fmt::format(", {:+.3g} {}", effect.gpu_hours.middle, hours_name(without_gpus));
  }
  return text + "\n";
}

/// "0 %" is no delay. The delays of a guess would be guesses.
std::string delays_text(RunningResult const& result, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, result.delaying.size()); ++i) {
    DelayWords const& job = result.delaying[i];
    if (result.guessed || job.last < 0.01) break;
    text += fmt::format("  {:>4} {} {}\n", share_text(job.last), job.job, job.why);
  }
  return text.empty() ? "" : "Jobs that may end last, with the probability of each:\n" + text;
}

/// Those that help, then the others.
std::string effects_text(RunningResult const& result) {
  std::string help, others;
  for (EffectWords const& effect : result.effects) {
    (helps(effect) ? help : others) += effect_text(effect, result.without_gpus);
  }
  if (!help.empty()) help = "Changes from now on that help (same random numbers):\n" + help;
  if (!others.empty()) others = "Changes from now on that are of no sure help:\n" + others;
  return help + others;
}

std::string deadline_text(RunningResult const& result) {
  if (!result.deadline) return "";
  std::string const date = date_text(result.start_unix, *result.deadline);
  return fmt::format("Deadline {}: {} jobs have succeeded by then with {} probability.",
                     date.empty() ? to_text(*result.deadline) : date, result.wanted,
                     share_text(result.met));
}

using running::RunningCampaign;
using running::RunningForecast;
using running::RunningJob;
using running::Stand;

/// Without interpolation: a quantile between a time and never is one of the two.
Range90 range_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  auto const at = [&values](double p) {
    return values[static_cast<std::size_t>(std::lround(p * count(values.size() - 1)))];
  };
  Range90 range{at(0.05), at(0.5), at(0.95)};
  for (int percent = 5; percent < 100; percent += 5) range.quantiles.push_back(at(percent / 100.0));
  return range;
}

Range90 range_over(RunningForecast const& forecast, auto const& figure) {
  std::vector<double> values;
  for (auto const& future : forecast.futures) values.push_back(figure(future));
  return range_of(std::move(values));
}

/// Of the futures in which the wanted jobs succeed.
std::vector<double> times_of_wanted(RunningForecast const& forecast) {
  std::vector<double> times;
  for (auto const& future : forecast.futures) {
    if (std::isfinite(future.wanted_at.value())) times.push_back(future.wanted_at.value());
  }
  return times;
}

std::string ended_text(running::RunningJob const& job) {
  if (job.repeats == 0) return "";
  if (job.saved > Seconds())
    return fmt::format(", after {} that saved {} of work", job.repeats, to_text(job.saved));
  return fmt::format(", after {} without a result", job.repeats);
}

/// " (half take 3 h)" of an execution that is longer than that.
std::string usual_text(Seconds executed, std::optional<Seconds> usual) {
  return usual && executed > *usual ? fmt::format(" (half take {})", to_text(*usual)) : "";
}

/// ", behind 12 others": jobs that were submitted before and wait too.
std::string behind_text(RunningCampaign const& campaign, std::size_t job) {
  auto const first = campaign.jobs.begin();
  auto const before =
      std::count_if(first, first + static_cast<std::ptrdiff_t>(job), [](RunningJob const& other) {
        return other.stand == Stand::fresh || other.stand == Stand::idle;
      });
  return before > 0 ? ", behind " + counted(before, "other") : "";
}

std::string why_text(RunningCampaign const& campaign, std::size_t number,
                     std::optional<Seconds> usual) {
  RunningJob const& job = campaign.jobs[number];
  std::string const since = to_text(campaign.now - job.since);
  std::string const where = job.host.empty() ? "" : " on " + job.host;
  if (usual) *usual = *usual * job.scale;
  switch (job.stand) {
    case Stand::fresh:
      return "has waited for its first slot for " + since + behind_text(campaign, number);
    case Stand::starting:
      return "has had a slot for " + since + " without executing" + where;
    case Stand::executing:
      return "has executed for " + since + usual_text(campaign.now - job.since, usual) + where +
             ended_text(job);
    case Stand::idle:
      return "has been queued again for " + since + ended_text(job);
    case Stand::held: {
      std::string const what = words_of(job.last).what;
      return "has been held for " + since + (what.empty() ? "" : ": " + what);
    }
    case Stand::over:
      break;
  }
  throw InternalError("a job that delays a campaign is not over");
}

/// The hosts of running jobs, those with the most jobs first.
std::vector<std::string> hosts_in_use(RunningCampaign const& campaign) {
  constexpr std::size_t most = 50;
  std::map<std::string, std::size_t> jobs;
  for (RunningJob const& job : campaign.jobs) {
    bool const runs = job.stand == Stand::starting || job.stand == Stand::executing;
    if (runs && !job.host.empty()) ++jobs[job.host];
  }
  std::vector<std::string> hosts = each_of(jobs, [](auto const& each) { return each.first; });
  std::stable_sort(hosts.begin(), hosts.end(),
                   [&](auto const& a, auto const& b) { return jobs.at(a) > jobs.at(b); });
  hosts.resize(std::min(most, hosts.size()));
  return hosts;
}

/// Jobs without a name of their own have that of their node.
std::string name_to_come(RunningCampaign const& campaign, std::size_t job) {
  for (running::CampaignNode const& node : campaign.nodes) {
    bool const is_its = contains(node.jobs, job);
    if (is_its) return "node " + node.name;
  }
  return "a job to come";
}

std::string what_text(running::Effect const& effect) {
  switch (effect.intervention) {
    case running::Intervention::release:
      return "release " + counted(effect.jobs, "held job");
    case running::Intervention::resubmit:
      return "resubmit " + counted(effect.jobs, "stuck job");
    case running::Intervention::avoid_host:
      return "avoid host " + effect.host;
    case running::Intervention::time_limit:
      return "limit executions to " + to_text(effect.limit);
    case running::Intervention::start_limit:
      return "limit the time in a slot before the execution to " + to_text(effect.limit);
    case running::Intervention::chosen:
      return "your changes";
  }
  throw InternalError("an intervention has a name");
}

Json jobs_json(RunningResult const& result) {
  return {{"all", result.jobs},        {"over", result.over}, {"succeeded", result.succeeded},
          {"running", result.running}, {"idle", result.idle}, {"not_started", result.fresh},
          {"held", result.held}};
}

/// State, end, and the deadline if there is one.
Brief outlook(RunningResult const& result, Screen const& screen) {
  Brief brief(screen);
  std::string const date = date_text(result.start_unix, result.now);
  brief.say(fmt::format("Now{}: {}.", date.empty() ? "" : " (" + date + ")", state_text(result)), 9,
            2);
  std::string const wanted = wanted_text(result);
  brief.say(wanted, 9, 2);
  brief.say(end_text(result, wanted.find("the closest is") != std::string::npos), 9, 2);
  brief.say(guess_text(result), 8, 2);
  brief.say(deadline_text(result), 8, 2);
  return brief;
}

}  // namespace

std::string brief_running(RunningResult const& result, Screen const& screen) {
  Brief brief = outlook(result, screen);
  // The effects have the room that they need; the jobs that delay the campaign have the rest.
  std::string const so_far = brief.text();
  std::string const effects = fitted(effects_text(result), brief.screen());
  auto const lines = static_cast<std::size_t>(std::count(so_far.begin(), so_far.end(), '\n') +
                                              std::count(effects.begin(), effects.end(), '\n'));
  std::string const next = next_command(screen);
  std::size_t const others = lines + 1 + (next.empty() ? 0 : 1);
  std::size_t const room = most_brief_lines - std::min(most_brief_lines, others);
  std::string delays;
  for (std::size_t most = 1; most <= result.delaying.size(); ++most) {
    auto text = fitted(delays_text(result, most), brief.screen());
    bool const fits = static_cast<std::size_t>(std::ranges::count(text, '\n')) <= room + 1;
    if (fits || delays.empty()) delays = std::move(text);
  }
  brief.add(delays, 6);
  brief.add(effects, 7);
  brief.add(next, 8);
  return brief.text();
}

std::string running_text(RunningResult const& result, Screen const& screen) {
  std::string text = outlook(result, screen).text() + fitted(effects_text(result), screen) + "\n";
  TextTable table("whole campaign|>median (90 %)");
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
  add(std::string(hours_name(result.without_gpus)), number_range(result.gpu_hours, 1));
  text += table.str(screen) + "\n" + fitted(delays_text(result, result.delaying.size()), screen);
  return text + fmt::format("{} futures.\n", result.futures);
}

std::string running_line(RunningResult const& result) {
  std::string text = state_text(result);
  if (result.guessed && !stays_held(result)) return text + " | no job has ended yet";
  if (result.succeeded < result.wanted) {
    Range90 const* const at = time_of_wanted(result);
    text += fmt::format(" | {} succeed{}", result.wanted, result.wanted == 1 ? "s" : "");
    text += at != nullptr ? " in " + after_text(result, at->middle)
                          : fmt::format(": {} probable", share_words(result.wanted_probability));
  }
  if (result.over == result.jobs) return text;
  if (stays_held(result)) return text + " | " + held_text(result);
  return text + fmt::format(" | all over in {}", after_text(result, result.end_s.middle));
}

void count_jobs(RunningResult& result, RunningCampaign const& campaign) {
  result.jobs = campaign.count();
  result.over = campaign.count(Stand::over);
  result.succeeded = campaign.count(history::RecordedEnd::succeeded);
  result.running = campaign.count(Stand::executing) + campaign.count(Stand::starting);
  result.idle = campaign.count(Stand::idle);
  result.fresh = campaign.count(Stand::fresh);
  result.held = campaign.count(Stand::held);
  result.of_unknown_programs = static_cast<std::size_t>(
      std::ranges::count_if(campaign.jobs, [](running::RunningJob const& job) {
        return job.unknown_program && job.stand != Stand::over;
      }));
}

/// The jobs that delay the end in the futures, each name once.
std::vector<DelayWords> delaying_jobs(RunningCampaign const& campaign,
                                      history::JobHistory const& history,
                                      RunningForecast const& forecast) {
  std::vector<DelayWords> all;
  for (running::DelayingJob const& job : forecast.delaying) {
    DelayWords words = job.job < history.jobs.size()
                           ? DelayWords{history::name_of_job(history, Id<history::Job>(job.job)),
                                        why_text(campaign, job.job, forecast.usual_execution)}
                           : DelayWords{name_to_come(campaign, job.job), "is not in the log yet"};
    auto const same = std::ranges::find(all, words.job, &DelayWords::job);
    DelayWords& row = same == all.end() ? all.emplace_back(std::move(words)) : *same;
    row.last += job.last;
    row.delay = std::max(row.delay, job.delay);
  }
  return all;
}

RunningResult running_result(RunningCampaign const& campaign, history::JobHistory const& history,
                             RunningForecast const& forecast, std::optional<Seconds> deadline) {
  using running::FutureFigures;
  RunningResult result;
  count_jobs(result, campaign);
  result.wanted = forecast.wanted;
  result.guessed = campaign.earlier.empty() &&
                   std::none_of(campaign.jobs.begin(), campaign.jobs.end(), [](auto const& job) {
                     return job.stand == Stand::over || job.repeats > 0;
                   });
  result.futures = forecast.futures.size();
  result.now = campaign.now;
  if (campaign.start_unix) result.start_unix = *campaign.start_unix + campaign.local_ahead_s;
  auto const range = [&](auto const& figure) { return range_over(forecast, figure); };
  result.wanted_at_s = range([](FutureFigures const& f) { return f.wanted_at.value(); });
  result.wanted_if_s = range_of(times_of_wanted(forecast));
  constexpr Seconds any_time(std::numeric_limits<double>::max());  // never is infinite
  result.wanted_probability = running::met_by(forecast, any_time);
  result.end_s = range([](FutureFigures const& f) { return f.end.value(); });
  result.final_successes = range([](FutureFigures const& f) { return count(f.succeeded); });
  result.wrong_output = range([](FutureFigures const& f) { return count(f.wrong_output); });
  result.final_held = range([](FutureFigures const& f) { return count(f.held); });
  result.removed = range([](FutureFigures const& f) { return count(f.removed); });
  result.slot_time_s = range([](FutureFigures const& f) { return f.slot_time.value(); });
  result.without_gpus = std::ranges::none_of(
      history.events, [&](auto const& event) { return history.gpus_of(event) != nullptr; });
  result.gpu_hours = range([](FutureFigures const& f) { return f.gpu_hours; });
  result.deadline = deadline;
  if (deadline) result.met = running::met_by(forecast, *deadline);
  result.hosts = hosts_in_use(campaign);
  result.delaying = delaying_jobs(campaign, history, forecast);
  for (running::Effect const& effect : forecast.effects) {
    result.effects.push_back({what_text(effect), range_of(effect.end_s), range_of(effect.succeeded),
                              range_of(effect.gpu_hours)});
  }
  return result;
}

Json running_json(RunningResult const& result) {
  Json json = {{"schema", "gridcast.running/1"},
               {"now_s", json_number(result.now.value())},
               {"now", date_text(result.start_unix, result.now)},
               {"jobs", jobs_json(result)},
               {"wanted", result.wanted},
               {"wanted_probability", json_number(result.wanted_probability)},
               {"guessed", result.guessed},
               {"of_unknown_programs", result.of_unknown_programs},
               {"futures", result.futures},
               {"metrics",
                {{"makespan_s", json_value(result.end_s)},
                 {"wanted_at_s", json_value(result.wanted_at_s)},
                 {"succeeded", json_value(result.final_successes)},
                 {"wrong_output", json_value(result.wrong_output)},
                 {"held", json_value(result.final_held)},
                 {"removed", json_value(result.removed)},
                 {"wallclock_s", json_value(result.slot_time_s)},
                 {"gpu_hours", json_value(result.gpu_hours)}}},
               {"hosts", result.hosts},
               {"delaying", json_value(result.delaying)},
               {"interventions", json_value(result.effects)}};
  if (result.deadline) {
    json["deadline"] = {{"at_s", json_number(result.deadline->value())},
                        {"probability", json_number(result.met)}};
  }
  return json;
}

}  // namespace gridcast::report
