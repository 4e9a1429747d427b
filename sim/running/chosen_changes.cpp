#include "sim/running/chosen_changes.hpp"

namespace gridcast::running {
namespace {

/// Whether the text is a change, which is then added.
bool add(ChosenChanges& changes, std::string const& text) {
  auto const colon = text.find(':');
  std::string const name = text.substr(0, colon);
  std::string const value = colon == std::string::npos ? "" : text.substr(colon + 1);
  auto const time = parse_seconds(value);
  bool const is_time = time && *time > Seconds();
  if (text == "release") return changes.release = true;
  if (text == "resubmit") return changes.resubmit = true;
  if (name == "avoid") changes.host = value;
  if (name == "limit" && is_time) changes.limit = time;
  if (name == "release-after" && is_time) changes.release_after = time;
  return (name == "avoid" && !value.empty()) ||
         ((name == "limit" || name == "release-after") && is_time);
}

}  // namespace

std::string wrong_change(std::string const& text) {
  ChosenChanges changes;
  if (add(changes, text)) return "";
  return "write release, resubmit, avoid:HOST, limit:TIME or release-after:TIME";
}

ChosenChanges changes_in(std::vector<std::string> const& texts) {
  ChosenChanges changes;
  for (std::string const& text : texts) add(changes, text);
  return changes;
}

}  // namespace gridcast::running
