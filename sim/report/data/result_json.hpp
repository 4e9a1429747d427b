// Results as JSON, written and read here and nowhere else: gridcast.ledger/1, prediction/1,
// replay/1 and comparison/1 (docs/formats.md, docs/ledger.md). What a key that is not there would
// have told is left out, so that results of earlier versions can still be read; a key of the wrong
// type is a problem.
//
// Its parts are written and read one by one: a comparison's verdict and what a strategy's headline
// rests on (chances with their errors, ranks, pooled ratios, regrets, observations), the critical
// path, and the bytes and GPU hours of a ledger; and why retries work, which is shown beside one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/ledger/retries.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

Json result_json(Result const& result);

/// The command that shows a replica of a study once more.
std::string replica_command(std::string const& scenario, std::string const& strategy,
                            std::uint64_t seed, std::uint32_t replica);

/// InputError with all problems: no JSON (file:line:column), no result, a result of another schema
/// version, values of the wrong type.
Result read_result(std::string const& text, std::string const& source);
Result read_result(std::filesystem::path const& file);

/// "versus_baseline" of one figure.
Json difference_json(study::PairedDifference const& difference);
study::PairedDifference difference_in(JsonReader const& json);

/// "pooled", "rank", "never_ran", "ends", "spread" of a strategy, each where it is told.
void put_standing(Json& json, ResultStrategy const& strategy);
void read_standing(JsonReader const& json, ResultStrategy& strategy);

/// "deadline" of a strategy, where the result is asked for one.
void put_deadline(Json& json, Result const& result, ResultStrategy const& strategy);

/// "verdict" of a comparison that has one.
void put_verdict(Json& json, Result const& result);
/// After its strategies.
void read_verdict(JsonReader const& json, Result& result);

// The critical path of a result as JSON, "critical_path", and back: its steps in the order of time,
// each with seconds since the campaign's first submission.

/// Nothing where there is none.
void put_critical_path(Json& json, Result const& result);
void read_critical_path(JsonReader const& json, Result& result);

// Bytes and GPU hours of a ledger as JSON and back, each where it is told:
//   "gpu_hours": {"all": hours, "sites": {NAME: hours}}
//   "bytes": {"sites": {NAME: {"received", "sent"}},
//             "caches": {NAME: {"received", "tries", "arrived", "given_up", "failed"}}}

void put_traffic(Json& json, ResultLedger const& ledger);
void read_traffic(JsonReader const& json, ResultLedger& ledger);

/// `gridcast ledger --retries --json` (docs/formats.md):
/// {"schema": "gridcast.retries/1", "all": {...}, "causes": [...]}.
Json retries_json(ledger::Retries const& retries);

}  // namespace gridcast::report
