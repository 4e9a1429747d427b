#include <cmath>
#include <optional>

#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/ads/job_ads.hpp"

namespace gridcast::condor {
namespace {

// More is a mistake: a petabyte.
constexpr double largest_B = 1e15;

std::optional<double> number(classad::Ad const& ad, std::string const& name, double most) {
  double const value = ad.lookup(name).number(-1);
  if (!(value >= 0 && value <= most)) return std::nullopt;
  return value;
}

std::string text(classad::Ad const& ad, std::string const& name) {
  classad::Value const value = ad.lookup(name);
  auto const* words = value.as<std::string>();
  return words != nullptr ? *words : std::string();
}

std::vector<CacheTryAd> tries_of(classad::Ad const& ad) {
  constexpr double most_tries = 1000;
  std::vector<CacheTryAd> tries;
  classad::Value const value = ad.lookup("DeveloperData");
  if (value.as_ad() == nullptr) return tries;
  classad::Ad const& data = *value.as_ad();
  auto const count = static_cast<std::size_t>(number(data, "Attempts", most_tries).value_or(0));
  for (std::size_t i = 0; i < count; ++i) {
    std::string const n = std::to_string(i);
    auto const waited = number(data, "TimeToFirstByte" + n, longest_s);
    tries.push_back({text(data, "Endpoint" + n), text(data, "TransferError" + n),
                     Seconds(number(data, "TransferTime" + n, longest_s).value_or(0)),
                     Bytes(number(data, "TransferFileBytes" + n, largest_B).value_or(0)),
                     waited ? std::optional(Seconds(*waited)) : std::nullopt});
  }
  return tries;
}

}  // namespace

history::TryEnd try_end(std::string const& error) {
  auto const has = [&error](char const* words) { return error.find(words) != std::string::npos; };
  if (error.empty()) return history::TryEnd::arrived;
  if (has("no progress") || has("stalled")) return history::TryEnd::stalled;
  return has("too slow") ? history::TryEnd::slow : history::TryEnd::failed;
}

bool read_transfer(classad::Ad const& ad, UrlTransferAd& into) {
  auto const start = number(ad, "TransferStartTime", latest_date);
  auto const end = number(ad, "TransferEndTime", latest_date);
  into.url = text(ad, "TransferUrl");
  if (into.url.empty() || !start || !end || *start <= 0 || *end < *start) return false;
  into.start = static_cast<std::int64_t>(*start);
  into.end = static_cast<std::int64_t>(*end);
  into.error = text(ad, "TransferError");
  classad::Value const success = ad.lookup("TransferSuccess");
  into.succeeded = success.as<bool>() != nullptr && *success.as<bool>();
  auto size = number(ad, "TransferFileBytes", largest_B);
  if (!size) size = number(ad, "TransferTotalBytes", largest_B);
  into.size = Bytes(size.value_or(0));
  // The finer of the two, unless it is no time that the whole seconds allow.
  auto const duration = number(ad, "ConnectionTimeSeconds", longest_s);
  if (duration && std::abs(*duration - (*end - *start)) <= 2) into.duration = Seconds(*duration);
  std::string const direction = text(ad, "TransferType");
  if (!direction.empty()) into.upload = same_ignoring_case(direction, "upload");
  into.tries = tries_of(ad);
  return true;
}

}  // namespace gridcast::condor
