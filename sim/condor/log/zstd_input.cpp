#include "sim/condor/log/zstd_input.hpp"

#include <utility>
#include <vector>

#include "sim/base/error.hpp"

#ifdef GRIDCAST_ZSTD
#include <zstd.h>
#endif

namespace gridcast::condor {

#ifdef GRIDCAST_ZSTD

namespace {

class Zstd final : public Unpacking {
 public:
  explicit Zstd(std::function<std::size_t(char*, std::size_t)> source)
      : source_(std::move(source)), stream_(ZSTD_createDStream()), buffer_(ZSTD_DStreamInSize()) {}

  std::size_t read(char* to, std::size_t size, std::string& trouble) override {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0 && trouble.empty()) {
      if (in_.pos == in_.size) {
        in_ = {buffer_.data(), source_(buffer_.data(), buffer_.size()), 0};
        if (in_.size == 0) {
          if (within_frame_) trouble = "the compressed file ends early";
          return 0;
        }
      }
      std::size_t const wanted = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(wanted) != 0) {
        trouble = std::string("the compressed file is damaged (") + ZSTD_getErrorName(wanted) + ")";
      }
      within_frame_ = wanted != 0;
    }
    return out.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::function<std::size_t(char*, std::size_t)> source_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool within_frame_ = false;
};

}  // namespace

std::unique_ptr<Unpacking> unpack_zstd(std::string const& /*file*/,
                                       std::function<std::size_t(char*, std::size_t)> source) {
  return std::make_unique<Zstd>(std::move(source));
}

#else

std::unique_ptr<Unpacking> unpack_zstd(std::string const& file,
                                       std::function<std::size_t(char*, std::size_t)> /*source*/) {
  throw InputError(Problem{{file},
                           "is compressed with zstd",
                           "this gridcast was built without its library (libzstd-dev)",
                           "Unpack it: zstd -d FILE, or zstdcat FILE | gridcast ... -"});
}

#endif

}  // namespace gridcast::condor
