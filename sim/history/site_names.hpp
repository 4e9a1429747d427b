// The sites of a record that is being read, by name: of 100,000 sites each is found at once.
#pragma once

#include <string_view>

#include "sim/base/names.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::history {

class SiteNames {
 public:
  /// Sites that the history has already count. No other code may add one meanwhile.
  explicit SiteNames(JobHistory& history) : names_(history.sites) {}

  Id<Site> operator()(std::string_view name) { return Id<Site>(names_(name)); }

 private:
  Names names_;
};

}  // namespace gridcast::history
