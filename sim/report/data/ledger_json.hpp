// A ledger as scripts read it: {"schema": "gridcast.ledger/1", "metrics": {...}, "sites": {...},
// "classes": {...}, "reasons": [...], "jobs": {...}}. Keys: docs/ledger.md.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/ledger/metrics.hpp"

namespace gridcast::report {

nlohmann::ordered_json ledger_object(ledger::Ledger const& ledger, bool with_jobs = false);
/// The object, indented, ended by a newline.
std::string ledger_json(ledger::Ledger const& ledger, bool with_jobs = false);

/// Rounded to a millionth, so that sums of whole seconds print as integers; null if not finite.
nlohmann::ordered_json json_number(double value);
/// {"jobs": 100, ...}, null where a metric is not available.
nlohmann::ordered_json json_metrics(std::vector<ledger::MetricValue> const& metrics);

}  // namespace gridcast::report
