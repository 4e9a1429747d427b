#include <array>
#include <ctime>

#include <fmt/format.h>

#include "sim/classad/functions.hpp"

namespace gridcast::classad {
namespace {

/// In UTC: the simulated access point knows no other zone.
Value format_time(Call const& call) {
  if (call.size() > 0 && !call[0].as<std::int64_t>()) return Error();
  std::time_t const time = call.size() > 0 ? *call[0].as<std::int64_t>() : call.now;
  std::tm parts{};
  if (!gmtime_r(&time, &parts)) return Error();
  std::string const format = call.text(1, "%c");
  if (format.empty()) return "";
  std::array<char, 512> buffer{};
  std::size_t const length = std::strftime(buffer.data(), buffer.size(), format.c_str(), &parts);
  return length > 0 ? Value(std::string_view(buffer.data(), length)) : Value(Error());
}

/// 1472523 -> "17+1:02:03", 67 -> "1:07".
Value interval(Call const& call) {
  auto const* const seconds = call[0].as<std::int64_t>();
  if (!seconds || *seconds < 0) return Error();
  std::int64_t const days = *seconds / 86400;
  std::int64_t const hours = *seconds / 3600 % 24;
  std::int64_t const minutes = *seconds / 60 % 60;
  std::int64_t const rest = *seconds % 60;
  if (days > 0) return fmt::format("{}+{}:{:02}:{:02}", days, hours, minutes, rest);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

}  // namespace

std::span<Function const> functions_of_time() {
  static std::array const all = {
      Function{"time", 0, 0, true, nullptr, Function::Special::time},
      Function{"eval", 1, 1, true, nullptr, Function::Special::eval},
      Function{"ifThenElse", 3, 3, false, nullptr, Function::Special::if_then_else},
      Function{"formatTime", 0, 2, true, format_time},
      Function{"interval", 1, 1, true, interval},
  };
  return all;
}

}  // namespace gridcast::classad
