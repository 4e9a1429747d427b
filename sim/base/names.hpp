// The names in a list, each once, by their places: a new name goes behind the others.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gridcast::inline base {

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
