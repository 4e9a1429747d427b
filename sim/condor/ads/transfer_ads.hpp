// What the epoch history's INPUT, OUTPUT and CHECKPOINT ads tell of one URL: the result ads of the
// transfer plugin, an element of InputPluginResultList each. Pelican's plugin adds DeveloperData,
// with the tries at one cache after the other: Attempts, Endpoint0, TransferTime0,
// TransferFileBytes0, TimeToFirstByte0, TransferError0 and so on (Pelican, cmd/plugin.go). Times are the
// execution point's, in Unix seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"

namespace gridcast::condor {

struct CacheTryAd {
  std::string endpoint, error;  // host and port; what the client said, empty if all went well
  Seconds duration;
  Bytes bytes;
  std::optional<Seconds> first_byte;
};

/// One URL of one attempt.
struct UrlTransferAd {
  std::uint32_t attempt = 0;  // NumShadowStarts; 0: not told
  std::string url, error;
  bool upload = false, succeeded = false;
  std::int64_t start = 0, end = 0;  // by the execution point's clock
  Seconds duration;
  Bytes size;
  std::vector<CacheTryAd> tries = {};
};

/// False, if it tells no URL or no time that can be.
bool read_transfer(classad::Ad const& ad, UrlTransferAd& into);

}  // namespace gridcast::condor
