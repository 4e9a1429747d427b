// How a job came out, in as few bytes as the figures of a campaign need of it: medians and shares
// are exact, of a million jobs too.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "sim/base/id.hpp"
#include "sim/base/units.hpp"
#include "sim/history/job_event.hpp"

namespace gridcast::ledger {

/// How a job stands at the end of the record.
enum class Standing : std::uint8_t { unfinished, succeeded, wrong_output, held, removed };

/// A time that may not be known, without the eight bytes that std::optional takes to say so.
class KnownTime {
 public:
  KnownTime() = default;
  KnownTime(Seconds time) : time_(time) {}
  KnownTime(std::optional<Seconds> time) : time_(time.value_or(unknown)) {}

  bool known() const { return !std::isnan(time_.value()); }
  Seconds operator*() const { return time_; }

 private:
  static constexpr Seconds unknown = Seconds(std::numeric_limits<double>::quiet_NaN());
  Seconds time_ = unknown;
};

struct JobOutcome {
  KnownTime match_to_done;    // successful jobs: first match to completion
  KnownTime ended_at;         // last event, campaign time (dated histories)
  KnownTime final_execution;  // with what its checkpoints had saved before
  Id<history::Site> last_site;
  std::uint32_t stalls : 24 = 0;
  Standing standing : 8 = Standing::unfinished;

  bool succeeded() const { return standing == Standing::succeeded; }
};
static_assert(sizeof(JobOutcome) == 32);

}  // namespace gridcast::ledger
