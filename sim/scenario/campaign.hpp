// The campaign: which jobs are submitted when, their requests, input and work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/request.hpp"

namespace gridcast::scenario {

struct Submission {
  Seconds at;
  int jobs = 0;
  double scale = 1;               // of the campaign's work, for these jobs (event logs)
  FactorRange crash_odds = {};    // over the campaign's (event logs)
  std::string user = {};          // submitter; with more than one, slots are shared fairly
  double priority_factor = 1000;  // of the user, DEFAULT_PRIO_FACTOR
  int slots = 1;                  // of one site, which each of its jobs occupies at once
  std::string request = {};       // one of Campaign::requests; empty: the campaign's own
  bool second_copy = false;       // of the jobs of an earlier one, should they be late

  // For a node of a DAG (HTCondor manual, "DAGMan Workflows").
  std::string name = {};                 // by which others wait for it
  std::vector<std::string> after = {};   // submitted when these (or joins) have succeeded
  Seconds delay = {};                    // ... and so much later (a PRE script that defers)
  int retries = 0;                       // of all of its jobs, if one failed
  std::optional<int> unless_exit = {};   // but not after this exit code
  std::string category = {};             // its jobs in the queue at a time are limited
  std::string dag = {};                  // the inner DAG that it belongs to; empty: the whole one
  std::optional<int> abort_on = {};      // this exit code of a job ends its DAG (ABORT-DAG-ON)
  std::optional<int> abort_return = {};  // the exit code of that DAG; without it, `abort_on`
  /// A PROVISIONER node: others wait until its program has run for so long, not for its end.
  std::optional<Seconds> ready_after = {};
  bool last = false;  // a FINAL node: submitted when all others are over, however they ended
};

/// SUBDAG EXTERNAL: a DAG that is one node of another, with a DAGMan of its own.
struct InnerDag {
  std::string name;
  std::string in = {};                   // the inner DAG that contains it; empty: the whole one
  std::string category = {};             // of that node
  int max_nodes = 0;                     // as Campaign::max_nodes, of its own nodes
  int retries = 0;                       // of it, if it fails
  std::optional<int> unless_exit = {};   // but not after this exit code of it
  std::optional<int> abort_on = {};      // this exit code of it ends the DAG that contains it
  std::optional<int> abort_return = {};  // the exit code of that DAG; without it, `abort_on`
};

/// A name for many submissions, in the `after` of several others: the pairs of a DAG in which each
/// of 2,000 nodes waits for each of 2,000 (a join node of DAGMan, which runs nothing either).
struct Join {
  std::string name;
  std::vector<std::string> of;  // names of submissions
};

/// MAXJOBS of a DAG.
struct NodeCategory {
  std::string name;
  int max_jobs = 1;  // nodes of the category in the queue at a time
};

struct InputFile {
  std::string url;
  Bytes size;
  std::optional<int> job = {};  // fetched by this one alone, counted from 0; none: by all
  double share = 1;             // of a file that a strategy splits
};

struct CatalogueWork;

/// The source of the jobs of a forecast.
enum class JobSource : std::uint8_t {
  processes,  // each step is drawn from its fitted process
  record,     // whole job histories of the calibration's record
};

/// The computing of a job: `epochs` of a workload that the calibration knows by its profile name,
/// or one of the catalogue, whose duration is then given by its training models.
struct Work {
  std::string profile;
  JobSource from = JobSource::processes;
  int epochs = 1;               // of the catalogue's workloads, 0: as in the profile
  double scale = 1;             // of the calibrated work (event logs)
  FactorRange crash_odds = {};  // factor on the calibrated odds of a crash (event logs)
  int batch = 0;                // samples a step of one GPU (the catalogue's); 0: the profile's
  std::string storage = {};     // that it trains from; empty: the slot's disk
  int jobs_in_one = 1;          // jobs of the campaign that one job computes
  std::shared_ptr<CatalogueWork const> catalogue = {};  // null: calibrated
  /// The peaks of memory and disk of the jobs, as evenly spaced quantiles; empty: not known.
  std::vector<Bytes> memory = {}, disk = {};
  /// Codes of failed programs, each as likely as the others; minus a signal's number. Empty: 1.
  std::vector<int> exit_codes = {};
  /// Programs of the record whose jobs are repeated; empty: all of its jobs.
  std::vector<std::string> programs = {};
};

struct Campaign {
  std::vector<Submission> submit;
  Request request;
  std::vector<NamedRequest> requests = {};
  std::vector<InputFile> input;
  Work work;
  int max_idle = 0;         // late materialisation: so many idle jobs at a time; 0: no limit
  int max_materialize = 0;  // ... and so many in the queue
  int max_nodes = 0;        // submissions in the queue at a time (condor_submit_dag -maxjobs)
  std::vector<NodeCategory> categories = {};
  std::vector<InnerDag> dags = {};
  std::vector<Join> joins = {};

