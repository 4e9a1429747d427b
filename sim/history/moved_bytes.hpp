// Bytes that records say were moved for jobs: into slots (received) and out of them (sent).
#pragma once

#include <map>
#include <string>

#include "sim/base/units.hpp"

namespace gridcast::history {

struct MovedBytes {
  Bytes received, sent;

  MovedBytes& operator+=(MovedBytes const& other) {
    received += other.received;
    sent += other.sent;
    return *this;
  }
};

/// By the name of the site; "" where it is not told.
using BytesBySite = std::map<std::string, MovedBytes>;

}  // namespace gridcast::history
