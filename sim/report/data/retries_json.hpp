// `gridcast ledger --retries --json`: docs/formats.md.
#pragma once

#include "sim/ledger/retries.hpp"
#include "sim/report/data/json.hpp"

namespace gridcast::report {

/// {"schema": "gridcast.retries/1", "all": {...}, "causes": [...]}.
Json retries_json(ledger::Retries const& retries);

}  // namespace gridcast::report
