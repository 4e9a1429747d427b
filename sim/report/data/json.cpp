#include "sim/report/data/json.hpp"

#include <algorithm>

namespace gridcast::report {
namespace {

/// Line and column of a byte, from 1.
Location place_of(std::string const& text, std::size_t byte, std::string const& source) {
  auto const end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  auto const line = 1 + std::count(text.begin(), end, '\n');
  auto const start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return {source, static_cast<int>(line), static_cast<int>(end - start) + 1};
}

}  // namespace

Json parse_json(std::string const& text, std::string const& source) {
  try {
    return Json::parse(text);
  } catch (nlohmann::json::parse_error const& error) {
    std::size_t const at = error.byte == 0 ? 0 : error.byte - 1;
    bool const ends = at >= text.size();
    throw InputError(Problem{place_of(text, at, source),
                             ends ? "the JSON ends here, before it is complete" : "is not JSON",
                             ends ? "the file was cut off" : "a result is one JSON object",
                             "Make it again: gridcast VERB ... --json > FILE."});
  } catch (nlohmann::json::out_of_range const&) {
    throw InputError(Problem{{source, 0, 0},
                             "holds a number that is too large",
                             "so it is no result that gridcast printed",
                             "Make it again: gridcast VERB ... --json > FILE."});
  }
}

}  // namespace gridcast::report
