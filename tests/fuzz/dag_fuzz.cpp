// Any bytes as a DAG, which may include itself: nodes, each behind nodes that are there and none
// behind itself, or an InputError.
#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "tests/fuzz/bytes_as_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  static fuzz::BytesAsFile file;
  auto const path = file.path(data, size);
  try {
    condor::is_dag(path);
    condor::Dag const dag = condor::read_dag(path);
    if (dag.nodes.empty()) __builtin_trap();
    for (std::size_t i = 0; i < dag.nodes.size(); ++i) {
      auto const& parents = dag.nodes[i].parents;
      if (!std::is_sorted(parents.begin(), parents.end())) __builtin_trap();
      if (!parents.empty() && parents.back() >= dag.nodes.size()) __builtin_trap();
      if (std::binary_search(parents.begin(), parents.end(), i)) __builtin_trap();
    }
  } catch (InputError const&) {
  }
  return 0;
}
