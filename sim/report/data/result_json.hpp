// The only writer and reader of results as JSON: gridcast.ledger/1, prediction/1, replay/1 and
// comparison/1 (docs/formats.md, docs/ledger.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "sim/base/json_fields.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

Json result_json(Result const& result);

/// A ledger's JSON in parts, with its sites under that key of `head` (result_without_sites): those
/// of 100,000 sites as one value would take a gigabyte. `by`: the kind of a site, "site" or "host".
void print_ledger_json(Json head, std::string const& key, std::string const& by,
                       ledger::Ledger const& ledger,
                       std::function<void(std::string_view)> const& print);

/// The command that shows a replica of a study once more.
std::string replica_command(std::string const& scenario, std::string const& strategy,
                            std::uint64_t seed, std::uint32_t replica);

/// InputError with all problems: no JSON (file:line:column), no result, a result of another schema
/// version, values of the wrong type.
Result read_result(std::string const& text, std::string const& source);
Result read_result(std::filesystem::path const& file);

}  // namespace gridcast::report
