// Where an execution belongs: to a site, and where jobs met several kinds of GPUs there, to the
// part of the site that has one kind. Speeds, supply and limits hang on the model and on the number
// of GPUs as they do on the site, so that a part is a site of its own to all that follows:
// "SITE/L40S", or "SITE/2xA40" where the number is the slot's doing.
//
// The number is the slot's doing where one job had different numbers at different times: its
// request then hangs on the slot. Else it is the job's, and a site is not split by it. Executions
// that are told to have had no GPUs are of a part of their own, "SITE/no-GPU".
// An attempt that never executed belongs to the part that its slot was seen in, else to the one
// with most executions.
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
/// Another record of these sites, its executions at the parts that are there: what it has itself
/// decides nothing. A kind of GPUs that is none of them is a site of its own ("SITE/H200"), which
/// is not among `places`; GPUs that the record does not name are of the part that the slot was seen
/// in, else of the first of the site. Sites that are not split, or not there, keep their name.
history::JobHistory split_like(history::JobHistory history, std::vector<Place> const& places,
                               bool slots_decide);
/// No site is split, whatever GPUs it has.
Places as_named(history::JobHistory history);

/// "A100-SXM4-80GB" of "NVIDIA A100-SXM4-80GB": without the maker, and without blanks.
std::string short_model(std::string const& device);

}  // namespace gridcast::calibration
