// Any bytes as a scenario or profile with a lesson: one whose own answer is right, or an
// InputError.
#include "sim/base/error.hpp"
#include "sim/scenario/lesson.hpp"
#include "tests/fuzz/bytes_as_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  static fuzz::BytesAsFile file;
  try {
    auto const lesson = scenario::read_lesson(file.path(data, size));
    if (!scenario::is_right(lesson, lesson.answer)) __builtin_trap();
  } catch (InputError const&) {
  }
  return 0;
}
