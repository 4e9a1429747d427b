// A recorded campaign as it would run without some of its hosts, the black holes among them: the
// owner adds `requirements = (Machine != "node7.example")` to the submit file.
//
// An attempt on an avoided host becomes an attempt that is drawn from those on the other hosts, of
// any job. Where that one ended its job, with a result or without, the job ends. Otherwise the job
// continues with its next recorded attempt, and after its last one with further attempts from the
// other hosts, until one ends it. Waits in the queue stay as recorded. The slots of the avoided
// hosts are gone: the supply has only slots that the other attempts show.
//
// An example: one of three hosts ends every job after 30 s with an error. Without it, each of its
// attempts is one of the other two hosts'.
#pragma once

#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/history/slot_supply.hpp"

namespace gridcast::engine {

/// At least one attempt of the record is on another host, or on one without a name.
history::RecordedJobs without_hosts(history::RecordedJobs const& recorded,
                                    std::vector<std::string> const& hosts, RandomStream stream);

/// The slots of the other hosts.
history::SlotSupply supply_without_hosts(history::RecordedCampaign const& recorded,
                                         std::vector<std::string> const& hosts);

}  // namespace gridcast::engine
