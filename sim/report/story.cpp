#include "sim/report/story.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/attempts.hpp"
#include "sim/report/ledger_text.hpp"
#include "sim/report/table.hpp"

namespace gridcast {
namespace {

constexpr std::size_t worst_shown = 5;

std::string_view reason_words(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "no reason given";
    case Reason::transfer_stalled:
      return "the transfer stalled";
    case Reason::transfer_failed:
      return "the transfer failed";
    case Reason::not_found:
      return "404, no such file";
    case Reason::no_progress:
      return "aborted due to lack of progress";
    case Reason::input_too_large:
      return "input over the transfer limit";
    case Reason::execution_too_long:
      return "over the execution limit";
    case Reason::pilot_ended:
      return "the pilot ended";
    case Reason::site_network_down:
      return "the site's network was down";
    case Reason::corrupt_input:
      return "the archive did not unpack";
    case Reason::manual:
      return "by hand";
    case Reason::policy:
      return "by policy";
    case Reason::transfer_timeout:
      return "the transfer outlived its limit";
    case Reason::output_missing:
      return "an output file was missing";
    case Reason::output_failed:
      return "the output transfer failed";
    case Reason::checkpoint_failed:
      return "the checkpoint could not be stored";
    case Reason::exit_code:
      return "the program failed";
    case Reason::killed_by_signal:
      return "a signal killed the program";
    case Reason::vacated:
      return "the site took the slot back";
    case Reason::lost_contact:
      return "the slot was lost";
    case Reason::out_of_resources:
      return "over the memory or disk request";
    case Reason::job_too_long:
      return "over the job's time limit";
    case Reason::system:
      return "HTCondor put it on hold";
    case Reason::unknown:
      return "no reason given";
  }
  return "";
}

std::string times_text(int n) { return n == 1 ? "once" : fmt::format("{} times", n); }

/// What happened to one job on the way to its end.
struct Life {
  std::map<std::string, int> stalls;  // by site
  int evictions = 0, releases = 0, failures = 0;
  bool matched = false;
  JobEvent last;
  Seconds executing_since;
  Seconds executed;
};

Life life_of(JobHistory const& history, std::vector<std::uint32_t> const& events) {
  Life life;
  for (auto const index : events) {
    auto const& event = history.events[index];
    life.last = event;
    if (event.kind == EventKind::matched) life.matched = true;
    if (event.kind == EventKind::evicted) ++life.evictions;
    if (event.kind == EventKind::released) ++life.releases;
    if (event.kind == EventKind::executing) {
      life.executing_since = event.at;
      life.executed = Seconds();
    }
    if (event.kind == EventKind::transfer_output_started || event.kind == EventKind::terminated) {
      if (life.executed == Seconds()) life.executed = event.at - life.executing_since;
    }
    if (event.kind != EventKind::shadow_exception) continue;
    if (event.reason == Reason::transfer_stalled && event.site.valid()) {
      ++life.stalls[history.sites[event.site.index()]];
    } else {
      ++life.failures;
    }
  }
  return life;
}

std::string end_in_words(Life const& life) {
  switch (life.last.kind) {
    case EventKind::terminated: {
      auto const computed = "computed " + to_text(life.executed);
      if (life.last.useful) return computed;
      return fmt::format("{}, no result: {}", computed, reason_words(life.last.reason));
    }
    case EventKind::held:
      return fmt::format("held: {}", reason_words(life.last.reason));
    case EventKind::aborted:
      return "removed";
    default:
      return life.matched ? "not finished" : "never matched";
  }
}

std::string in_words(Life const& life) {
  std::string text;
  auto const add = [&text](std::string const& part) {
    if (!text.empty()) text += ", ";
    text += part;
  };
  for (auto const& [site, n] : life.stalls) {
    add(fmt::format("stalled {} at {}", times_text(n), site));
  }
  if (life.failures > 0) add(fmt::format("transfer failed {}", times_text(life.failures)));
  if (life.evictions > 0) add(fmt::format("evicted {}", times_text(life.evictions)));
  if (life.releases > 0) add(fmt::format("held and released {}", times_text(life.releases)));
  add(end_in_words(life));
  return text;
}

/// Slot time of each job less the execution and the transfer that gave its result.
std::vector<Seconds> lost_by_job(JobHistory const& history, Ledger const& ledger) {
  std::vector<Seconds> lost(history.jobs.size());
  for (auto const& attempt : attempts_of(history)) {
    if (attempt.ended) lost[attempt.job.index()] += *attempt.ended - attempt.matched;
  }
  for (std::size_t j = 0; j < lost.size(); ++j) {
    auto const& job = ledger.jobs[j];
    if (!job.succeeded) continue;
    lost[j] -= job.final_execution.value_or(Seconds()) + job.last_transfer.value_or(Seconds());
  }
  return lost;
}

/// Words from column `indent` on, in lines that fit a page; ends with a newline.
std::string wrapped(std::string const& words, std::size_t indent) {
  constexpr std::size_t page = 96;
  std::string text;
  std::size_t column = indent;
  for (std::string const& word : split(words, ' ')) {
    if (column > indent && column + 1 + word.size() > page) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text + "\n";
}

std::string worst_jobs(JobHistory const& history, Ledger const& ledger) {
  auto const lost = lost_by_job(history, ledger);
  std::vector<std::size_t> order(lost.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
  order.resize(std::min(order.size(), worst_shown));

  auto const events = events_by_job(history);
  std::string text = fmt::format("{:<10}  {:>7}  what happened\n", "worst jobs", "lost");
  for (std::size_t const j : order) {
    std::string const start =
        fmt::format("{:<10}  {:>7}  ", to_text(history.jobs[j]), to_text(lost[j]));
    text += start + wrapped(in_words(life_of(history, events[j])), start.size());
  }
  return text;
}

std::string curve(JobHistory const& history, Ledger const& ledger, Charset charset) {
  std::vector<double> times;
  for (auto const& job : ledger.outcomes) {
    if (job.succeeded() && job.ended_at.known()) times.push_back((*job.ended_at).value());
  }
  double const end = ledger.makespan.value_or(Seconds()).value();
  if (times.empty()) return "";
  return "jobs that had succeeded\n" + finish_curve(times, history.jobs.size(), end, charset) +
         "\n";
}

/// When each user's last job ended; nothing of one user.
std::string ends_by_user(JobHistory const& history, Ledger const& ledger) {
  std::map<std::string, Seconds> ends;
  for (std::size_t j = 0; j < history.users.size(); ++j) {
    Seconds& end = ends[history.users[j]];
    end = std::max(end, ledger.jobs[j].ended_at.value_or(Seconds()));
  }
  std::string text;
  for (auto const& [user, end] : ends) {
    text += fmt::format("{}'s last job ended after {}\n", user.empty() ? "(no name)" : user,
                        to_text(end));
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string life_in_words(JobHistory const& history, Id<Job> job) {
  return in_words(life_of(history, events_by_job(history)[job.index()]));
}

std::string story(std::string const& title, JobHistory const& history, Charset charset) {
  Ledger const ledger = account(history);
  return title + "\n" + curve(history, ledger, charset) + ends_by_user(history, ledger) +
         ledger_text(ledger) + "\n" + worst_jobs(history, ledger);
}

}  // namespace gridcast
