#include "tests/fuzz/event_log_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  return gridcast::fuzz::read_event_log(gridcast::condor::LogForm::text, data, size);
}
