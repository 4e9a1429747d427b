// Why retries work, for a person: a line a cause, and what the next attempt's luck hung on.
#pragma once

#include <string>
#include <vector>

#include "sim/ledger/retries.hpp"
#include "sim/report/text/characters.hpp"

namespace gridcast::report {

std::string retries_text(ledger::Retries const& retries, Screen const& screen);

/// "held 13/256: input transfer failed: the plugin gave up (exit 1)".
std::string retry_cause_text(history::Ending const& ending);
/// After all failures together: by site, host, wait and number, a sentence each.
std::vector<std::string> what_retries_hang_on(ledger::Retries const& retries);

}  // namespace gridcast::report
