// Any bytes as a profile of a workload: one, or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/scenario/profile.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  try {
    scenario::read_profile_text("profile.yaml",
                                std::string(reinterpret_cast<char const*>(data), size));
  } catch (InputError const&) {
  }
  return 0;
}
