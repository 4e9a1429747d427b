// A DAG as condor_submit_dag takes it: nodes, their dependencies, and the actions on a failure.
// HTCondor manual, "DAGMan Workflows" and "DAG input file commands"; condor_submit_dag(1).
//
// Splices are put in with their names before their nodes', and connected by their pins. So are
// inner DAGs (SUBDAG EXTERNAL) whose files exist; each keeps its own limits and categories. All
// nodes of a DAG wait for its PROVISIONER. The latest rescue file beside the DAG, if there is one,
// lists the nodes that are done. The FINAL node of the whole DAG is its last one. Left out, each
// noted once: the actions of scripts (DEFER alone has a time), FINAL nodes of inner DAGs and
// splices, SERVICE nodes, PRIORITY, most settings of CONFIG, and all that is about DAGMan's own
// files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/condor/dag/dag_lines.hpp"
#include "sim/condor/submit/submit_file.hpp"

namespace gridcast::condor {

struct DagNode {
  std::string name;                       // with its splices': "outer+inner+train"
  NameFolders folders = {};               // that it may be submitted in
  std::filesystem::path submit = {};      // its submit file; empty: the description is in the DAG
  std::string description = {};           // of those
  Location described_at = {};             // the line in which it begins
  std::vector<DagVar> vars = {};          // in order; the last of a name counts
  std::vector<std::size_t> parents = {};  // indices into Dag::nodes
  int retries = 0;
  std::optional<int> unless_exit = {};  // no retry after this exit code
  std::string category = {};
  std::string dag = {};                  // the inner DAG that it is a node of
  std::optional<int> abort_on = {};      // ABORT-DAG-ON
  std::optional<int> abort_return = {};  // its RETURN
  bool provisions = false;               // a PROVISIONER node
  bool last = false;                     // the FINAL node
  Seconds delay = {};                    // until a PRE script that defers lets it go
  bool done = false;                     // by DONE or a rescue file
  bool noop = false;                     // it runs nothing
  Location where = {};
  bool dag_done = false;  // the node of its inner DAG is done, and waits for nothing

  void set_done(bool with_dag) {
    done = true;
    dag_done = dag_done || with_dag;
  }
};

/// SUBDAG EXTERNAL, as a node of the DAG that contains it.
struct InnerDagNode {
  std::string name;     // with its splices' and outer DAGs': "outer+inner"
  std::string in = {};  // the inner DAG that contains it; empty: the whole one
  std::string category = {};
  int max_nodes = 0;                     // DAGMAN_MAX_JOBS_SUBMITTED of its CONFIG; 0: none
  std::optional<int> abort_on = {};      // ABORT-DAG-ON, of the DAG that contains it
  std::optional<int> abort_return = {};  // its RETURN
  int retries = 0;
  std::optional<int> unless_exit = {};  // no retry after this exit code of it
};

struct Dag {
  std::filesystem::path file;
  std::vector<std::filesystem::path> read = {};  // it, its splices, includes, CONFIG, rescue file
  std::vector<DagNode> nodes = {};               // in the order of the files
  std::vector<InnerDagNode> inner = {};          // outer ones first
  std::map<std::string, int> max_jobs = {};      // by category
  int max_nodes = 0;                             // DAGMAN_MAX_JOBS_SUBMITTED of its CONFIG; 0: none
  std::vector<SubmitNote> notes = {};
};

/// InputError with all that is wrong: unknown nodes, a node twice, lines of no form, a cycle, a
/// splice that has itself in it.
Dag read_dag(std::filesystem::path const& file);

/// By its name (.dag) or its first command.
bool is_dag(std::filesystem::path const& file);

/// The file of a name, with a note if another one of this name differs.
std::filesystem::path noted_file(Dag& dag, Location const& where, NameFolders const& folders,
                                 std::filesystem::path const& name);

/// The hint of a file's problem, unless it is that the DAG was meant, which names the file.
std::string hint_in(std::string const& dag, Problem const& problem);

/// Puts SUBMIT-DESCRIPTIONs, by name, into the nodes that name one; the others name a file.
void find_descriptions(Dag& dag, std::map<std::string, SubmitValue> const& descriptions);

// The submit description of a DAG's node: its file or its text in the DAG, with a queue statement
// where there is none. The node's VARS stand before it (DAGMAN_DEFAULT_APPEND_VARS is false), those
// with APPEND before its queue statement.

/// Those in which names of its description are looked for.
NameFolders folders_of(DagNode const& node);

/// As read_submit_file(); places are those of the file, or of the DAG that contains the
/// description.
SubmitFile read_node_submit(DagNode const& node, std::vector<std::string> const& deciding);

// Which nodes wait for which.

/// Adds a problem if a node waits for itself.
void complain_of_cycle(Dag const& dag, std::vector<Problem>& problems);
/// The nodes of a group that wait for no other of it (`first`), or that no other waits for.
std::vector<std::size_t> ends_of(std::vector<DagNode> const& all,
                                 std::vector<std::size_t> const& nodes, bool first);
/// Each edge is there once, in order.
void unite_edges(std::vector<DagNode>& nodes);
/// Adds the edges, and a note for each PROVISIONER, for which nodes wait that wait for no other
/// (HTCondor manual, "Special Node Types").
void wait_for_provisioners(Dag& dag);

}  // namespace gridcast::condor
