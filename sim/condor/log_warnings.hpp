// What a reader of a log has to tell its user, counted: the same thing is said once, with the line
// where it was first seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/condor/read_log.hpp"

namespace gridcast::condor {

class LogWarnings {
 public:
  explicit LogWarnings(LogReport& report) : report_(report) {}

  /// What follows is in this file.
  void in_file(std::string file) { files_.push_back(std::move(file)); }
  /// The number of that file, for what is told later.
  std::uint32_t file() const { return static_cast<std::uint32_t>(files_.size() - 1); }

  void add(std::string_view what, std::size_t line) { add(what, line, file()); }
  void add(std::string_view what, std::size_t line, std::uint32_t in_file);
  /// A line that no rule fits; `what` says where it stands.
  void not_understood(std::string_view what, std::size_t line, std::size_t lines = 1);

 private:
  LogReport& report_;
  std::vector<std::string> files_ = {""};
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  /// Indices into the report's warnings.
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> known_;
};

}  // namespace gridcast::condor
