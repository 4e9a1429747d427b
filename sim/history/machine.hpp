// The machine of a slot: "node7" of "slot1_2@glidein_3001@node7.example".
#pragma once

#include <cstdint>
#include <string>

#include "sim/history/job_history.hpp"

namespace gridcast::history {

/// The name or the address of a slot's machine, without its startd and its port; empty where the
/// record names none.
std::string machine_of(JobHistory const& history, std::uint32_t slot);

}  // namespace gridcast::history
