#include "sim/condor/time_zone.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace gridcast::condor {
namespace {

constexpr std::int64_t first_s = 631152000;  // 1990
constexpr std::int64_t last_s = 4102444800;  // 2100
constexpr std::int64_t step_s = 6 * 86400;   // no zone changes twice within it

std::int64_t process_offset(std::int64_t unix_s) {
  auto const time = static_cast<std::time_t>(unix_s);
  std::tm local{};
  localtime_r(&time, &local);
  return local.tm_gmtoff;
}

// The zone of the process, for as long as this lives.
class ProcessZone {
 public:
  explicit ProcessZone(std::string const& name) {
    char const* before = std::getenv("TZ");
    if (before != nullptr) before_ = before;
    setenv("TZ", (":" + name).c_str(), 1);
    tzset();
  }
  ProcessZone(ProcessZone const&) = delete;
  ProcessZone& operator=(ProcessZone const&) = delete;
  ~ProcessZone() {
    if (before_) {
      setenv("TZ", before_->c_str(), 1);
    } else {
      unsetenv("TZ");
    }
    tzset();
  }

 private:
  std::optional<std::string> before_;
};

// The C library takes a zone that it does not know for UTC.
bool known(std::string const& name) {
  if (name == "UTC") return true;
  if (name.empty() || name.front() == '/' || name.find("..") != std::string::npos) return false;
  char const* folder = std::getenv("TZDIR");
  std::filesystem::path const zones = folder != nullptr ? folder : "/usr/share/zoneinfo";
  std::error_code code;
  return std::filesystem::is_regular_file(zones / name, code);
}

}  // namespace

std::optional<TimeZone> TimeZone::named(std::string const& name) {
  if (!known(name)) return std::nullopt;
  ProcessZone const zone(name);
  TimeZone found;
  found.changes_.push_back({first_s, process_offset(first_s)});
  for (std::int64_t at = first_s; at < last_s; at += step_s) {
    std::int64_t const offset = process_offset(at + step_s);
    if (offset == found.changes_.back().offset_s) continue;
    std::int64_t before = at, after = at + step_s;
    while (after - before > 1) {
      std::int64_t const middle = before + (after - before) / 2;
      (process_offset(middle) == offset ? after : before) = middle;
    }
    found.changes_.push_back({after, offset});
  }
  return found;
}

std::int64_t TimeZone::offset_at(std::int64_t unix_s) const {
  auto const next =
      std::upper_bound(changes_.begin() + 1, changes_.end(), unix_s,
                       [](std::int64_t at, Change const& change) { return at < change.from_s; });
  return std::prev(next)->offset_s;
}

std::int64_t TimeZone::to_unix_ms(std::int64_t local_ms, std::int64_t not_before_ms) const {
  // The offset in force a day before and a day after: the hours around a change have one of them.
  std::int64_t const local_s = local_ms / 1000;
  std::int64_t const early = offset_at(local_s - 86400), late = offset_at(local_s + 86400);
  std::int64_t const first = local_ms - early * 1000, second = local_ms - late * 1000;
  bool const first_is = offset_at(first / 1000) == early;
  bool const second_is = offset_at(second / 1000) == late;
  if (first_is && second_is) return first >= not_before_ms ? first : second;
  return second_is ? second : first;
}

}  // namespace gridcast::condor
