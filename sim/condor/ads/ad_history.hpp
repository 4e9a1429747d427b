// The facts of attempts in ads, as the events that a log would have shown; and the history that
// they make without a log. HTCondor manual, "Job ClassAd Attributes"; condor_history(1), epoch
// history.
//
// Ads do not contain: suspensions, checkpoints and reconnections within the attempt (only their
// numbers), and an attempt's end before EpochWriteDate, which follows it within a second.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/base/lists.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// An event without job, site and campaign time.
struct AdEvent {
  std::int64_t unix_s = 0;
  JobEvent event;
};

/// The attempts of a job's EPOCH ads and, where there is none of the last one, its facts in the
/// job's own ad. In order of their starts; those without a start left out.
std::vector<AttemptAdFacts> attempts_of(AdsOfJob const& job);

/// Sets how these ended, as far as the job's own ad counts it; the ends of the others are unknown.
/// Returns the holds without a remaining attempt: the job was held in the queue.
std::vector<AttemptAdFacts> set_earlier_ends(JobAdFacts const& job,
                                             std::vector<AttemptAdFacts>& attempts);

/// Below are hold codes.
inline constexpr int first_vacate_code = 1000;
/// CONDOR_HOLD_CODE of HTCondor's condor_holdcodes.h: hold codes, and vacate codes, by the names
/// that NumHoldsByReason and NumVacatesByReason have for them. 0 for a name that is not known.
int code_named(std::string_view name);

/// True if the job had another attempt behind one.
enum class Turn { followed, last };
inline Turn turn_of(std::size_t index, std::size_t attempts) {
  return index + 1 == attempts ? Turn::last : Turn::followed;
}

/// Matched to end; without an end while the attempt runs.
std::vector<AdEvent> events_of_attempt(JobAdFacts const& job, AttemptAdFacts const& attempt,
                                       Turn turn);

/// The events of an attempt get its GPUs (JobEvent::gpus).
void put_gpus(std::vector<AdEvent>& events, std::uint16_t gpus);

/// Sites as the ads of all jobs name them.
class AdSites {
 public:
  explicit AdSites(JobAds const& ads);
  /// By the ad's own name, else by other ads of its startd; empty if none has it.
  std::string of(AttemptAdFacts const& attempt) const;
  bool names(std::string const& site) const { return names_.count(site) > 0; }
  bool names_none() const { return names_.empty(); }

 private:
  void add(std::string const& site, std::string const& host);

  std::set<std::string> names_;
  std::map<std::string, std::string> by_startd_;
};

/// The slots of a record, by the hosts that ads name.
class AdSlots {
 public:
  explicit AdSlots(JobHistory& history) : slots_(history.slots), names_(history.slots) {}
  /// JobEvent::slot; 0 where the ad names no host.
  std::uint32_t operator()(std::string const& remote_host);

 private:
  std::vector<std::string>& slots_;
  Names names_;
};

/// An attempt of the history, in Unix seconds, and the numbers that the ads give it.
struct AttemptTimes {
  std::int64_t begin = 0, end = 0;
  std::vector<std::uint32_t> numbers;
};

/// The transfers of single URLs, of ads, in terms of a history.
class UrlTransfers {
 public:
  /// `history` has to have its start date.
  explicit UrlTransfers(JobHistory& history)
      : history_(history), urls_(history.urls), caches_(history.caches) {}

  /// The ads' transfers of a job, each with the attempt of its number or, where no attempt has
  /// that, of its time. Returns how many are of no attempt and were left out.
  std::size_t add(Id<history::Job> job, std::vector<UrlTransferAd> const& ads,
                  std::vector<AttemptTimes> const& attempts);

 private:
  std::vector<history::CacheTry> tries_of(UrlTransferAd const& ad);

  JobHistory& history_;
  Names urls_, caches_;
};

/// Brings events into the order of time, and transfers into that of jobs and attempts.
void settle_order(JobHistory& history);

struct MergeReport;

/// Without a log: an attempt for each EPOCH ad, or as many as the job's own ad counts. Some facts
/// are then not known, and the report notes them: when a job was released (at the latest when it
/// was next matched, and so it is recorded), checkpoints and suspensions, and attempts without an
/// ad. InputError without a dated job.
JobHistory history_from_ads(JobAds const& ads, MergeReport& report);

}  // namespace gridcast::condor
