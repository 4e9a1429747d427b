#include "sim/condor/log/log_input.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zlib.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"

#ifdef GRIDCAST_ZSTD
#include <zstd.h>
#endif

namespace gridcast::condor {
namespace {

// zstd (RFC 8878), as logs are kept where gzip is too slow.

/// What undoes a compression.
class Unpacking {
 public:
  virtual ~Unpacking() = default;
  /// At most `size` bytes; 0 at the end, or where `trouble` then says why it is none.
  virtual std::size_t read(char* to, std::size_t size, std::string& trouble) = 0;
};

/// How such a file begins.
constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";

#ifdef GRIDCAST_ZSTD

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

/// `source` gives the compressed bytes, 0 at their end. InputError, naming `file`, if this program was
/// built without the library.
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

/// A file through zlib, which reads what is not compressed as it is; and what it begins with, which
/// tells whether zstd has to undo something yet.
class Packed {
 public:
  Packed(gzFile file, std::string const& name) : file_(file) {
    beginning_.resize(zstd_magic.size());
    std::size_t got = 0;
    while (got < beginning_.size()) {
      std::size_t const more = through_zlib(beginning_.data() + got, beginning_.size() - got);
      if (more == 0) break;
      got += more;
    }
    beginning_.resize(got);
    if (beginning_ != zstd_magic) return;
    zstd_ = unpack_zstd(name, [this](char* to, std::size_t size) { return packed(to, size); });
  }
  Packed(Packed const&) = delete;
  Packed& operator=(Packed const&) = delete;
  ~Packed() { gzclose(file_); }

  std::size_t read(char* to, std::size_t size) {
    return zstd_ ? zstd_->read(to, size, trouble_) : packed(to, size);
  }
  std::string const& trouble() const { return trouble_; }

 private:
  std::size_t packed(char* to, std::size_t size) {
    std::size_t const rest = std::min(size, beginning_.size() - given_);
    if (rest == 0) return through_zlib(to, size);
    beginning_.copy(to, rest, given_);
    given_ += rest;
    return rest + through_zlib(to + rest, size - rest);
  }

  std::size_t through_zlib(char* to, std::size_t size);

  gzFile file_;
  std::string beginning_;
  std::size_t given_ = 0;  // of it
  std::unique_ptr<Unpacking> zstd_;
  std::string trouble_;
};

std::size_t Packed::through_zlib(char* to, std::size_t size) {
  if (!trouble_.empty()) return 0;
  auto const most = static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30U));
  int const got = gzread(file_, to, most);
  if (got > 0) return static_cast<std::size_t>(got);
  int code = Z_OK;
  char const* message = gzerror(file_, &code);
  if (code == Z_BUF_ERROR) {
    trouble_ = "the compressed file ends early";
  } else if (code == Z_ERRNO) {
    trouble_ = "reading failed";
  } else if (code != Z_OK && code != Z_STREAM_END) {
    trouble_ = "the compressed file is damaged (" + std::string(message) + ")";
  }
  return 0;
}

Packed& handle(void* file) { return *static_cast<Packed*>(file); }

void refuse_folder(std::filesystem::path const& file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code)) {
    throw InputError({{file.string()}, "is a folder", "", "Name the log files in it"});
  }
}

}  // namespace

LogInput::LogInput(std::filesystem::path const& file) {
  gzFile opened = nullptr;
  if (file == "-") {
    opened = gzdopen(dup(STDIN_FILENO), "rb");
  } else {
    refuse_folder(file);
    note_input_file(file);
    opened = gzopen(file.c_str(), "rb");
  }
  if (!opened) {
    if (errno == ENOENT) {
      throw InputError({{file.string()}, "no such file", "", "Check the name and the folder."});
    }
    auto const code = std::error_code(errno, std::generic_category());
    throw InputError({{file.string()}, "cannot be read", code.message(), ""});
  }
  gzbuffer(opened, 1U << 18U);
  file_.reset(new Packed(opened, file.string()));
}

std::size_t LogInput::read(char* to, std::size_t size) {
  std::size_t const got = handle(file_.get()).read(to, size);
  if (got == 0) trouble_ = handle(file_.get()).trouble();
  return got;
}

void LogInput::Close::operator()(void* file) const { delete &handle(file); }

LogWindow::LogWindow(Source source, std::size_t width)
    : source_(std::move(source)), buffer_(width) {}

bool LogWindow::more() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= widest) return false;
    buffer_.resize(std::min(2 * buffer_.size(), widest));
  }
  std::size_t const got = source_(buffer_.data() + end_, buffer_.size() - end_);
  ended_ = got == 0;
  end_ += got;
  bytes_read_ += got;
  return !ended_;
}

}  // namespace gridcast::condor
