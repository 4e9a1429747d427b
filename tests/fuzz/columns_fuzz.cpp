// Any bytes as a column map and, behind a line "%%", a table that is read by it, or by what its
// header says where the map is empty: rows whose names are there, which make a history in time, or
// an InputError.
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "tests/fuzz/bytes_as_file.hpp"

namespace {

void read_by(std::optional<gridcast::import::ColumnMap> const& map,
             std::filesystem::path const& table) {
  using namespace gridcast;
  import::CampaignFiles files;
  files.attempts = {table};
  files.columns = map;
  auto const history = import::open_campaign(files).history;
  std::vector<Seconds> last(history.jobs.size(), Seconds(-1e18));
  for (auto const& event : history.events) {
    if (event.at < last.at(event.job.index())) __builtin_trap();
    last[event.job.index()] = event.at;
    if (event.site.valid() && event.site.index() >= history.sites.size()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  static fuzz::BytesAsFile map_file, table_file;
  constexpr std::string_view between = "\n%%\n";
  std::size_t const found =
      std::string_view(reinterpret_cast<char const*>(data), size).find(between);
  std::size_t const end = std::min(found, size);
  std::size_t const next = std::min(size, end + between.size());
  try {
    std::optional<import::ColumnMap> map;
    if (end > 0) map = import::read_column_map(map_file.path(data, end));
    read_by(map, table_file.path(data + next, size - next));
  } catch (InputError const&) {
  }
  return 0;
}
