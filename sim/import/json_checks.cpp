#include "sim/import/json_checks.hpp"

#include <fmt/format.h>

namespace gridcast::import {

JsonTree const* JsonChecks::member(JsonTree const& in, std::string const& path,
                                   std::string_view name, bool required) {
  JsonTree const* const found = in.find(name);
  if (found == nullptr && required) {
    complain(in, fmt::format("{}: '{}' is missing", path, name));
  }
  return found;
}

void JsonChecks::complain_of_kind(JsonTree const& node, std::string const& path,
                                  std::string_view name, std::string_view kind) {
  complain(node, fmt::format("{}: '{}' has to be {}", path, name, kind));
}

JsonTree const* JsonChecks::object(JsonTree const& in, std::string const& path,
                                   std::string_view name, bool required) {
  JsonTree const* const found = member(in, path, name, required);
  if (found == nullptr || found->members() != nullptr) return found;
  complain_of_kind(*found, path, name, "an object");
  return nullptr;
}

JsonTree::Items const* JsonChecks::list(JsonTree const& in, std::string const& path,
                                        std::string_view name, bool required) {
  JsonTree const* const found = member(in, path, name, required);
  if (found == nullptr) return nullptr;
  if (found->items() == nullptr) complain_of_kind(*found, path, name, "a list");
  return found->items();
}

std::string const* JsonChecks::text(JsonTree const& in, std::string const& path,
                                    std::string_view name, bool required) {
  JsonTree const* const found = member(in, path, name, required);
  if (found == nullptr) return nullptr;
  if (found->text() != nullptr && !found->text()->empty()) return found->text();
  complain_of_kind(*found, path, name, "a text that is not empty");
  return nullptr;
}

double const* JsonChecks::number(JsonTree const& in, std::string const& path, std::string_view name,
                                 bool required) {
  JsonTree const* const found = member(in, path, name, required);
  if (found == nullptr) return nullptr;
  if (found->number() == nullptr) complain_of_kind(*found, path, name, "a number");
  return found->number();
}

std::vector<JsonTree const*> JsonChecks::texts(JsonTree const& in, std::string const& path,
                                               std::string_view name, bool required) {
  std::vector<JsonTree const*> found;
  auto const* const items = list(in, path, name, required);
  if (items == nullptr) return found;
  for (JsonTree const& item : *items) {
    if (item.text() != nullptr) {
      found.push_back(&item);
    } else {
      complain_of_kind(item, path, name, "a list of texts");
    }
  }
  return found;
}

}  // namespace gridcast::import
