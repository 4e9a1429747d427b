// The place of an execution: a site or, where jobs met several kinds of GPUs there, the part of the
// site that has one kind. Speeds, supply and limits depend on the model and the number of GPUs as
// they depend on the site. A part is therefore a site of its own in all later steps: "SITE/L40S",
// or "SITE/2xA40" where the number belongs to the slot.
//
// The number belongs to the slot where one job had different numbers at different times: its
// request then depends on the slot. Otherwise it belongs to the job and does not split the site.
// Executions that are recorded without GPUs are in a part of their own, "SITE/no-GPU". An attempt
// that never executed belongs to the part of its slot, if known, else to the part with most
// executions.
#pragma once

#include <string>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::calibration {

struct Place {
  std::string name;        // a site of Places::history
  std::string resource;    // as the record names the site
  history::GpuShare gpus;  // model, and the number that most executions had
};

struct Places {
  history::JobHistory history;  // with parts as sites
  std::vector<Place> places;    // indexed as history.sites
  bool slots_decide = false;    // the number of a job's GPUs is the slot's doing
};

Places split_by_gpu(history::JobHistory history);
/// Another record of these sites, with its executions at the existing parts: its own kinds create
/// none. A kind of GPUs that no part has is a site of its own ("SITE/H200"), which is not among
/// `places`. GPUs that the record does not name belong to the part of their slot, if known, else to
/// the first part of the site. Sites that are not split, or not there, keep their name.
history::JobHistory split_like(history::JobHistory history, std::vector<Place> const& places,
                               bool slots_decide);
/// Splits no site, for all kinds of GPUs.
Places as_named(history::JobHistory history);

/// "A100-SXM4-80GB" of "NVIDIA A100-SXM4-80GB": without the maker, and without blanks.
std::string short_model(std::string const& device);

}  // namespace gridcast::calibration
