// One job of a log with its ads; for merge().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/condor/ad_attempt.hpp"
#include "sim/condor/job_ads.hpp"
#include "sim/condor/merge_ads.hpp"
#include "sim/condor/url_transfers.hpp"
#include "sim/history/attempts.hpp"

namespace gridcast::condor {

/// Sites as the ads of all jobs name them.
class AdSites {
 public:
  explicit AdSites(JobAds const& ads);
  /// By the ad's own word, else by what other ads say of its startd; empty if none does.
  std::string of(AttemptAdFacts const& attempt) const;
  bool names(std::string const& site) const { return names_.count(site) > 0; }

 private:
  std::set<std::string> names_;
  std::map<std::string, std::string> by_startd_;
};

class JobMerge {
 public:
  /// `history` has true dates already; its events are not looked at.
  JobMerge(history::JobName name, JobAd const& ad, AdSites const& sites,
           history::JobHistory& history, MergeReport& report);

  /// The job's events, with what the ads add to them.
  std::vector<history::JobEvent> merged(std::vector<history::JobEvent> events);

  /// After that: its attempts as they are then.
  std::vector<DatedAttempt> attempts() const;

 private:
  std::int64_t unix_of(Seconds at) const;
  Seconds at_unix(std::int64_t unix_s) const;
  void pair_attempts();
  std::optional<std::size_t> span_of(AttemptAdFacts const& attempt, std::size_t from) const;
  void move_start(history::AttemptSpan const& span, AttemptAdFacts const& attempt);
  void name_site(history::AttemptSpan const& span, AttemptAdFacts const& attempt);
  void insert_attempt(std::size_t index);
  std::optional<std::size_t> place_for(Seconds start) const;
  void add_end();
  void compare();
  void compare_status(history::JobEvent const& last);
  void conflict(std::string what);

  history::JobName name_;
  JobAd const& ad_;
  AdSites const& sites_;
  history::JobHistory& history_;
  MergeReport& report_;
  std::vector<history::JobEvent> events_;
  std::vector<history::AttemptSpan> spans_;
  std::vector<AttemptAdFacts> ad_attempts_;
  std::vector<std::optional<std::size_t>> span_of_ad_;  // as ad_attempts_
};

}  // namespace gridcast::condor
