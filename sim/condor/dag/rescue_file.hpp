// DAGMan's rescue files, which say what of a DAG is done, beside the DAG.
// HTCondor manual, "DAGMan Rescue DAG".
#pragma once

#include <filesystem>

namespace gridcast::condor {

/// "FILE.rescue001" and on; the highest, none if there is none.
std::filesystem::path latest_rescue(std::filesystem::path const& file);

}  // namespace gridcast::condor
