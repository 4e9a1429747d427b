#include "sim/base/text.hpp"

#include <cerrno>
#include <fcntl.h>
#include <ostream>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "sim/base/error.hpp"
#include "sim/base/output_file.hpp"

namespace gridcast::inline base {
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
  ~OpenFile() {
    if (is_open()) ::close(descriptor_);
  }
  OpenFile(OpenFile const&) = delete;
  OpenFile& operator=(OpenFile const&) = delete;

  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

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

constexpr char const* mend_folder = "Choose a folder that exists and that you may write in.";

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
  OutputFile file(path);
  file.out() << text;
  file.keep();
}

void write_file(fs::path const& path, std::function<void(std::ostream&)> const& write) {
  OutputFile file(path);
  file.out().exceptions(std::ios::badbit);
  try {
    write(file.out());
  } catch (std::ios_base::failure const&) {
    throw InputError(file.problem());
  }
  file.keep();
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

}  // namespace gridcast::inline base
