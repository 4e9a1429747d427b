// The requests of a campaign whose jobs differ in them: that of most jobs is the campaign's, the
// others have names. Example: request_gpus = $(Item) with queue 3 in (1) and queue 2 in (2) gives
// `request: {gpus: 1}`, `requests: {job: {gpus: 2}}`, and submissions of three and of two jobs.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/condor/dag/dag_file.hpp"
#include "sim/condor/submit/submit_file.hpp"
#include "sim/import/dag_campaign.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/scenario/request.hpp"

namespace gridcast::import {

/// The request commands in which jobs of the file differ, and that each job can have of its own. A
/// request of memory or disk that depends on the job's attempts is a rule, which all jobs share.
/// Empty if the jobs have more than a hundred requests, or alternate more than a thousand times:
/// nobody reads such a scenario.
std::set<std::string> own_request_commands(condor::SubmitFile const& file);

/// Gives the jobs of each group their own request in the commands of `own`.
void take_each_request(condor::SubmitFile const& file, std::set<std::string> const& own,
                       SubmitImport& import);

// The submit descriptions of a DAG's nodes: nodes that are alike in all that decides, the request
// of each, and the rules in which they differ from most nodes, whose rules all nodes follow.

/// The commands that decide, by name, without those of the input, which is each node's own.
using Asks = std::map<std::string, std::string>;

/// Nodes with jobs, of one submit file, with the same commands.
struct Description {
  std::size_t first = 0;  // such node
  scenario::NamedRequest request = {};
  bool by_ad = false;  // its memory or disk depends on the job's attempts, which is a rule
  std::size_t nodes = 0;
  int jobs = 0;
};

/// By submit file.
using Descriptions = std::map<std::pair<std::string, Asks>, Description>;

/// The description of a node. InputError for values that make no sense.
Descriptions::value_type& describe(Descriptions& all, std::string const& file,
                                   condor::SubmitFile const& submit, std::size_t node);

/// The description of most jobs; of several the one that comes first.
Descriptions::value_type const& usual(Descriptions const& all);

/// Adds the requests that differ from the usual one to the campaign. The name of each
/// description's; empty: the usual one, also of requests beyond a number that nobody reads.
std::map<Descriptions::value_type const*, std::string> name_requests(
    Descriptions const& all, Descriptions::value_type const& taken, condor::Dag const& dag,
    scenario::Campaign& campaign);

/// A note on the rules in which nodes differ, and DagImport::simplified.
void note_other_rules(Descriptions const& all, Descriptions::value_type const& taken,
                      condor::Dag const& dag, DagImport& import);

/// The commands of a job's input, and their attributes.
std::vector<std::string> const& input_commands();

}  // namespace gridcast::import
