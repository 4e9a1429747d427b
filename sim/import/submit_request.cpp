// request_gpus, request_disk and the like, late materialization.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/import/submit_reading.hpp"
#include "sim/import/submit_values.hpp"

namespace gridcast::import {
namespace {

constexpr Bytes kibibyte = Bytes(1024);
constexpr Bytes mebibyte = Bytes(1048576);

void read_size(SubmitReading& reading, std::string const& command, Bytes unit, Bytes& out) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return;
  auto const size = submit_size(value->text, unit);
  if (size) {
    out = *size;
  } else {
    reading.note(value->where, fmt::format("not understood: {} = {}", command, value->text));
  }
}

void read_count(SubmitReading& reading, std::string const& command, int& out) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return;
  auto const number = submit_number(value->text);
  bool const good = number && *number >= 0 && *number <= 1e6 && *number == std::floor(*number);
  if (good) {
    out = static_cast<int>(*number);
  } else {
    reading.note(value->where, fmt::format("not understood: {} = {}", command, value->text));
  }
}

}  // namespace

void read_submit_request(SubmitReading& reading) {
  scenario::Request& request = reading.result.campaign.request;
  request.gpus = 0;
  read_count(reading, "request_gpus", request.gpus);
  read_size(reading, "request_disk", kibibyte, request.disk);
  read_size(reading, "gpus_minimum_memory", mebibyte, request.gpu_memory);
  if (condor::SubmitValue const* const value = reading.find("gpus_minimum_capability")) {
    auto const number = submit_number(value->text);
    if (number && *number >= 0) {
      request.gpu_capability = *number;
    } else {
      reading.note(value->where, "not understood: gpus_minimum_capability = " + value->text);
    }
  }
  read_count(reading, "max_idle", reading.result.campaign.max_idle);
  read_count(reading, "max_materialize", reading.result.campaign.max_materialize);
}

}  // namespace gridcast::import
