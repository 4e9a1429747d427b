#include "sim/report/text/story.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/report/text/ledger_text.hpp"

namespace gridcast::report {
namespace {

/// When each user's last job ended; nothing of one user.
std::string ends_by_user(history::JobHistory const& history, ledger::Ledger const& ledger) {
  std::map<std::string, Seconds> ends;
  for (std::size_t j = 0; j < history.users.size(); ++j) {
    Seconds& end = ends[history.users[j]];
    ledger::KnownTime const ended = ledger.outcomes[j].ended_at;
    if (ended) end = std::max(end, *ended);
  }
  std::string text;
  for (auto const& [user, end] : ends) {
    text += fmt::format("{}'s last job ended after {}\n", user.empty() ? "(no name)" : user,
                        to_text(end));
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

Story::Story(history::JobHistory const& names)
    : names_(names),
      accountant_({.dated = names.dated, .jobs = names.jobs.size(), .occupied = names.occupied}) {}

void Story::follow(history::AttemptStep const& step) { accountant_.add(step); }

void Story::settled(Id<history::Job> job) { accountant_.settle(job); }

void Story::finish() { ledger_ = accountant_.finish(names_); }

std::string Story::text(std::string const& title, Screen const& screen) const {
  std::string const reasons = reasons_text(ledger_, screen);
  return fitted(title, screen) + "\n" + ends_by_user(names_, ledger_) +
         ledger_text(ledger_, screen) + (reasons.empty() ? "" : "\n" + reasons);
}

std::string story(std::string const& title, history::JobHistory const& history,
                  Screen const& screen) {
  Story story(history);
  for (history::JobEvent const& event : history.events) story.add(event);
  story.finish();
  return story.text(title, screen);
}

}  // namespace gridcast::report
