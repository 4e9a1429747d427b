// Local time of an access point to Unix time, by the C library's time zone data.
//
// The library knows one zone at a time, the process's own, so that the zone asked for is looked at
// once: its changes from 1990 to 2100 are kept. While it is constructed no other thread may ask
// for the local time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gridcast::condor {

class TimeZone {
 public:
  /// "America/Chicago", "UTC"; none if this machine does not know it.
  static std::optional<TimeZone> named(std::string const& name);

  /// Unix milliseconds. Of the two that an hour set back has, the first that is not before
  /// `not_before`; an hour that was skipped counts as if the clock had not been set forward.
  std::int64_t to_unix_ms(std::int64_t local_ms, std::int64_t not_before_ms) const;

 private:
  struct Change {
    std::int64_t from_s, offset_s;  // Unix time; local time minus UTC
  };
  std::int64_t offset_at(std::int64_t unix_s) const;
  std::vector<Change> changes_;
};

}  // namespace gridcast::condor
