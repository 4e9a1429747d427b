// Any bytes as a table of jobs: rows, which written are read again as they are and make a history,
// or an InputError.
#include "sim/base/error.hpp"
#include "sim/history/job_table.hpp"
#include "tests/fuzz/bytes_as_file.hpp"
#include "tests/history/job_table_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  static fuzz::BytesAsFile file;
  try {
    auto const table = history::read_job_table(file.path(data, size));
    if (table.rows.empty()) __builtin_trap();
    std::string const text = history::to_csv(table);
    auto const* const again = reinterpret_cast<std::uint8_t const*>(text.data());
    if (history::to_csv(history::read_job_table(file.path(again, text.size()))) != text) {
      __builtin_trap();
    }
  } catch (InputError const&) {
  }
  return 0;
}
