#include "sim/base/text.hpp"

#include <cerrno>
#include <fcntl.h>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "sim/base/error.hpp"

namespace gridcast {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail(fs::path const& path, std::string what, std::string why, std::string hint) {
  throw InputError(Problem{{path.string()}, std::move(what), std::move(why), std::move(hint)});
}

/// Closes a file descriptor however its scope is left.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() { close(); }
  OpenFile(OpenFile const&) = delete;
  OpenFile& operator=(OpenFile const&) = delete;

  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  /// False where the system only now finds that it could not write (quota, network folder).
  bool close() {
    int const descriptor = descriptor_;
    descriptor_ = -1;
    return descriptor < 0 || ::close(descriptor) == 0;
  }

 private:
  int descriptor_;
};

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

// Not by the size of the file, so that pipes can be read too.
std::string read_all(int descriptor, fs::path const& path) {
  constexpr std::size_t piece = 1 << 16;
  std::string bytes;
  std::size_t size = 0;
  while (true) {
    bytes.resize(size + piece);
    ssize_t const got = ::read(descriptor, bytes.data() + size, piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot be read", reason(errno), "Check the disk or the connection.");
    size += static_cast<std::size_t>(got);
    if (got == 0) break;
  }
  bytes.resize(size);
  return bytes;
}

/// Opens a new file beside `path`; its name goes to `name`. Mode 0644 less the user's umask.
int open_beside(fs::path const& path, fs::path& name) {
  constexpr int most = 100;  // leftovers of killed processes that had our number
  int descriptor = -1;
  for (int n = 0; descriptor < 0 && n < most; ++n) {
    name = path.parent_path() / fmt::format(".gridcast-{}-{}.tmp", ::getpid(), n);
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  return descriptor;
}

constexpr char const* mend_folder = "Choose a folder that exists and that you may write in.";

/// Fills the file behind a descriptor. False, with errno, if not all could be written.
using Fill = std::function<bool(int descriptor)>;

void write_directly(fs::path const& path, Fill const& fill) {
  OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open() || !fill(file.descriptor()) || !file.close()) {
    fail(path, "cannot be written", reason(errno), "Choose another file.");
  }
}

/// Takes the file away if nobody has given it its name.
class Temporary {
 public:
  ~Temporary() {
    if (!name.empty()) ::unlink(name.c_str());
  }
  fs::path name;
};

void write_and_rename(fs::path const& path, Fill const& fill) {
  Temporary temporary;
  OpenFile file(open_beside(path, temporary.name));
  if (!file.is_open()) {
    temporary.name.clear();
    fail(path, "cannot be written", reason(errno), mend_folder);
  }
  bool const done = fill(file.descriptor()) && file.close() &&
                    ::rename(temporary.name.c_str(), path.c_str()) == 0;
  if (!done) {
    fail(path, "cannot be written", reason(errno),
         "Make room on the disk, or choose another folder.");
  }
  temporary.name.clear();
}

void place_file(fs::path const& path, Fill const& fill) {
  std::error_code ignored;
  auto const there = fs::status(path, ignored);
  if (fs::is_directory(there)) fail(path, "is a folder", "", "Name a file in it.");
  // A rename would put an ordinary file in the place of the device.
  if (fs::exists(there) && !fs::is_regular_file(there)) return write_directly(path, fill);
  // Behind a link, the file that it names is the one to replace.
  fs::path const target = fs::canonical(path, ignored);
  write_and_rename(ignored ? path : target, fill);
}

/// A stream's way to a descriptor, for writers that keep a buffer of their own.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {}
  int error() const { return error_; }

 protected:
  std::streamsize xsputn(char const* text, std::streamsize size) override {
    if (write_all(descriptor_, {text, static_cast<std::size_t>(size)})) return size;
    error_ = errno;
    return 0;
  }
  int_type overflow(int_type c) override {
    char const one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }

 private:
  int descriptor_, error_ = 0;
};

bool fill_by_stream(int descriptor, std::function<void(std::ostream&)> const& write) {
  DescriptorBuffer buffer(descriptor);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  try {
    write(out);
  } catch (std::ios_base::failure const&) {
    errno = buffer.error();
    return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t from = 0;;) {
    std::size_t const to = text.find(separator, from);
    pieces.emplace_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return pieces;
    from = to + 1;
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  std::size_t const from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

std::string read_text_file(fs::path const& path) {
  OpenFile const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    int const error = errno;
    if (error == ENOENT) fail(path, "no such file", "", "Check the name and the folder.");
    fail(path, "cannot be opened", reason(error), "Check its permissions and those of its folder.");
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail(path, "is a folder", "", "Name a file in it.");
  std::string bytes = read_all(file.descriptor(), path);
  if (bytes.find('\0') != std::string::npos) {
    fail(path, "is a binary file", "it holds NUL bytes",
         "A text file is needed: unpack it if it is compressed, convert it if it is UTF-16.");
  }
  return bytes;
}

void write_file(fs::path const& path, std::string_view text) {
  place_file(path, [text](int descriptor) { return write_all(descriptor, text); });
}

void write_file(fs::path const& path, std::function<void(std::ostream&)> const& write) {
  place_file(path, [&write](int descriptor) { return fill_by_stream(descriptor, write); });
}

void prepare_folder(fs::path const& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, "cannot be made a folder", error.message(), "Choose another folder.");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(folder, "cannot be written in", reason(errno), mend_folder);
  }
}

std::string sha256(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  int const done = EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr);
  check(done == 1, "OpenSSL knows SHA-256");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace gridcast
