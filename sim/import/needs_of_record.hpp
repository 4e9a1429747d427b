// The memory and disk that jobs of a record needed, for jobs that request another amount.
//
// A job that requests as much as the recorded ones is held or evicted as often as they were. Where
// it requests another amount, or more after each failure, the record's needs decide instead of its
// holds, and steps are drawn from the processes: a repeated job would end as recorded.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/import/submit_campaign.hpp"
#include "sim/ledger/requests.hpp"

namespace gridcast::import {

struct RecordedNeeds {
  ledger::NeededSizes memory = {}, disk = {};
  std::vector<int> exit_codes = {};  // of failed programs (sim/import/exit_codes.hpp)
};

/// Puts the needs into the campaign, with a note, where its requests differ from the record's.
void set_needs(SubmitImport& import, RecordedNeeds const& needs,
               std::filesystem::path const& submit_file);

}  // namespace gridcast::import
