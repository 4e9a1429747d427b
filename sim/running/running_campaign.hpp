// The state of a campaign at the end of its record: where each job stands, and since when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/history/recorded_jobs.hpp"

namespace gridcast::running {

using history::AfterHold;
using history::EventKind;
using history::RecordedAttempt;
using history::RecordedEnd;
using history::RecordedJob;

enum class Stand : std::uint8_t {
  fresh,      // has never had a slot
  starting,   // in a slot, before its execution: input transfer, setup
  executing,  // until its slot is free again, output included
  idle,       // in the queue again
  held,
  over,  // ended, or removed
};
/// "fresh", "starting".
std::string_view name(Stand stand);

struct RunningJob {
  Stand stand = Stand::fresh;
  Seconds since;             // on the clock of the campaign
  std::size_t attempts = 0;  // that ended
  std::size_t repeats = 0;   // of these, the executions that did not end the job
  RecordedEnd end = RecordedEnd::unfinished;
  Seconds saved = {};              // work in checkpoints of the executions before
  history::Ending last = {};       // of the last attempt or hold; of no use without one
  std::string host = {};           // of the present attempt; empty where the record names none
  std::size_t holds_in_queue = 0;  // since its last attempt
  std::size_t failures = 0;        // of its program
  int retries = 0;                 // of its node that are left (RETRY)
  double gpus = 1;                 // of the present attempt, or the one before; else as usual
  double scale = 1;                // of its program's executions
  /// Its program, if none of whose executions has ended: a place in unknown_programs.
  std::optional<std::size_t> unknown_program = {};
  bool replaced = false;  // DAGMan has submitted its node again since
};

struct AttemptPlace {
  std::string host;  // empty where the record names none
  Seconds begin;
  Seconds end;  // so far, if it continues
};

/// A node of a DAG.
struct CampaignNode {
  std::string name;
  std::vector<std::size_t> jobs = {};     // of its latest cluster, or to come
  std::vector<std::size_t> parents = {};  // nodes
  bool submitted = true;
  int retries = 0;  // RETRY that are left, of several jobs; those of one job are the job's
};

/// A node as its DAG describes it.
struct PlannedNode {
  std::string name;
  std::size_t jobs = 0;
  std::vector<std::string> after = {};  // names of nodes, those without jobs resolved
  int retries = 0;                      // RETRY
  double gpus = 1;                      // that each of its jobs requests
  std::string program = {};             // nodes of one program have one name
};

struct RunningCampaign {
  history::RecordedJobs record = {};                   // attempts of all jobs
  std::vector<std::vector<AttemptPlace>> places = {};  // of each attempt of each job
  std::vector<RunningJob> jobs = {};
  Seconds now = {};                             // the end of the record
  std::optional<std::int64_t> start_unix = {};  // time zero of the clock
  std::int64_t local_ahead_s = 0;               // of the log's dates, over UTC
  std::vector<CampaignNode> nodes = {};         // empty: no job waits for another one
  bool of_dag = false;                          // jobs are submitted when others have ended
  /// Of each program without an ended execution, in a campaign of several: the age of its oldest
  /// execution over the mean length of those that ended.
  std::vector<double> unknown_programs = {};
  /// Jobs of an earlier campaign, which are weak evidence of this one.
  std::vector<RecordedJob> earlier = {};

  /// Without jobs that others replaced, here and below.
  std::size_t count(Stand stand) const;
  std::size_t count(RecordedEnd end) const;
  std::size_t count() const;
};

/// `more`: jobs that the record does not contain yet. They are submitted now. Throws an InputError
/// for a record without dates.
RunningCampaign running_campaign(history::JobHistory const& history, std::size_t more = 0);

/// The campaign of a DAG: nodes whose names no job of the record has are submitted later. A node of
/// one job that failed and has a retry left is in the queue again: DAGMan submits it in a moment.
RunningCampaign running_dag(history::JobHistory const& history,
                            std::vector<PlannedNode> const& plan);

}  // namespace gridcast::running
