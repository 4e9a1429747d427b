#include "sim/base/log_input.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zlib.h>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"

#ifdef GRIDCAST_ZSTD
#include <zstd.h>
#endif

namespace gridcast::inline base {
namespace {

/// Fills at most so many bytes; 0 at the end.
using Source = std::function<std::size_t(char* to, std::size_t size)>;

// zstd (RFC 8878), as logs are kept where gzip is too slow.

/// Decompresses a stream.
class Unpacking {
 public:
  virtual ~Unpacking() = default;
  /// At most `size` bytes; 0 at the end, or on a failure, which `trouble` then explains.
  virtual std::size_t read(char* to, std::size_t size, std::string& trouble) = 0;
};

/// How such a file begins.
constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";

#ifdef GRIDCAST_ZSTD

class Zstd final : public Unpacking {
 public:
  explicit Zstd(Source source)
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
  Source source_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool within_frame_ = false;
};

/// `source` gives the compressed bytes, 0 at their end. InputError, naming `file`, if this program
/// was built without the library.
std::unique_ptr<Unpacking> unpack_zstd(std::string const& /*file*/, Source source) {
  return std::make_unique<Zstd>(std::move(source));
}

#else

std::unique_ptr<Unpacking> unpack_zstd(std::string const& file, Source /*source*/) {
  refuse({file}, "is compressed with zstd",
         "this gridcast was built without its library (libzstd-dev)",
         "Unpack it: zstd -d FILE, or zstdcat FILE | gridcast ... -");
}

#endif

/// How something begins, which is looked at and then read with the rest of it.
class Beginning {
 public:
  std::string_view look_at(std::size_t size, Source const& rest) {
    bytes_.resize(size);
    std::size_t got = 0;
    while (got < size) {
      std::size_t const more = rest(bytes_.data() + got, size - got);
      if (more == 0) break;
      got += more;
    }
    bytes_.resize(got);
    return bytes_;
  }
  void leave_out(std::size_t size) { given_ = size; }

  std::size_t read(char* to, std::size_t size, Source const& rest) {
    std::size_t const here = std::min(size, bytes_.size() - given_);
    bytes_.copy(to, here, given_);
    given_ += here;
    return here == size ? here : here + rest(to + here, size - here);
  }

 private:
  std::string bytes_;
  std::size_t given_ = 0;
};

/// Files that are put one behind the other each bring their byte order mark: without those at the
/// beginnings of lines.
class WithoutMarks {
 public:
  std::size_t read(char* to, std::size_t size, Source const& rest) {
    while (std::size_t const got = take(to, size, rest)) {
      if (std::size_t const left = drop_marks(to, got, rest); left > 0) return left;
    }
    return 0;
  }

 private:
  static constexpr std::string_view mark = "\xEF\xBB\xBF";

  std::size_t take(char* to, std::size_t size, Source const& rest) {
    std::size_t const here = ahead_.copy(to, size);
    ahead_.erase(0, here);
    return here == size ? here : here + rest(to + here, size - here);
  }

  std::size_t drop_marks(char* text, std::size_t size, Source const& rest) {
    std::size_t left = 0;  // so many bytes stay
    for (std::size_t from = 0; from < size;) {
      auto const* const found =
          static_cast<char const*>(std::memchr(text + from, mark.front(), size - from));
      std::size_t const to = found ? static_cast<std::size_t>(found - text) : size;
      if (left != from) std::memmove(text + left, text + from, to - from);
      left += to - from;
      from = to;
      if (left > 0) before_ = text[left - 1];
      if (from == size) break;
      std::string_view const here(text + from, std::min(mark.size(), size - from));
      bool const is_mark =
          before_ == '\n' && mark.starts_with(here) && goes_on(mark.substr(here.size()), rest);
      if (is_mark) {
        from += here.size();
      } else {
        before_ = text[left++] = text[from++];
      }
    }
    return left;
  }

  /// Takes these bytes away if the text goes on with them.
  bool goes_on(std::string_view with, Source const& rest) {
    while (ahead_.size() < with.size()) {
      char next = 0;
      if (rest(&next, 1) == 0) return false;
      ahead_ += next;
    }
    if (!ahead_.starts_with(with)) return false;
    ahead_.erase(0, with.size());
    return true;
  }

  std::string ahead_;
  char before_ = '\n';
};

/// A file through zlib, which passes uncompressed data through, then through zstd, if it begins so;
/// its text without byte order marks.
class Packed {
 public:
  Packed(gzFile file, std::string const& name) : file_(file, gzclose) {
    if (packed_.look_at(zstd_magic.size(), through_zlib_) == zstd_magic) {
      zstd_ = unpack_zstd(name, through_beginning_);
    }
    text_.leave_out(mark_size(name, text_.look_at(longest_mark, unpacked_)));
  }
  Packed(Packed const&) = delete;
  Packed& operator=(Packed const&) = delete;
  ~Packed() = default;

