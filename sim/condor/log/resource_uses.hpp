// The use of resources of each execution of a log, put together from its events: sizes of 006
// while it ran, the table and CPU times of 004 and 005 at its end, and the words of a hold for
// memory or disk (code 34), which show that the job needs more than it had. The CPU times of a
// simulated job are its execution's, and no use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/condor/log/event_reader.hpp"
#include "sim/history/resource_use.hpp"

namespace gridcast::condor {

class ResourceUses {
 public:
  /// Events of a job in order; `at` of the campaign's clock.
  void add(RawEvent const& event, Seconds at);
  /// All, those of executions that are under way too.
  std::vector<history::ResourceUse> take();

 private:
  struct OfJob {
    history::ResourceUse open = {};
    bool is_open = false;       // an event has a use of it
    bool simulated = false;     // by this program
    std::size_t last = no_use;  // of uses_, of the job's execution before
  };
  static constexpr std::size_t no_use = static_cast<std::size_t>(-1);

  void close(OfJob& job);
  void note_hold(OfJob& job, RawEvent const& event, Seconds at);

  std::unordered_map<std::uint64_t, OfJob> jobs_;
  std::vector<history::ResourceUse> uses_;
};

}  // namespace gridcast::condor
