// Any bytes as a table of measurements, as train --fit takes them: runs or a store's, by
// the first byte; rows of possible numbers, or an InputError.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/training/fit/run_rows.hpp"
#include "sim/training/fit/storage_fit.hpp"
#include "sim/training/fit/training_fit.hpp"

namespace {

void read(unsigned kind, std::string const& text) {
  using namespace gridcast::training;
  constexpr char const* file = "measured.csv";
  if (kind == 0) {
    contradictions(file, parse_storage_rows(file, text).rows);
    return;
  }
  RunTable const table = parse_runs(file, text, 1e6, "");
  for (RunRow const& row : table.rows) {
    if (row.gpus < 1 || row.nodes < 1 || row.batch < 1) __builtin_trap();
    if (!(row.epoch.value() > 0) || !std::isfinite(row.epoch.value())) __builtin_trap();
  }
  contradictions(file, table.rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read(data[0] % 2U, std::string(reinterpret_cast<char const*>(data) + 1, size - 1));
  } catch (gridcast::InputError const&) {
  }
  return 0;
}
