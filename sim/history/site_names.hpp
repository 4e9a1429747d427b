// The sites of a record that is being read, by name: of 100,000 sites each is found at once.
#pragma once

#include <string>
#include <unordered_map>

#include "sim/history/job_history.hpp"

namespace gridcast::history {

class SiteNames {
 public:
  /// Sites that the history has already count. No other code may add one meanwhile.
  explicit SiteNames(JobHistory& history) : sites_(history.sites) {
    for (std::size_t i = 0; i < sites_.size(); ++i) index_.emplace(sites_[i], i);
  }
  SiteNames(SiteNames const&) = delete;

  Id<Site> operator()(std::string const& name) {
    auto const [found, fresh] = index_.try_emplace(name, sites_.size());
    if (fresh) sites_.push_back(name);
    return Id<Site>(found->second);
  }

 private:
  std::vector<std::string>& sites_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace gridcast::history
