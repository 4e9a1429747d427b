// The transfers of single URLs, of ads, in terms of a history.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/condor/job_ads.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// An attempt of the history, in Unix seconds, and the numbers that the ads give it.
struct DatedAttempt {
  std::int64_t begin = 0, end = 0;
  std::vector<std::uint32_t> numbers;
};

class UrlTransfers {
 public:
  /// `history` has to have its start date.
  explicit UrlTransfers(history::JobHistory& history) : history_(history) {}

  /// The ads' transfers of a job, each with the attempt of its number or, where no attempt has
  /// that, of its time. Returns how many are of no attempt and were left out.
  std::size_t add(Id<history::Job> job, std::vector<UrlTransferAd> const& ads,
                  std::vector<DatedAttempt> const& attempts);

 private:
  std::uint32_t url_named(std::string const& url);

  history::JobHistory& history_;
  std::map<std::string, std::uint32_t, std::less<>> urls_;
};

}  // namespace gridcast::condor
