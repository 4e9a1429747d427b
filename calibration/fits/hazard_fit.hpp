// What ends or interrupts attempts at each site: rates per second while claimed, and probabilities,
// both pooled over sites (partial_pooling.hpp). Competing risks: each cause is fitted with all others
// as censoring (Kalbfleisch & Prentice, The Statistical Analysis of Failure Time Data, 8.2), so that
// with constant hazards
//   rate of a cause = its events / time at risk of it
//   evictions      / time claimed, until contact was lost for good; of slots that go on being there
//   lost contacts  / time until the first of an attempt; not the pilot's death, not all sites at once
//   suspensions    / time claimed and not suspended
//   pilots' deaths / time with jobs on the pilot; and apart from them pilots that were shut down and
//                    said so, in records that show any: a slot is gone then until the next pilot comes
//   reconnect = P(found again each time | contact was lost)
//   files_lost = P(no file comes home | found again by its own shadow, and done)
//   crash     = P(the program fails at a point of its work, crash_fit.hpp)
//   hang      = P(the program never ends by itself), hung / hung or ended by themselves (mark_hangs)
// An execution that something else ended when a share u of its risk of a crash was behind it, F(u) of
// crash_fit.hpp: with P(crash before u) = p F(u), its likelihood 1 - p F(u) is about (1 - p)^F(u), a
// binomial trial of weight F(u).
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/partial_pooling.hpp"
#include "calibration/fits/speed_fit.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// `typical_times`: whole-job seconds at each site, for the share of its risk that a crash had
/// before something else ended the execution.
Fit hazard_fit(history::JobHistory const& history, AttemptRecords const& records,
               TypicalTimes const& typical_times, std::size_t draws, RandomStreams const& streams);

/// What the fits count, all sites together: events of each kind and their exposure.
struct HazardCounts {
  SiteCount crash, evict, disconnect, suspend, death, kill, hang, stop;
};
HazardCounts hazard_counts(history::JobHistory const& history, AttemptRecords const& records,
                           TypicalTimes const& typical_times);

}  // namespace gridcast::calibration
