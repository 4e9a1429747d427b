#include "sim/report/data/json.hpp"

#include "sim/base/json_text.hpp"

namespace gridcast::report {

Json parse_json(std::string const& text, std::string const& source) {
  return base::parse_json<Json>(text, {source, "a result is one JSON object",
                                       "Make it again: gridcast VERB ... --json > FILE."});
}

}  // namespace gridcast::report
