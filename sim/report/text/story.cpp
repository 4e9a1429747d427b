#include "sim/report/text/story.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/report/text/layout.hpp"
#include "sim/report/text/ledger_text.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t worst_shown = 5;
/// Less is rounding.
constexpr Seconds worth_a_row(0.5);

// In the order of Reason.
constexpr std::array<std::string_view, history::reason_count> reason_words = {
    "no reason given",
    "the transfer stalled",
    "the transfer failed",
    "404, no such file",
    "aborted due to lack of progress",
    "input over the transfer limit",
    "over the execution limit",
    "the pilot ended",
    "the site's network was down",
    "the archive did not unpack",
    "by hand",
    "by policy",
    "the transfer outlived its limit",
    "an output file was missing",
    "the output transfer failed",
    "the checkpoint could not be stored",
    "the program failed",
    "a signal killed the program",
    "the site took the slot back",
    "the slot was lost",
    "over the memory or disk request",
    "over the job's time limit",
    "HTCondor put it on hold",
    "no reason given",
    "it never began to execute, and its ending is not recorded",
    "its ending is not recorded",
    "another job of its DAG's node failed",
};

std::string_view words_for(history::Reason reason) {
  return reason_words[static_cast<std::size_t>(reason)];
}

std::string times_text(int n) { return n == 1 ? "once" : fmt::format("{} times", n); }

std::string end_in_words(JobStory const& life) {
  switch (life.last.kind) {
    case history::EventKind::terminated: {
      auto const computed = "computed " + to_text(life.executed);
      if (life.last.useful) return computed;
      return fmt::format("{}, no result: {}", computed, words_for(life.last.reason));
    }
    case history::EventKind::held:
      return fmt::format("held: {}", words_for(life.last.reason));
    case history::EventKind::aborted:
      return "removed";
    default:
      return life.matched ? "not finished" : "never matched";
  }
}

std::string curve(std::size_t jobs, ledger::Ledger const& ledger, Screen const& screen) {
  std::vector<double> times;
  for (auto const& job : ledger.outcomes) {
    if (job.succeeded() && job.ended_at.known()) times.push_back((*job.ended_at).value());
  }
  double const end = ledger.makespan.value_or(Seconds()).value();
  if (times.empty()) return "";
  return "jobs that had succeeded\n" + finish_curve(std::move(times), jobs, end, screen) + "\n";
}

/// When each user's last job ended; nothing of one user.
std::string ends_by_user(history::JobHistory const& history, ledger::Ledger const& ledger) {
  std::map<std::string, Seconds> ends;
  for (std::size_t j = 0; j < history.users.size(); ++j) {
    Seconds& end = ends[history.users[j]];
    ledger::KnownTime const ended = ledger.outcomes[j].ended_at;
    if (ended.known()) end = std::max(end, *ended);
  }
  std::string text;
  for (auto const& [user, end] : ends) {
    text += fmt::format("{}'s last job ended after {}\n", user.empty() ? "(no name)" : user,
                        to_text(end));
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

void JobStory::add(history::AttemptStep const& step, std::vector<std::string> const& sites) {
  history::JobEvent const& event = step.event;
  last = event;
  if (step.begins == history::Sign::match) {
    matched = true;
    claimed = event.at;
  }
  // The slot time of an attempt whose match is not on record is not known.
  if (step.ends && step.begun_by == history::Sign::match) slot_time += event.at - claimed;
  bool const by_timer = history::ended_by_stall_timer(event);
  if (event.kind == history::EventKind::evicted && !by_timer) ++evictions;
  if (event.kind == history::EventKind::released) ++releases;
  if (event.kind == history::EventKind::executing) {
    executing_since = event.at;
    executed = Seconds();
  }
  if (event.kind == history::EventKind::transfer_output_started ||
      event.kind == history::EventKind::terminated) {
    if (executed == Seconds()) executed = event.at - executing_since;
  }
  if (by_timer && event.site.valid()) {
    ++stalls[sites[event.site.index()]];
  } else if (event.kind == history::EventKind::shadow_exception) {
    ++failures;
  }
}

std::string in_words(JobStory const& life) {
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

void WorstJobs::add(history::AttemptStep const& step) {
  if (step.event.kind == history::EventKind::submitted) return;
  lives_[step.event.job].add(step, names_.sites);
}

void WorstJobs::settle(Id<history::Job> job, ledger::JobAccount const& account) {
  if (job.index() >= settled_.size()) settled_.resize(job.index() + 1);
  settled_[job.index()] = true;
  static JobStory const only_submitted;
  JobStory const* const known = lives_.find(job);
  JobStory const& life = known ? *known : only_submitted;
  Seconds lost = life.slot_time;
  if (account.succeeded) {
    lost -= account.final_execution.value_or(Seconds()) + account.last_transfer.value_or(Seconds());
  }
  enter(job, lost, life);
  lives_.forget(job);
}

// Dearest first, of equals the first job.
void WorstJobs::enter(Id<history::Job> job, Seconds lost, JobStory const& life) {
  if (lost < worth_a_row) return;
  auto const before = [&](Entry const& other) {
    return other.lost != lost ? other.lost > lost : other.job < job;
  };
  auto const place = std::partition_point(worst_.begin(), worst_.end(), before);
  if (place == worst_.end() && worst_.size() == worst_shown) return;
  worst_.insert(place, {job, lost, in_words(life)});
  if (worst_.size() > worst_shown) worst_.pop_back();
}

void WorstJobs::finish() {
  settled_.resize(names_.jobs.size());
  for (std::size_t j = 0; j < settled_.size(); ++j) {
    if (!settled_[j]) settle(Id<history::Job>(j), {});
  }
}

std::string WorstJobs::text(Screen const& screen) const {
  if (worst_.empty()) return "No job lost any slot time.\n";
  std::size_t const width = std::min(screen.width, most_curve);
  std::string text = fmt::format("{:<10}  {:>7}  events\n", "worst jobs", "lost");
  for (Entry const& entry : worst_) {
    std::string const start =
        fmt::format("{:<10}  {:>7}  ", name_of_job(names_, entry.job), to_text(entry.lost));
    std::string const words = printable(entry.words, screen.charset);
    text += start + paragraph(words, {width, start.size(), start.size()});
  }
  return text;
}

Story::Story(history::JobHistory const& names)
    : names_(names),
      accountant_({.dated = names.dated, .jobs = names.jobs.size()}),
      worst_(names) {}

void Story::follow(history::AttemptStep const& step) {
  accountant_.add(step);
  worst_.add(step);
}

void Story::settled(Id<history::Job> job) {
  worst_.settle(job, accountant_.account_so_far(job));
  accountant_.settle(job);
}

void Story::finish() {
  // A history that was kept does not mark the jobs that are done.
  for (std::size_t j = 0; j < names_.jobs.size(); ++j) {
    Id<history::Job> const job(j);
    if (!worst_.is_settled(job)) worst_.settle(job, accountant_.account_so_far(job));
  }
  ledger_ = accountant_.finish(names_);
  worst_.finish();
}

std::string Story::text(std::string const& title, Screen const& screen) const {
  return fitted(title, screen) + "\n" + curve(names_.jobs.size(), ledger_, screen) +
         ends_by_user(names_, ledger_) + ledger_text(ledger_, screen) + "\n" + worst_.text(screen);
}

std::string story(std::string const& title, history::JobHistory const& history,
                  Screen const& screen) {
  Story story(history);
  for (history::JobEvent const& event : history.events) story.add(event);
  story.finish();
  return story.text(title, screen);
}

}  // namespace gridcast::report
