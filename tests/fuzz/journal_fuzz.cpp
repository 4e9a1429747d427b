// Any bytes as the journal of a study and as the result of a shard: records that were written as
// they are, or none; another study's, and what is no journal, is an InputError.
#include "sim/base/error.hpp"
#include "sim/study/journal.hpp"
#include "sim/study/shards/shard.hpp"
#include "tests/fuzz/bytes_as_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  static fuzz::BytesAsFile file;
  study::Shard const shard{0, 3};
  auto const read = study::read_result(file.path(data, size), shard, "abc", study::Reading::whole);
  for (auto const& [number, record] : read.result.records) {
    if (record.size() > size) __builtin_trap();
  }
  try {
    study::Journal const journal(file.path(data, size), "abc");
    for (auto const& [replica, record] : journal.records()) {
      if (record.size() * sizeof(double) > size) __builtin_trap();
    }
  } catch (InputError const&) {
  }
  return 0;
}
