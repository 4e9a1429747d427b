// The changes that the owner of jobs makes alone, in the submit file: the strategies that `compare`
// and `open` put beside the one strategy of a submit file or a DAG.
#pragma once

#include <string>
#include <vector>

namespace gridcast::cli {

/// The strategies as overrides, "PATH=VALUE": automatic release, retries, and both. A change that
/// the baseline has already is left out. `baseline`: its keys (scenario::baseline_keys).
/// usual_strategies({"retry={max_retries: 2}"}) has automatic release alone.
std::vector<std::string> usual_strategies(std::vector<std::string> const& baseline);

}  // namespace gridcast::cli
