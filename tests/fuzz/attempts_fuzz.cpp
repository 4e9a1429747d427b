// Any bytes as a table of attempts (gridcast.attempts/1), and the history made of it: in time and
// of things that are there, or an InputError. The map is named: what is proposed for a header that
// is nobody's costs the reading of three maps, and is columns_fuzz's.
#include <vector>

#include "sim/base/error.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "tests/fuzz/bytes_as_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  static fuzz::BytesAsFile file;
  try {
    import::CampaignFiles files;
    files.attempts = {file.path(data, size)};
    files.columns = import::own_columns();
    auto const history = import::open_campaign(files).history;
    std::vector<Seconds> last(history.jobs.size(), Seconds(-1e18));
    for (auto const& event : history.events) {
      if (event.at < last.at(event.job.index())) __builtin_trap();
      last[event.job.index()] = event.at;
    }
  } catch (InputError const&) {
  }
  return 0;
}
