// Which slots a job may have, of what a submit file says of it: requirements, what it asks of GPUs,
// the sites that it wants or does not want; and which of them it would rather have.
//
// HTCondor asks require_gpus of each GPU by itself, in which bare names are the GPU's
// (condor_submit, "require_gpus", "gpus_minimum_capability"). The GPUs of a simulated slot are
// alike, so that it is the same condition on the slot. Pilots of the OSPool ask the lists of sites
// in their START, with names of GLIDEIN_Site (glideinWMS frontend, `start_expr`).
#pragma once

#include <filesystem>

#include "sim/import/submit_commands.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::import {

/// Requirements and what else has to hold, all of it, as one expression; GPU memory and capability
/// at least are in the campaign's request, whose number of GPUs has been read.
void read_requirements(SubmitReading& reading, scenario::JobPolicy& policy);
void read_rank(SubmitReading& reading, scenario::JobPolicy& policy);

/// A condition on a property of GPUs that the pool does not tell of an entry that the jobs match
/// holds there, with a note. A note too for sites that are listed and not in the pool.
void fit_requirements(SubmitImport& import, scenario::Pool const& pool,
                      std::filesystem::path const& submit_file);

}  // namespace gridcast::import
