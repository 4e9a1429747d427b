// Any bytes as a DLIO workload: a profile, or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/training/dlio.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  try {
    training::import_dlio_text("workload_a100.yaml",
                               std::string(reinterpret_cast<char const*>(data), size));
  } catch (InputError const&) {
  }
  return 0;
}
