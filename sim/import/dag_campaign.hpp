// A DAG as a campaign: each node a submission that waits for its parents, with its retries and its
// category. Request, requirements and input are each node's own, with its VARS, and so is the work
// where the calibration knows its program. Other rules of the jobs are those of most nodes, and a
// note names the others.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/condor/dag/dag_file.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/submit_campaign.hpp"

namespace gridcast::import {

struct DagImport {
  SubmitImport import;
  condor::SubmitFile submit;                     // of most nodes
  std::size_t nodes = 0;                         // that are submitted
  std::size_t done_before = 0;                   // by the DAG, its rescue file, or the record
  std::vector<std::filesystem::path> read = {};  // the DAG's files and all submit files
  std::vector<std::size_t> numbers = {};         // of submissions, among the DAG's nodes
  std::string simplified = {};  // which nodes have other rules than are simulated; in words
};

/// The record of a DAG's own jobs. Nodes of an inner DAG have the DAG's names for them, where the
/// name in the inner DAG is that of one node; the jobs of the inner DAGs' own DAGMans are left out.
history::JobHistory record_of(condor::Dag const& dag, history::JobHistory record);

/// Nodes that a record shows to be done: all jobs of their latest cluster ended with success, as
/// many as the description queues if it can be read; and all submitted nodes that they waited
/// for.
std::set<std::string> nodes_done(condor::Dag const& dag, history::JobHistory const& record);

/// `done`: nodes that are left out besides those that the DAG marks as done. `max_nodes`: as
/// condor_submit_dag -maxjobs, 0 for no limit; none: as in the DAG's CONFIG. InputError for submit
/// files that cannot be read, all of them at once, and if every node is done.
DagImport import_dag(condor::Dag const& dag, KnownSizes const& sizes,
                     std::set<std::string> const& done, std::optional<int> max_nodes);

/// Each node's work as a multiple of the calibrated jobs', where they ran several programs: that of
/// the program whose name or numbers the node has. No if the calibration knows none of the nodes.
enum class NodeWorks { known, unknown };
NodeWorks set_node_works(DagImport& import, condor::Dag const& dag,
                         CalibratedProgram const& program);

}  // namespace gridcast::import
