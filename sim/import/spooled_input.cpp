#include "sim/import/spooled_input.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<int const> owned(int descriptor) {
  return {new int(descriptor), [](int const* file) {
            close(*file);
            delete file;
          }};
}

std::string reason() { return std::error_code(errno, std::generic_category()).message(); }

std::shared_ptr<int const> nameless_file() {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (error) folder = "/tmp";
  std::string name = (folder / "gridcast-XXXXXX").string();
  int const file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) {
    throw ResourceError(Problem{{folder.string()},
                                "no file can be made there",
                                reason(),
                                "Set TMPDIR to a folder with room for what comes from the pipe."});
  }
  unlink(name.c_str());
  return owned(file);
}

void write_all(int file, char const* data, std::size_t size) {
  while (size > 0) {
    ssize_t const written = write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw ResourceError(Problem{{},
                                  "there is no room for what comes from the pipe",
                                  reason(),
                                  "Set TMPDIR to a folder with more."});
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

}  // namespace

SpooledInput::SpooledInput(fs::path const& source)
    : file_(nameless_file()), shown_(source == "-" ? "standard input" : source.string()) {
  int const from = source == "-" ? dup(STDIN_FILENO) : open(source.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) throw InputError(Problem{{shown_}, "cannot be read", reason(), ""});
  auto const input = owned(from);
  constexpr std::size_t block = std::size_t{1} << 18U;
  std::vector<char> bytes(block);
  while (true) {
    ssize_t const got = read(*input, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(Problem{{shown_}, "cannot be read", reason(), ""});
    if (got == 0) return;
    write_all(*file_, bytes.data(), static_cast<std::size_t>(got));
  }
}

fs::path SpooledInput::path() const { return "/proc/self/fd/" + std::to_string(*file_); }

bool is_read_once(fs::path const& source) {
  std::error_code error;
  return source == "-" || fs::is_fifo(source, error) || fs::is_socket(source, error);
}

}  // namespace gridcast::import
