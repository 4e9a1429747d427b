// Any bytes as a job event log in one of its forms: the reader and the histories made of what it
// reads must neither crash nor hang nor touch what is not theirs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/condor/log/event_reader.hpp"

namespace gridcast::fuzz {

/// For LLVMFuzzerTestOneInput; returns what that has to.
int read_event_log(condor::LogForm form, std::uint8_t const* data, std::size_t size);

}  // namespace gridcast::fuzz
