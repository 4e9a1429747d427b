// Any bytes as a result that gridcast printed with --json: one, or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/report/data/result_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  try {
    auto const result =
        report::read_result(std::string(reinterpret_cast<char const*>(data), size), "result.json");
    static_cast<void>(report::result_json(result).size());
  } catch (InputError const&) {
  }
  return 0;
}
