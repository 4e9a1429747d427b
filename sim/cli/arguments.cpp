#include "sim/cli/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/closest.hpp"

namespace gridcast::cli {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  auto const check = [least, most](std::string& text) -> std::string {
    std::uint64_t value = 0;
    auto const* const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(text.data(), end, value);
    bool const in_range = error == std::errc() && value >= least && value <= most;
    if (stop == end && in_range) return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
  return {check, ""};
}

CLI::Validator one_of(std::vector<std::string> words) {
  std::string const all = fmt::format("{}", fmt::join(words, "|"));
  auto const check = [words = std::move(words)](std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return "";
    return fmt::format("'{}' is none of its values. {}", text, suggestion(text, words));
  };
  return {check, all, one_of_name};
}

}  // namespace gridcast::cli
