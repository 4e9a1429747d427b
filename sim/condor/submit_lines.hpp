// The lines of a submit file: continued ones put together, comments and blank ones left out.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::condor {

struct SubmitLine {
  std::string text;  // trimmed
  int number = 0;    // of its first line
};

class SubmitLines {
 public:
  explicit SubmitLines(std::string_view text) : rest_(text) {}
  /// The next line that says something; a backslash at its end continues it.
  std::optional<SubmitLine> next();
  /// Lines as they stand, comments and blank ones left out, up to one that `ends` says ends them,
  /// which is the last. Nothing if none does.
  std::optional<std::vector<std::string>> until(std::function<bool(std::string_view)> const& ends);

  /// All that are left, in the same way.
  std::vector<std::string> rest();

 private:
  std::optional<std::string_view> raw();
  std::string_view rest_;
  int number_ = 0;
};

}  // namespace gridcast::condor
