// Any bytes as a pool: sites with names, or problems.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/scenario/tables.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  try {
    auto const read = scenario::read_pool_file(
        "pool.yaml", std::string(reinterpret_cast<char const*>(data), size));
    if (!read.document.has_problems() && read.pool.sites.empty()) __builtin_trap();
  } catch (InputError const&) {
  }
  return 0;
}
