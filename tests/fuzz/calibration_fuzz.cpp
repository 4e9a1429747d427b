// Any bytes as a calibration: draws, each with all sites, or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/scenario/tables.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  try {
    auto const calibration = scenario::read_calibration_text(
        "calibration.yaml", std::string(reinterpret_cast<char const*>(data), size));
    if (calibration.draws.empty()) __builtin_trap();
    for (auto const& row : calibration.rows) {
      if (row.size() != calibration.columns.size()) __builtin_trap();
    }
  } catch (InputError const&) {
  }
  return 0;
}
