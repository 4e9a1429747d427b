// The bytes of an input as a file, for readers that open one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace gridcast::fuzz {

/// One file in memory, whose bytes are others each time.
class BytesAsFile {
 public:
  BytesAsFile() : descriptor_(::memfd_create("input", 0)) {}
  BytesAsFile(BytesAsFile const&) = delete;
  BytesAsFile& operator=(BytesAsFile const&) = delete;

  std::filesystem::path path(std::uint8_t const* data, std::size_t size) {
    if (descriptor_ < 0 || ::ftruncate(descriptor_, 0) != 0) __builtin_trap();
    if (::pwrite(descriptor_, data, size, 0) != static_cast<ssize_t>(size)) __builtin_trap();
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

}  // namespace gridcast::fuzz
