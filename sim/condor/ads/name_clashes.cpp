#include "sim/condor/ads/name_clashes.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::condor {

void FirstProblems::add(Problem problem) {
  constexpr std::size_t most = 10;
  if (problems_.size() == most) {
    ++more_;
  } else {
    problems_.push_back(std::move(problem));
  }
}

void FirstProblems::refuse(std::string const& noun) const {
  if (problems_.empty()) return;
  std::vector<Problem> problems = problems_;
  if (more_ > 0) add_problem(problems, {}, "and " + counted(more_, "more " + noun));
  throw InputError(std::move(problems));
}

bool are_two_jobs(JobAdFacts const& one, JobAdFacts const& other) {
  bool const dates = one.q_date && other.q_date && one.q_date != other.q_date;
  bool const both_ids = !one.global_job_id.empty() && !other.global_job_id.empty();
  return dates || (both_ids && one.global_job_id != other.global_job_id);
}

bool NameClashes::is_of_another(AdsOfJob& job, history::JobName name, JobAdFacts const& facts,
                                std::size_t line) {
  std::size_t const here = files_.size() - 1;
  bool const known = job.facts.q_date || !job.facts.global_job_id.empty();
  if (!known) job.file = here;
  if (job.file == here || !are_two_jobs(job.facts, facts)) return false;
  problems_.add({{files_[here], static_cast<int>(line)},
                 fmt::format("job {} is in {} as well, and is another there", to_text(name),
                             files_[job.file]),
                 "its QDate or GlobalJobId differs",
                 "If these are two campaigns, --prefix keeps them apart."});
  return true;
}

}  // namespace gridcast::condor
