#include "sim/condor/log/log_input.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zlib.h>

#include "sim/base/error.hpp"

namespace gridcast::condor {
namespace {

gzFile handle(void* file) { return static_cast<gzFile>(file); }

void refuse_folder(std::filesystem::path const& file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code)) {
    throw InputError({{file.string()}, "is a folder", "", "Name the log files in it"});
  }
}

}  // namespace

// zlib reads what is not compressed as it is.
LogInput::LogInput(std::filesystem::path const& file) {
  if (file == "-") {
    file_.reset(gzdopen(dup(STDIN_FILENO), "rb"));
  } else {
    refuse_folder(file);
    file_.reset(gzopen(file.c_str(), "rb"));
  }
  if (!file_) {
    if (errno == ENOENT) {
      throw InputError({{file.string()}, "no such file", "", "Check the name and the folder."});
    }
    auto const code = std::error_code(errno, std::generic_category());
    throw InputError({{file.string()}, "cannot be read", code.message(), ""});
  }
  gzbuffer(handle(file_.get()), 1U << 18U);
}

std::size_t LogInput::read(char* to, std::size_t size) {
  if (!trouble_.empty()) return 0;
  auto const most = static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30U));
  int const got = gzread(handle(file_.get()), to, most);
  if (got > 0) return static_cast<std::size_t>(got);
  int code = Z_OK;
  char const* message = gzerror(handle(file_.get()), &code);
  if (code == Z_BUF_ERROR) {
    trouble_ = "the compressed file ends early";
  } else if (code == Z_ERRNO) {
    trouble_ = "reading failed";
  } else if (code != Z_OK && code != Z_STREAM_END) {
    trouble_ = "the compressed file is damaged (" + std::string(message) + ")";
  }
  return 0;
}

void LogInput::Close::operator()(void* file) const { gzclose(handle(file)); }

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
