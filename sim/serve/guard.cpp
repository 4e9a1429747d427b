#include "sim/serve/guard.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace gridcast::serve {
namespace {

namespace fs = std::filesystem;

/// In a time that does not show how many characters were right.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differs |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return differs == 0;
}

fs::path new_folder() {
  std::error_code error;
  auto const above = fs::temp_directory_path(error);
  std::string name = ((error ? fs::path("/tmp") : above) / "gridcast-XXXXXX").string();
  if (!::mkdtemp(name.data())) {
    throw ResourceError(
        Problem{{name}, "no folder can be made there", std::strerror(errno), "Set TMPDIR."});
  }
  return name;
}

/// A folder of this user that nobody else can look into: another user can take a name that is free.
bool is_private(fs::path const& folder) {
  struct stat found = {};
  return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid() && (found.st_mode & 077) == 0;
}

}  // namespace

Guard::Guard(int port, std::string token) : port_(port), token_(std::move(token)) {}

bool Guard::is_ours(std::string_view host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

Entry Guard::entry(Knock const& knock) const {
  if (!knock.host || !is_ours(*knock.host)) return Entry::other_host;
  constexpr std::string_view scheme = "http://";
  if (knock.origin) {
    std::string_view const origin = *knock.origin;
    if (!origin.starts_with(scheme) || !is_ours(origin.substr(scheme.size()))) {
      return Entry::other_origin;
    }
  }
  std::string_view const path = knock.path;
  std::string const root = this->root();
  if (!same_secret(path.substr(0, root.size()), root)) return Entry::no_token;
  // The page itself may be opened from anywhere: a link to it contains the token.
  bool const is_page = path == root && knock.method == "GET";
  bool const from_elsewhere =
      knock.fetch_site && *knock.fetch_site != "same-origin" && *knock.fetch_site != "none";
  if (from_elsewhere && !is_page) return Entry::other_origin;
  bool const is_json = knock.content_type && knock.content_type->starts_with("application/json");
  if (knock.method == "POST" && !is_json) return Entry::other_form;
  return Entry::open;
}

std::string Guard::address() const { return fmt::format("http://127.0.0.1:{}{}", port_, root()); }

int status_of(Entry refused) { return refused == Entry::other_form ? 415 : 403; }

std::string_view words_for(Entry refused) {
  constexpr std::string_view words[] = {
      "", "This server answers under 127.0.0.1 or localhost only.\n",
      "This server answers its own page only.\n",
      "The address lacks the token that gridcast open printed.\n",
      "Questions are JSON (Content-Type: application/json).\n"};  // in the order of Entry
  return words[static_cast<std::size_t>(refused)];
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw ResourceError(Problem{{}, "the system gives no random numbers", "", ""});
  }
  std::string text;
  for (unsigned char const byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::optional<fs::path> file_inside(fs::path const& folder, std::string const& name) {
  if (name.empty() || name.find('\0') != std::string::npos || name.starts_with('-')) return {};
  std::error_code error;
  fs::path const inside = fs::canonical(folder, error);
  if (error) return {};
  fs::path const file = fs::canonical(inside / name, error);
  if (error || !fs::is_regular_file(file, error)) return {};
  auto const [end, ignored] = std::mismatch(inside.begin(), inside.end(), file.begin(), file.end());
  if (end != inside.end()) return {};
  return file;
}

Scratch::Scratch() : folder_(new_folder()) {}

fs::path Scratch::file(std::string const& name) const {
  std::scoped_lock const lock(mutex_);
  if (!is_private(folder_)) folder_ = new_folder();
  return folder_ / name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace gridcast::serve
