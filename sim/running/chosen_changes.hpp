// Changes that an owner chooses for the rest of a running campaign, all of them together: acts on
// its jobs now, and rules from now on. As texts:
//
//   release              all held jobs are released now
//   resubmit             stuck jobs start again now
//   avoid:HOST           jobs leave the host, and none goes there (requirements); for each host
//   limit:TIME           longer executions are ended and repeated (periodic_vacate)
//   transfer-limit:TIME  attempts that take longer until they execute are ended and repeated
//   release-after:TIME   held jobs are released after so long (periodic_release)
//   retries:N            a program that fails runs again, so often (max_retries)
//   second-copy:TIME     a job that has not ended so long after its submission gets a second copy;
//                        the first success counts, and the other copy is removed
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::running {

/// From now on.
struct Rules {
  std::optional<Seconds> longest_start = {}, longest_execution = {}, longest_hold = {};
  std::optional<Seconds> second_copy_after = {};
  int retries = 0;
};

struct ChosenChanges {
  bool release = false, resubmit = false;
  std::vector<std::string> hosts = {};
  Rules rules = {};
};

/// Why the text is no change, behind its name if it has one; empty if it is a change.
std::string wrong_change(std::string const& text);
/// The changes of valid texts.
ChosenChanges changes_in(std::vector<std::string> const& texts);

}  // namespace gridcast::running
