// Changes that an owner chooses for the rest of a running campaign, all of them together: acts on
// its jobs now, and settings from now on. As texts:
//
//   release             all held jobs are released now
//   resubmit            stuck jobs start again now
//   avoid:HOST          jobs leave the host, and none goes there (requirements)
//   limit:TIME          longer executions are ended and repeated (allowed_execute_duration)
//   release-after:TIME  held jobs are released after so long (periodic_release)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::running {

struct ChosenChanges {
  bool release = false, resubmit = false;
  std::string host = {};
  std::optional<Seconds> limit = {}, release_after = {};
};

/// Why the text is no change; empty if it is one.
std::string wrong_change(std::string const& text);
/// The changes of valid texts.
ChosenChanges changes_in(std::vector<std::string> const& texts);

}  // namespace gridcast::running
