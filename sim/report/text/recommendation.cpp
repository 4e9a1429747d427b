// The recommendation of a report page: the strategy to use, whether to submit as planned, or the
// change that follows from a record. It uses the figures on the page alone.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/answer.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/reason_words.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::report {
namespace {

/// Below this share of the slot time a loss is worth no change.
constexpr double small_loss = 0.05;
/// A deadline that so many campaigns meet can be relied on.
constexpr double sure = 0.9;

/// The remedy for a line of lost slot time: an act in words, and the strategy's keys for it.
struct Remedy {
  std::string_view line, act, keys;
};

constexpr std::string_view of_transfers =
    "try another stall timer, the next cache, or a cool-down after a failure";
constexpr std::string_view transfer_keys =
    "transfer.stall_timeout, transfer.on_stall, retry.on_transfer_failure";
constexpr std::string_view of_held =
    "release these jobs by policy, or remove the cause of the hold";
constexpr std::string_view release_keys = "release.transfer_holds_after, retry.periodic_release";
constexpr std::string_view of_wrong =
    "let the job check its result and exit with an error, so that max_retries repeats it";

constexpr Remedy remedies[] = {
    {"transfer_retried_s", of_transfers, transfer_keys},
    {"transfer_retried_unsuccessful_s", of_transfers, transfer_keys},
    {"transfer_held_s", of_held, release_keys},
    {"compute_held_s", of_held, release_keys},
    {"compute_evicted_s", "save checkpoints, or split the work into shorter jobs",
     "checkpoint.every_epochs, submit.input_parts"},
    {"compute_retried_s", "find the cause of the failed executions in the jobs' standard error",
     "retry.max_retries, match.avoid_site_after_failures"},
    {"compute_wrong_output_s", of_wrong, "retry.max_retries"},
    {"transfer_wrong_output_s", of_wrong, "retry.max_retries"},
    {"checkpoint_s", "save checkpoints less often", "checkpoint.every_epochs"},
    {"suspended_s", "avoid the sites that suspend jobs", "match.requirements"},
    {"contact_lost_s", "try another lease", "limits.job_lease_duration"},
    {"overhead_s", "put the work of several jobs into one", "submit.jobs_in_one"},
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

Remedy const* remedy_of(Loss const& loss) {
  auto const* const found = std::find_if(std::begin(remedies), std::end(remedies),
                                         [&](auto const& each) { return each.line == loss.line; });
  return found == std::end(remedies) ? nullptr : found;
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
  return fmt::format(" {}. These settings act on it: {}.", loss_words(loss), remedy->keys);
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
    return fmt::format("most costly: {} because {} ({}, {}). {}", reason->ended, reason->what,
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

}  // namespace gridcast::report
