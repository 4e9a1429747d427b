#include "sim/condor/log/exceeded_request.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sim/base/text.hpp"

namespace gridcast::condor {
namespace {

using history::Resource;

constexpr int resources_code = 34;

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

/// "peak usage: 4099 megabytes" behind "peak usage: ".
std::optional<double> number_behind(std::string_view text, std::string_view words) {
  auto const at = text.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + words.size());
  text = text.substr(0, text.find_first_not_of("0123456789."));
  auto const number = text_as<double>(text);
  return number && *number < 1e12 ? number : std::nullopt;
}

/// The resource that the text names first.
std::optional<Resource> first_resource(std::string_view text) {
  std::optional<Resource> first;
  auto least = std::string_view::npos;
  for (auto const& [word, resource] :
       {std::pair("disk", Resource::disk), std::pair("memory", Resource::memory),
        std::pair("cpu", Resource::cpus)}) {
    auto const at = text.find(word);
    if (at >= least) continue;
    least = at;
    first = resource;
  }
  return first;
}

}  // namespace

std::optional<ExceededRequest> exceeded_request(std::optional<int> code, std::string_view reason) {
  std::string const text = lower(reason);
  bool const by_rule = (has(text, "exceed") || has(text, "excessive")) &&
                       (has(text, "request_") || has(text, "requested "));
  // The owner's: "The job attribute PeriodicHold expression 'ResidentSetSize/1024.0 >
  // RequestMemory' evaluated to TRUE".
  bool const by_expression =
      has(text, "evaluated to true") && (has(text, "requestmemory") || has(text, "requestdisk"));
  if (code != resources_code && !by_rule && !by_expression) return std::nullopt;
  auto const resource = first_resource(text);
  if (!resource) return std::nullopt;
  ExceededRequest exceeded{*resource};
  constexpr double mebibyte = 1048576;
  bool const is_cpus = *resource == Resource::cpus;
  if (!is_cpus && !has(text, "megabytes")) return exceeded;
  auto const numbers =
      is_cpus
          ? std::pair(number_behind(text, "used "), number_behind(text, "usage "))
          : std::pair(number_behind(text, "peak usage: "), number_behind(text, "memory limit of "));
  for (auto const& number : {numbers.first, numbers.second}) {
    if (number) exceeded.used = std::max(exceeded.used.value_or(0), *number);
  }
  if (exceeded.used && !is_cpus) *exceeded.used *= mebibyte;
  return exceeded;
}

void mark_exceeded(history::ResourceAmounts& amounts, ExceededRequest const& exceeded) {
  history::ResourceAmount& amount = amounts[exceeded.resource];
  amount.exceeded = true;
  for (auto const& least : {exceeded.used, amount.requested}) {
    if (least) amount.used = std::max(amount.used.value_or(*least), *least);
  }
}

}  // namespace gridcast::condor
