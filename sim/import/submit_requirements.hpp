// Which slots a job may have, by its submit file: requirements, the request on GPUs, the sites that
// it wants or does not want; and which of them it prefers.
//
// HTCondor evaluates require_gpus for each GPU by itself, in which bare names are the GPU's
// (condor_submit, "require_gpus", "gpus_minimum_capability"). The GPUs of a simulated slot are
// alike: it is the same condition on the slot. Pilots of the OSPool check the lists of sites in
// their START, with names of GLIDEIN_Site (glideinWMS frontend, `start_expr`).
#pragma once

#include <filesystem>

#include "sim/import/submit_commands.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::import {

/// Requirements and all other conditions as one expression; GPU memory and capability at least are
/// in the campaign's request, whose number of GPUs has been read.
void read_requirements(SubmitReading& reading, scenario::JobPolicy& policy);
void read_rank(SubmitReading& reading, scenario::JobPolicy& policy);

/// A condition on a property of GPUs that the pool does not list for an entry that the jobs match
/// holds there, with a note. A note too for sites that are listed and not in the pool.
void fit_requirements(SubmitImport& import, scenario::Pool const& pool,
                      std::filesystem::path const& submit_file);

/// Jobs that repeat a record with these hosts avoid those of them that the requirements exclude.
void avoid_excluded_hosts(SubmitImport& import, std::vector<std::string> const& recorded);

}  // namespace gridcast::import
