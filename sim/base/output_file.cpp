#include "sim/base/output_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace gridcast::inline base {
namespace {

namespace fs = std::filesystem;

/// False, with errno, if not all could be written.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t const written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Opens a new file beside `path`; its name goes to `name`. Mode 0644 less the user's umask.
int open_beside(fs::path const& path, fs::path& name) {
  constexpr int most = 100;  // other files that are under way, leftovers of killed processes
  int descriptor = -1;
  for (int n = 0; descriptor < 0 && n < most; ++n) {
    name = path.parent_path() / fmt::format(".gridcast-{}-{}.tmp", ::getpid(), n);
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  return descriptor;
}

}  // namespace

class OutputFile::Buffer : public std::streambuf {
 public:
  explicit Buffer(fs::path const& path) {
    std::error_code ignored;
    auto const there = fs::status(path, ignored);
    if (fs::is_directory(there)) {
      throw InputError(Problem{{path.string()}, "is a folder", "", "Name a file in it."});
    }
    // A rename would put an ordinary file in the place of the device.
    direct_ = fs::exists(there) && !fs::is_regular_file(there);
    // Behind a link, the file that it names is the one to replace.
    fs::path const target = fs::canonical(path, ignored);
    target_ = ignored ? path : target;
    descriptor_ =
        direct_ ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : open_beside(target_, name_);
    if (descriptor_ < 0) {
      name_.clear();
      no_room_ = false;
      give_up();
    }
  }
  ~Buffer() override { drop(); }

  int error() const { return error_; }

  Problem problem(fs::path const& path) const {
    char const* const hint = direct_    ? "Choose another file."
                             : no_room_ ? "Make room on the disk, or choose another folder."
                                        : "Choose a folder that exists and that you may write in.";
    return {{path.string()}, "cannot be written", std::generic_category().message(error_), hint};
  }

  void keep() {
    if (error_ != 0) return;
    // The system may only now find that it could not write (quota, network folder).
    bool kept = ::close(std::exchange(descriptor_, -1)) == 0;
    if (kept && !direct_) kept = ::rename(name_.c_str(), target_.c_str()) == 0;
    if (!kept) return give_up();
    name_.clear();
  }

 protected:
  std::streamsize xsputn(char const* text, std::streamsize size) override {
    if (descriptor_ < 0) return 0;
    if (write_all(descriptor_, {text, static_cast<std::size_t>(size)})) return size;
    give_up();
    return 0;
  }
  int_type overflow(int_type c) override {
    char const one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }

 private:
  void give_up() {
    error_ = errno;
    drop();
  }
  void drop() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    if (!name_.empty()) ::unlink(name_.c_str());
    name_.clear();
  }

  fs::path target_, name_;  // to be, and of the temporary file as long as there is one
  bool direct_ = false, no_room_ = true;
  int descriptor_ = -1, error_ = 0;
};

OutputFile::OutputFile(fs::path const& path)
    : path_(path), buffer_(std::make_unique<Buffer>(path)), out_(buffer_.get()) {
  if (failed()) throw InputError(problem());
}

OutputFile::~OutputFile() = default;

bool OutputFile::failed() const { return buffer_->error() != 0; }

Problem OutputFile::problem() const { return buffer_->problem(path_); }

void OutputFile::keep() {
  buffer_->keep();
  if (failed()) throw InputError(problem());
}

}  // namespace gridcast::inline base
