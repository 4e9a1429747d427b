// What the tables of keys say, for others: the JSON Schema (draft-07) of scenario and pool files,
// for editors, and the reference page for people. Both come from the tables that the reader uses.
#pragma once

#include <string>

namespace gridcast::scenario {

/// docs/scenario.schema.json.
std::string scenario_schema();

/// The reference of the same keys, as Markdown (docs/scenario.md).
std::string scenario_reference();

}  // namespace gridcast::scenario