  std::size_t read(char* to, std::size_t size) {
    return lines_.read(to, size, through_text_beginning_);
  }
  std::string const& trouble() const { return trouble_; }
  std::size_t bytes_of_file() const {
    return static_cast<std::size_t>(std::max<z_off_t>(0, gzoffset(file_.get())));
  }

 private:
  std::size_t through_zlib(char* to, std::size_t size);

  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
  Source const through_zlib_ = [this](char* to, std::size_t size) {
    return through_zlib(to, size);
  };
  Beginning packed_, text_;
  Source const through_beginning_ = [this](char* to, std::size_t size) {
    return packed_.read(to, size, through_zlib_);
  };
  std::unique_ptr<Unpacking> zstd_;
  Source const unpacked_ = [this](char* to, std::size_t size) {
    return zstd_ ? zstd_->read(to, size, trouble_) : through_beginning_(to, size);
  };
  Source const through_text_beginning_ = [this](char* to, std::size_t size) {
    return text_.read(to, size, unpacked_);
  };
  WithoutMarks lines_;
  std::string trouble_;
};

std::size_t Packed::through_zlib(char* to, std::size_t size) {
  if (!trouble_.empty()) return 0;
  auto const most = static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30U));
  int const got = gzread(file_.get(), to, most);
  if (got > 0) return static_cast<std::size_t>(got);
  int code = Z_OK;
  char const* message = gzerror(file_.get(), &code);
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

/// Records in gzip or zstd get ten to fifty times larger. A small file that fills the memory, or
/// takes minutes, is no record.
void expect_usual_growth(std::size_t text, std::size_t of_file, std::filesystem::path const& file) {
  constexpr std::size_t small_enough = std::size_t{16} << 20U, most_growth = 200;
  // The place in a pipe is not known.
  if (text > small_enough && of_file > 0 && text / most_growth > of_file) {
    refuse({file.string()}, "gets too long when it is unpacked",
           fmt::format("it is more than {} times as long as its compressed form", most_growth),
           "Check that it is the file that was meant; unpack it if it is.");
  }
}

void refuse_folder(std::filesystem::path const& file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code)) {
    refuse({file.string()}, "is a folder", "", "Name the log files in it");
  }
}

}  // namespace

LogInput::LogInput(std::filesystem::path const& file) : name_(file) {
  gzFile opened = nullptr;
  if (file == "-") {
    opened = gzdopen(dup(STDIN_FILENO), "rb");
  } else {
    refuse_folder(file);
    note_input_file(file);
    opened = gzopen(file.c_str(), "rb");
  }
  if (!opened) {
    if (errno == ENOENT) throw InputError(missing_file(file));
    auto const code = std::error_code(errno, std::generic_category());
    refuse({file.string()}, "cannot be read", code.message(), "");
  }
  gzbuffer(opened, 1U << 18U);
  file_.reset(new Packed(opened, file.string()));
}

std::size_t LogInput::read(char* to, std::size_t size) {
  std::size_t const got = handle(file_.get()).read(to, size);
  if (got == 0) trouble_ = handle(file_.get()).trouble();
  expect_usual_growth(read_ += got, bytes_of_file(), name_);
  return got;
}

std::size_t LogInput::bytes_of_file() const { return handle(file_.get()).bytes_of_file(); }

void LogInput::Close::operator()(void* file) const { delete &handle(file); }

std::string rest_of(LogInput& input, std::filesystem::path const& file) {
  constexpr std::size_t piece = 1 << 16;
  std::string text;
  while (true) {
    std::size_t const size = text.size();
    text.resize(size + piece);
    text.resize(size + input.read(text.data() + size, piece));
    if (text.size() == size) return text;
    if (text.size() > most_text) {
      refuse({file.string()}, "is too long", fmt::format("more than {} bytes", most_text),
             "Check that it is the file that was meant.");
    }
  }
}

std::string read_record_text(std::filesystem::path const& file) {
  LogInput input(file);
  std::string text = rest_of(input, file);
  if (text.find('\0') != std::string::npos) {
    refuse({file.string()}, "is a binary file", "it holds NUL bytes",
           "A text file is needed, or one in gzip or zstd.");
  }
  if (!input.trouble().empty()) {
    refuse({file.string()}, "cannot be read to its end", input.trouble(), "Copy it again.");
  }
  return text;
}

LogWindow::LogWindow(Source source, std::size_t width)
    : source_(std::move(source)), buffer_(width) {}

LogWindow::LogWindow(std::string_view text)
    : LogWindow([text](char* to, std::size_t size) mutable {
        std::size_t const part = text.copy(to, size);
        text.remove_prefix(part);
        return part;
      }) {}

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

}  // namespace gridcast::inline base
