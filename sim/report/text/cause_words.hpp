// Why a strategy brings too few jobs to their end, or no job ever ran, in a few words with the sizes
// that matter. A kind of ending by itself: reason_words.hpp.
#pragma once

#include <optional>
#include <string>

#include "sim/base/units.hpp"
#include "sim/history/job_event.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {

/// "held: input of 137 GB is over the limit of 5 GB". `limit`: of what the access point sends itself.
std::string cause_words(history::Ending const& ending, Bytes input, Bytes limit);

/// "no site had a slot with as many GPUs as a job asks for".
std::string never_ran_words(study::NeverRan why, std::optional<history::Ending> const& cause,
                            Bytes input, Bytes limit);

}  // namespace gridcast::report
