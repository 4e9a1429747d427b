#include "sim/base/files.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <streambuf>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "sim/base/text.hpp"

namespace gridcast::inline base {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(fs::path const& folder) {
  constexpr std::size_t most_names = 10'000;  // a longer list takes too long to compare
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (names.size() == most_names) break;
    names.push_back(at->path().filename().string());
  }
  return names;
}

/// The path with the nearest name in place of each that is not there; empty if there is none.
fs::path nearest_path(fs::path const& file) {
  fs::path found;
  for (fs::path const& part : file) {
    std::error_code error;
    if (fs::exists(found / part, error)) {
      found /= part;
      continue;
    }
    auto const near = closest(part.string(), names_in(found.empty() ? "." : found));
    if (near.empty()) return {};
    found /= near;
  }
  return found;
}

/// A file without a name in the folder of `path`; -1 where the file system has none. Mode 0644 less
/// the user's umask.
int open_nameless(fs::path const& path) {
  if (::access("/proc/self/fd", X_OK) != 0) return -1;  // by which it would get its name
  fs::path const folder = path.parent_path().empty() ? "." : path.parent_path();
  return ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644);
}

/// Gives a file without a name that name; false, with errno, if something else has it.
bool name_file(int descriptor, fs::path const& name) {
  std::string const itself = fmt::format("/proc/self/fd/{}", descriptor);
  return ::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

constexpr int most_beside = 100;  // other files that are under way, leftovers of killed processes

fs::path name_beside(fs::path const& path, int n) {
  return path.parent_path() / fmt::format(".gridcast-{}-{}.tmp", ::getpid(), n);
}

/// The same file under a name beside `path`, which goes to `name`.
bool name_beside(int descriptor, fs::path const& path, fs::path& name) {
  for (int n = 0; n < most_beside; ++n) {
    name = name_beside(path, n);
    if (name_file(descriptor, name)) return true;
    if (errno != EEXIST) break;
  }
  name.clear();
  return false;
}

/// Opens a new file beside `path`; its name goes to `name`. Mode 0644 less the user's umask.
int open_beside(fs::path const& path, fs::path& name) {
  int descriptor = -1;
  for (int n = 0; descriptor < 0 && n < most_beside; ++n) {
    name = name_beside(path, n);
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  if (descriptor < 0) name.clear();
  return descriptor;
}

std::string reason(int error) { return std::generic_category().message(error); }

/// True if the name or its folder prevents opening a file, and not the machine.
bool is_of_the_name(int error) {
  return error == ENOENT || error == ENOTDIR || error == EACCES || error == EPERM ||
         error == EROFS || error == EISDIR || error == ENAMETOOLONG || error == ELOOP ||
         error == ENXIO || error == EINVAL || error == EEXIST;
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

// The size of the file is not used: pipes can be read too.
std::string read_text(int descriptor, fs::path const& path, std::size_t most) {
  constexpr std::size_t piece = 1 << 16;
  std::string bytes;
  std::size_t size = 0, mark = 0;
  while (true) {
    bytes.resize(size + piece);
    ssize_t const got = ::read(descriptor, bytes.data() + size, piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      refuse({path.string()}, "cannot be read", reason(errno), "Check the disk or the connection.");
    auto const read = static_cast<std::size_t>(got);
    mark = mark_size(path, std::string_view(bytes).substr(0, size + read));
    if (std::string_view(bytes).substr(size, read).find('\0') != std::string_view::npos) {
      refuse({path.string()}, "is a binary file", "it holds NUL bytes",
             "A text file is needed: unpack it if it is compressed, convert it if it is UTF-16.");
    }
    size += read;
    if (size > most) {
      refuse({path.string()}, "is too long", fmt::format("more than {} bytes", most),
             "Check that it is the file that was meant.");
    }
    if (got == 0) break;
  }
  bytes.resize(size);
  bytes.erase(0, mark);
  return bytes;
}

constexpr char const* mend_folder = "Choose a folder that exists and that you may write in.";

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1, "OpenSSL knows SHA-256");
  }

  void add(std::string_view bytes) {
    check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1, "SHA-256 goes on");
  }

  /// Hexadecimal; once.
  std::string text() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    check(EVP_DigestFinal_ex(context_.get(), digest, &size) == 1, "SHA-256 ends");
    return fmt::format("{:02x}", fmt::join(digest, digest + size, ""));
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> id_of(std::filesystem::path const& file) {
  struct stat found = {};
  if (::stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileId(found.st_dev, found.st_ino);
}

struct KnownFiles {
  std::mutex mutex;
  bool protect = false;
  std::set<FileId> read, own;
};

KnownFiles& known_files() {
  static KnownFiles known;
  return known;
}

}  // namespace

void keep_together(std::vector<OutputOfSet> const& files) {
  std::vector<Problem> problems;
  for (auto const& [path, file] : files) {
    if (file->failed()) problems.push_back(file->problem());
  }
  if (!problems.empty()) throw ResourceError(std::move(problems));
  std::error_code ignored;
  std::vector<fs::path> fresh;
  try {
    for (auto const& [path, file] : files) {
      bool const replaces = fs::exists(path, ignored);
      file->keep();
      if (!replaces) fresh.push_back(path);
    }
  } catch (ProblemsError const&) {
    for (fs::path const& path : fresh) fs::remove(path, ignored);
    throw;
  }
}

void write_together(std::vector<TextOfSet> const& files) {
  std::vector<std::unique_ptr<OutputFile>> written;
  std::vector<OutputOfSet> set;
  for (auto const& [path, text] : files) {
    written.push_back(std::make_unique<OutputFile>(path));
    written.back()->out() << text;
    set.push_back({path, written.back().get()});
  }
  keep_together(set);
}

Problem missing_file(fs::path const& file) {
  auto const near = nearest_path(file);
  return {
      {file.string()},
      "no such file",
      "",
      near.empty() ? "Check the name and the folder." : "Did you mean '" + near.string() + "'?"};
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t const written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

class OutputFile::Buffer : public std::streambuf {
 public:
  explicit Buffer(fs::path const& path) {
    std::error_code ignored;
    auto const there = fs::status(path, ignored);
    if (fs::is_directory(there)) {
      refuse({path.string()}, "is a folder", "", "Name a file in it.");
    }
    bool const is_no_name = path.empty() || ignored == std::errc::filename_too_long;
    if (is_no_name) {
      refuse({path.string()}, path.empty() ? "a file without a name" : "cannot be written",
             reason(path.empty() ? ENOENT : ENAMETOOLONG), "Give it another name.");
    }
    if (is_input_file(path)) {
      refuse({path.string()}, "is one of the inputs", "it would be written over",
             "Name another file for the results.");
    }
    // A rename would put an ordinary file in the place of the device.
    direct_ = fs::exists(there) && !fs::is_regular_file(there);
    // Behind a link, the file that it names is the one to replace.
    fs::path const target = fs::canonical(path, ignored);
    target_ = ignored ? path : target;
    descriptor_ = direct_ ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : open_nameless(target_);
    if (!direct_ && descriptor_ < 0) descriptor_ = open_beside(target_, name_);
    if (descriptor_ < 0) {
      was_opened_ = false;
      give_up();
    } else if (!direct_) {
      permit_as(there);
    }
  }
  ~Buffer() override { drop(); }

  int error() const { return error_; }

  bool is_of_the_name() const { return !was_opened_ && base::is_of_the_name(error_); }

  Problem problem(fs::path const& path) const {
    char const* const hint = direct_            ? "Choose another file."
                             : is_of_the_name() ? mend_folder
                                                : "Make room, or choose another folder.";
    return {{path.string()}, "cannot be written", reason(error_), hint};
  }

  void keep() {
    if (error_ != 0) return;
    // The system may only now find that it could not write (quota, network folder); and a name must
    // not be on the disk before its content. A pipe or a terminal has no disk (EINVAL).
    if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) return give_up();
    if (!direct_ && !give_name()) return give_up();
    if (::close(std::exchange(descriptor_, -1)) != 0 && direct_) return give_up();
    if (direct_) return;
    note_own_file(target_);
    sync_folder();
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
  /// The owner's wishes for the file that is replaced hold for its successor.
  void permit_as(fs::file_status const& replaced) const {
    if (!fs::is_regular_file(replaced)) return;
    struct stat old = {};
    if (::stat(target_.c_str(), &old) != 0) return;
    // Only root can give a file away; without that it is the user's own.
    if (::fchown(descriptor_, old.st_uid, old.st_gid) != 0) errno = 0;
    ::fchmod(descriptor_, old.st_mode & 07777);
  }

  /// The new name outlives a loss of power. File systems that cannot do that still keep the file.
  void sync_folder() const {
    fs::path const folder = target_.parent_path().empty() ? "." : target_.parent_path();
    OpenFile const open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (open.is_open()) ::fsync(open.descriptor());
  }

  bool give_name() {
    bool const is_nameless = name_.empty();
    if (is_nameless && name_file(descriptor_, target_)) return true;
    if (is_nameless && (errno != EEXIST || !name_beside(descriptor_, target_, name_))) return false;
    if (::rename(name_.c_str(), target_.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

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
  bool direct_ = false, was_opened_ = true;
  int descriptor_ = -1, error_ = 0;
};

OutputFile::OutputFile(fs::path const& path)
    : path_(path), buffer_(std::make_unique<Buffer>(path)), out_(buffer_.get()) {
  if (failed()) fail();
}

OutputFile::~OutputFile() = default;

void OutputFile::fail() const {
  if (buffer_->is_of_the_name()) throw InputError(problem());
  throw ResourceError(problem());
}

bool OutputFile::failed() const { return buffer_->error() != 0; }

Problem OutputFile::problem() const { return buffer_->problem(path_); }

void OutputFile::keep() {
  buffer_->keep();
  if (failed()) fail();
}

void expect_ordinary_file(fs::path const& path) {
  std::error_code ignored;
  auto const there = fs::status(path, ignored);
  if (!fs::exists(there) || fs::is_regular_file(there) || fs::is_directory(there)) return;
  refuse({path.string()}, "is no ordinary file",
         "a pipe or a device might give nothing, or have no end",
         "Write its output to a file, and name that.");
}

namespace {

/// A form of compression that is not read as it is, by its first bytes; empty for others.
std::string_view packed_with(std::string_view beginning) {
  using Magic = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Magic, 3> known = {
      Magic{"\xFD\x37zXZ", "xz"}, Magic{"PK\x03\x04", "zip"}, Magic{"\x04\"M\x18", "lz4"}};
  for (auto const& [magic, name] : known) {
    if (beginning.starts_with(magic)) return name;
  }
  bool const bzip2 = beginning.starts_with("BZh") && beginning.find("1AY") == 4;
  return bzip2 ? "bzip2" : "";
}

/// True for the first header of a tar archive: it holds the sum of its own bytes, in octal, for
/// which the eight bytes of that number count as blanks (POSIX.1-1988, ustar; older forms too).
bool is_tar(std::string_view beginning) {
  constexpr std::size_t sum_at = 148, sum_size = 8;
  if (beginning.size() < longest_mark) return false;
  std::string header(beginning.substr(0, longest_mark));
  std::string_view const digits = beginning.substr(sum_at, sum_size - 1);
  std::string_view const bare = digits.substr(0, digits.find('\0'));
  std::uint64_t said = 0;
  for (char const digit : trim(bare)) {
    if (digit < '0' || digit > '7') return false;
    said = 8 * said + static_cast<std::uint64_t>(digit - '0');
  }
  header.replace(sum_at, sum_size, sum_size, ' ');
  std::uint64_t sum = 0;
  for (unsigned char const byte : header) sum += byte;
  return header.find('\0') != std::string::npos && sum == said;
}

}  // namespace

std::size_t mark_size(fs::path const& path, std::string_view beginning) {
  if (auto const name = packed_with(beginning); !name.empty()) {
    refuse({path.string()}, fmt::format("is compressed with {}", name),
           "its first bytes are the mark of that",
           name == "zip" ? "Unpack it: unzip FILE." : fmt::format("Unpack it: {} -d FILE.", name));
  }
  if (is_tar(beginning)) {
    refuse({path.string()}, "is a tar archive",
           "its first 512 bytes are the header of a file in it",
           "Unpack it: tar -xf FILE. Then name the files in it.");
  }
  if (beginning.starts_with("\xFF\xFE") || beginning.starts_with("\xFE\xFF")) {
    refuse({path.string()}, "is UTF-16", "its first two bytes are the mark of that",
           "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 FILE.");
  }
  constexpr std::string_view utf_8 = "\xEF\xBB\xBF";
  return beginning.starts_with(utf_8) ? utf_8.size() : 0;
}

std::string read_text_file(fs::path const& path, std::size_t most) {
  note_input_file(path);
  OpenFile const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    int const error = errno;
    if (error == ENOENT) throw InputError(missing_file(path));
    refuse({path.string()}, "cannot be opened", reason(error),
           "Check its permissions and those of its folder.");
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    refuse({path.string()}, "is a folder", "", "Name a file in it.");
  return read_text(file.descriptor(), path, most);
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
    throw ResourceError(file.problem());
  }
  file.keep();
}

void prepare_folder(fs::path const& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error && !is_of_the_name(error.value())) {
    throw ResourceError(Problem{{folder.string()},
                                "cannot be made a folder",
                                error.message(),
                                "Make room, or choose another."});
  }
  if (error)
    refuse({folder.string()}, "cannot be made a folder", error.message(), "Choose another folder.");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    refuse({folder.string()}, "cannot be written in", reason(errno), mend_folder);
  }
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.text();
}

std::string sha256_of_file(std::filesystem::path const& file) {
  Sha256 hash;
  std::ifstream in(file, std::ios::binary);
  std::vector<char> piece(1 << 20);
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.add({piece.data(), static_cast<std::size_t>(in.gcount())});
  }
  return hash.text();
}

void protect_input_files() {
  KnownFiles& known = known_files();
  std::lock_guard const lock(known.mutex);
  known.protect = true;
}

void note_input_file(std::filesystem::path const& file) {
  auto const id = id_of(file);
  KnownFiles& known = known_files();
  std::lock_guard const lock(known.mutex);
  if (known.protect && id && !known.own.contains(*id)) known.read.insert(*id);
}

// It may have the number of a file that was read and is gone.
void note_own_file(std::filesystem::path const& file) {
  auto const id = id_of(file);
  KnownFiles& known = known_files();
  std::lock_guard const lock(known.mutex);
  if (!known.protect || !id) return;
  known.own.insert(*id);
  known.read.erase(*id);
}

bool is_input_file(std::filesystem::path const& file) {
  KnownFiles& known = known_files();
  std::lock_guard const lock(known.mutex);
  auto const id = known.read.empty() ? std::nullopt : id_of(file);
  return id && known.read.contains(*id);
}

}  // namespace gridcast::inline base
