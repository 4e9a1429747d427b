// The attributes that simulated jobs and slots have, for whoever has to say before the simulation
// what an expression will find undefined. The engine's ads hold exactly these.
// HTCondor manual, "Job ClassAd attributes", "Machine ClassAd attributes".
#pragma once

#include <string_view>

namespace gridcast::scenario {

bool is_job_attribute(std::string_view name);
bool is_slot_attribute(std::string_view name);

}  // namespace gridcast::scenario
