// Ads of two campaigns that number their jobs alike, as two access points do, or one whose queue
// was made anew.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/condor/ads/job_ads.hpp"

namespace gridcast::condor {

/// The first ten problems of one kind.
class FirstProblems {
 public:
  void add(Problem problem);
  /// InputError if there are any, with the number of the others: "and 3 more jobs".
  void refuse(std::string const& noun) const;

 private:
  std::vector<Problem> problems_;
  std::size_t more_ = 0;
};

/// True if two jobs that are called alike are two: submitted at different times, or with different
/// ids.
bool are_two_jobs(JobAdFacts const& one, JobAdFacts const& other);

/// Jobs of a file that are others in a file before it.
class NameClashes {
 public:
  /// Their names; the last is that of the file being read.
  explicit NameClashes(std::vector<std::string> const& files) : files_(files) {}

  /// An ad about the job itself; `job` is its known state.
  bool is_of_another(AdsOfJob& job, history::JobName name, JobAdFacts const& facts,
                     std::size_t line);

  /// InputError if there are any: of the first, and how many more.
  void refuse() const { problems_.refuse("ad"); }

 private:
  std::vector<std::string> const& files_;
  FirstProblems problems_;
};

}  // namespace gridcast::condor
