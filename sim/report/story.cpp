#include "sim/report/story.hpp"

#include <utility>
#include <vector>

#include "sim/report/ledger_text.hpp"
#include "sim/report/paragraph.hpp"

namespace gridcast {
namespace {

std::string curve(std::size_t jobs, Ledger const& ledger, Screen const& screen) {
  std::vector<double> times;
  for (auto const& job : ledger.outcomes) {
    if (job.succeeded() && job.ended_at.known()) times.push_back((*job.ended_at).value());
  }
  double const end = ledger.makespan.value_or(Seconds()).value();
  if (times.empty()) return "";
  return "jobs that had succeeded\n" + finish_curve(std::move(times), jobs, end, screen) + "\n";
}

}  // namespace

Story::Story(JobHistory const& names)
    : names_(names),
      accountant_({.dated = names.dated, .jobs = names.jobs.size()}),
      worst_(names) {}

void Story::add(JobEvent const& event) {
  accountant_.add(event);
  worst_.add(event);
}

void Story::settled(Id<Job> job) {
  worst_.settle(job, accountant_.account_so_far(job));
  accountant_.settle(job);
}

void Story::finish() {
  ledger_ = accountant_.finish(names_);
  worst_.finish();
}

std::string Story::text(std::string const& title, Screen const& screen) const {
  return fitted(title, screen) + "\n" + curve(names_.jobs.size(), ledger_, screen) +
         ledger_text(ledger_, screen) + "\n" + worst_.text(screen);
}

}  // namespace gridcast
