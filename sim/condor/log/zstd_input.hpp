// zstd (RFC 8878), as logs are kept where gzip is too slow.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gridcast::condor {

/// What undoes a compression.
class Unpacking {
 public:
  virtual ~Unpacking() = default;
  /// At most `size` bytes; 0 at the end, or where `trouble` then says why it is none.
  virtual std::size_t read(char* to, std::size_t size, std::string& trouble) = 0;
};

/// How such a file begins.
inline constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";

/// `source` gives the compressed bytes, 0 at their end. InputError, naming `file`, if this program was
/// built without the library.
std::unique_ptr<Unpacking> unpack_zstd(std::string const& file,
                                       std::function<std::size_t(char*, std::size_t)> source);

}  // namespace gridcast::condor