  int jobs() const;
  /// A job's input in all; the mean job, if they differ.
  Bytes input_size() const;
};

/// The number of its jobs that are not second copies. Each copy follows so many jobs later.
std::size_t first_jobs(Campaign const& campaign);

/// `of` each job's submission, by job.
template <class Of>
auto by_job(Campaign const& campaign, Of const& of) {
  std::vector<decltype(of(campaign.submit.front()))> all;
  all.reserve(static_cast<std::size_t>(campaign.jobs()));
  for (Submission const& each : campaign.submit) {
    all.insert(all.end(), static_cast<std::size_t>(each.jobs), of(each));
  }
  return all;
}

/// A job's work, relative to the campaign's.
struct JobWork {
  double scale = 1;
  FactorRange crash_odds = {};

  bool operator==(JobWork const&) const = default;
};

/// The work of each job, counted in the order of submission; looked up: ten million equal jobs cost
/// nothing.
class JobWorks {
 public:
  explicit JobWorks(Campaign const& campaign);
  JobWork const& of(std::size_t job) const;

 private:
  std::vector<std::pair<std::size_t, JobWork>> from_;  // from this job on, this one
};

/// The input of each job: the files of all jobs, then its own, jobs counted in the order of
/// submission.
class JobInputs {
 public:
  using Files = std::vector<std::uint32_t>;  // indices into Campaign::input

  explicit JobInputs(Campaign const& campaign);
  Files const& of(std::size_t job) const;
  Bytes size_of(std::size_t job) const;
  /// Entries with one URL, owned by several jobs, are one file: the first of them.
  std::uint32_t file(std::uint32_t entry) const { return own_.empty() ? entry : same_[entry]; }

 private:
  Campaign const& campaign_;
  Files of_all_, same_;
  std::unordered_map<std::size_t, Files> own_;  // by job: those of all and its own
};

// Which submissions of a campaign wait for which: the edges of a DAG by index, and the problems
// with them.
struct NodeOrder {
  std::vector<std::vector<std::size_t>> parents, children;  // by submission
};

/// True if any submission waits for another, is tried again, or is one of so many at a time.
bool has_nodes(Campaign const& campaign);

/// Names that no submission has are left out.
NodeOrder node_order(Campaign const& campaign);

struct NodeProblem {
  std::string path;  // "submit[3].after", in the campaign
  std::string what, why, hint;
};
std::vector<NodeProblem> problems_of_nodes(Campaign const& campaign);

/// Adds submissions to a campaign. A long list of names that several of them wait for becomes a
/// join: each name takes up hundreds of bytes in a scenario that is read.
class Joining {
 public:
  static constexpr std::size_t shortest = 100;  // such list

  explicit Joining(Campaign& campaign) : campaign_(campaign) {}
  void add(Submission submission);

 private:
  struct Known {
    std::size_t first = 0;  // submission with this list
    std::string join = {};  // empty: it alone has it
  };

  Campaign& campaign_;
  std::map<std::vector<std::string>, Known> lists_;
};

}  // namespace gridcast::scenario
