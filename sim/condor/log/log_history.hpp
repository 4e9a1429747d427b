// From the events of logs to a JobHistory: names the jobs, sites and slots, and lets each job's
// life make sense of its own events. Memory is in proportion to jobs.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/lists.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/job_life.hpp"
#include "sim/condor/log/log_clock.hpp"
#include "sim/condor/log/log_copies.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/condor/log/resource_rows.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

class LogHistory {
 public:
  using Sink = std::function<void(JobEvent const&)>;

  /// The sink gets a job's events in order, with slots and sites whose names come with finish(); a
  /// site that only the whole of the logs determines has an Id of its own till then, and the name
  /// of another's, or none, in the end.
  LogHistory(LogWarnings& warnings, Sink sink);

  /// Without a sink: keeps the events, and adds all names that are found later.
  explicit LogHistory(LogWarnings& warnings);

  void add(RawEvent const& event, std::int64_t at_ms);

  /// Once, after all events: all but the report. Without events that are kept there are no words,
  /// runs and uses.
  LoggedHistory finish();

 private:
  struct EndedJob {
    std::int64_t at_ms;
    std::uint32_t job;
  };

  std::uint32_t job_named(JobName name);
  std::uint32_t new_job(JobName name);
  void keep_words(RawEvent const& event, std::int64_t at_ms);
  void keep_run(RawEvent const& event, std::int64_t at_ms);
  void count_bytes(history::MovedBytes const& moved, AttemptPlace const* attempt);
  history::BytesBySite name_bytes() const;
  std::uint16_t gpus_of(RawEvent const& event);
  void set_executions_gpus();
  void add_names(RawEvent const& event, std::uint32_t job);
  void note_post_script(RawEvent const& event);
  history::JobLabel& label(std::uint32_t job);
  std::int64_t on_steady_clock(LogNote const& note, std::uint32_t job);
  void place_note(LogNote& note, RawEvent const& event);
  std::uint32_t place_index(SlotPlace const& place);
  std::string place_name(SlotPlace const& place);
  void emit(JobEvent event, std::int64_t at_ms, AttemptPlace const* attempt);
  void let_rest(std::int64_t now_ms);
  Id<history::Site> site_to_come(std::uint32_t slot);
  Id<history::Site> new_site(std::string_view name);
  Id<history::Site> site_by_host(SlotPlace const& place);
  void find_sites();
  void name_places();
  Seconds settle_order();
  void warn_of_silence(JobLife::LastWord const& word);
  void warn_of_gap(LogNote const& note);

  LogWarnings& warnings_;
  Sink sink_;
  bool keeps_;
  JobHistory history_;
  std::vector<LoggedWords> words_;
  std::vector<LoggedRun> runs_;
  ResourceUses uses_;
  // By the site that the log names, 1 + its Id, or 0, and the place.
  std::map<std::pair<std::uint32_t, std::uint32_t>, history::MovedBytes> bytes_;
  ExecutionPoints execution_points_{history_.sites};
  LifeContext context_;
  std::deque<JobLife> jobs_;
  std::deque<RepeatedEvents> repeated_;  // by job
  std::unordered_map<std::uint64_t, std::uint32_t> job_index_;
  JobName last_name_;
  std::uint32_t last_job_ = 0;
  std::vector<std::string> slot_names_ = {""};
  Names slot_named_{slot_names_};
  std::map<SlotPlace, std::uint32_t> place_index_;
  std::vector<SlotPlace> places_;
  std::vector<Id<history::Site>> sites_to_come_;                      // by place, of a stream
  std::vector<Id<history::Site>> sites_of_places_;                    // by place, in the end
  std::map<std::string, Id<history::Site>, std::less<>> site_index_;  // named by the log
  std::map<std::string, Id<history::Site>, std::less<>> host_sites_;  // called after their hosts
  std::deque<EndedJob> resting_;
  ClockSteps steps_;
  std::uint32_t stepped_file_ = 0;                     // of steps_
  std::map<int, std::size_t> gpus_requested_;          // by how many runs
  std::size_t on_named_hosts_ = 0, on_addresses_ = 0;  // executions, by how 001 names the place
  std::optional<std::int64_t> origin_ms_, last_ms_;
};

}  // namespace gridcast::condor
