// Lists and maps: each item's part and their sum, an item by its key; and names, each once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace gridcast::inline base {

/// `part` of each item, in order: a member or a function. They become `Item` if it is given.
template <class Item = void, class Range, class Part>
auto each_of(Range&& items, Part&& part) {
  using Found = std::invoke_result_t<Part&, std::ranges::range_reference_t<Range>>;
  std::vector<std::conditional_t<std::is_void_v<Item>, std::remove_cvref_t<Found>, Item>> parts;
  if constexpr (std::ranges::sized_range<Range>) parts.reserve(std::ranges::size(items));
  for (auto&& item : items) parts.emplace_back(std::invoke(part, item));
  return parts;
}

/// The sum of `part` of each item, in order.
template <class Sum, class Range, class Part>
Sum sum_of(Range const& items, Part part) {
  Sum sum{};
  for (auto const& item : items) sum += std::invoke(part, item);
  return sum;
}

/// The first item whose `part` is `key`, null if there is none.
template <class Range, class Key, class Part = std::identity>
auto* find_by(Range& items, Key const& key, Part part = {}) {
  auto const found = std::ranges::find(items, key, part);
  return found == std::ranges::end(items) ? nullptr : &*found;
}

/// The first item that meets the condition, null if there is none.
template <class Range, class Condition>
auto* find_where(Range& items, Condition const& condition) {
  auto const found = std::ranges::find_if(items, condition);
  return found == std::ranges::end(items) ? nullptr : &*found;
}

/// The value of a key in a map, null if there is none.
template <class Map, class Key>
auto* find_in(Map& map, Key const& key) {
  auto const found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

/// The value of a key in a map, `other` if there is none.
template <class Map, class Key>
typename Map::mapped_type value_or(Map const& map, Key const& key,
                                   std::type_identity_t<typename Map::mapped_type> other) {
  auto const found = map.find(key);
  return found == map.end() ? other : found->second;
}

/// The place of the first item whose `part` is `key`, as an `Index`; none if there is none.
template <class Index = std::size_t, class Range, class Key, class Part = std::identity>
std::optional<Index> position_of(Range const& items, Key const& key, Part part = {}) {
  auto const found = std::ranges::find(items, key, part);
  if (found == std::ranges::end(items)) return std::nullopt;
  return static_cast<Index>(found - std::ranges::begin(items));
}

template <class Range, class Value>
bool contains(Range const& items, Value const& value) {
  return std::ranges::find(items, value) != std::ranges::end(items);
}

/// The names in a list, each once, by their places: a new name goes behind the others.
class Names {
 public:
  /// Names that are in the list already count. No other code may add one of these meanwhile.
  explicit Names(std::vector<std::string>& names) : names_(names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      index_.emplace(names[i], static_cast<std::uint32_t>(i));
    }
  }
  Names(Names const&) = delete;

  std::uint32_t operator()(std::string_view name) {
    if (last_ < names_.size() && names_[last_] == name) return last_;
    auto const found = index_.find(name);
    if (found != index_.end()) return last_ = found->second;
    last_ = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    index_.emplace(name, last_);
    return last_;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> index_;
  std::uint32_t last_ = std::numeric_limits<std::uint32_t>::max();  // most calls repeat one
};

}  // namespace gridcast::inline base
