// Any bytes as a scenario: one that is runnable, or an InputError. The files that it names are not
// there, so that its pool and calibration are those of their own fuzzers.
#include "sim/base/error.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/fuzz/bytes_as_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static gridcast::fuzz::BytesAsFile file;
  try {
    auto const scenario = gridcast::scenario::read_scenario(file.path(data, size));
    if (scenario.strategies.empty() || scenario.calibration.draws.empty()) __builtin_trap();
  } catch (gridcast::InputError const&) {
  }
  return 0;
}
