// Any bytes as a workload log in the Standard Workload Format: rows and notes, or an InputError;
// its jobs become a campaign.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/import/swf.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  try {
    import::SwfLog const log =
        import::parse_swf({reinterpret_cast<char const*>(data), size}, "log.swf");
    if (log.jobs.size() > log.rows) __builtin_trap();
    import::import_swf(log, "log.swf", {});
  } catch (InputError const&) {
  }
  return 0;
}
