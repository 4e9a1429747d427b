// Access to the server that `gridcast open` runs, the files that can be opened with it, and the
// folder for files that are made while it runs.
//
// The server listens on the loopback, where every user of the machine and every page in the user's
// browser can reach it. So each request has to contain a secret that only this user received, the
// token in the path; a page of another origin may neither send requests (Origin, Sec-Fetch-Site)
// nor reach the server under a name of its own (DNS rebinding: Host). See the HTML standard's fetch
// metadata, and OWASP's notes on cross-site request forgery.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace gridcast::serve {

/// The checked parts of a request; a missing header has no value.
struct Knock {
  std::string method, path;
  std::optional<std::string> host, origin, fetch_site, content_type;
};

enum class Entry {
  open,
  other_host,    // Host is not this server's
  other_origin,  // sent by a page of another origin
  no_token,
  other_form,  // a POST that is not JSON, which a form of any page could send
};

class Guard {
 public:
  Guard(int port, std::string token);

  Entry entry(Knock const& knock) const;
  /// "http://127.0.0.1:PORT/TOKEN/".
  std::string address() const;
  /// "/TOKEN/".
  std::string root() const { return "/" + token_ + "/"; }

 private:
  bool is_ours(std::string_view host) const;

  int port_;
  std::string token_;
};

/// The HTTP status of a refusal, and its text.
int status_of(Entry refused);
std::string_view words_for(Entry refused);

/// 128 bits of the system's randomness, in hexadecimal digits.
std::string random_token();

/// The file that `name` means, from `folder`: an ordinary file that lies in it, links followed;
/// none otherwise.
std::optional<std::filesystem::path> file_inside(std::filesystem::path const& folder,
                                                 std::string const& name);

// A folder for files that are made while the server runs; only this user may look into it, and it
// is removed with its owner. If a cleaner of temporary files removed it, another takes its place.

class Scratch {
 public:
  /// ResourceError if none can be made.
  Scratch();
  ~Scratch();
  Scratch(Scratch const&) = delete;
  Scratch& operator=(Scratch const&) = delete;

  /// ResourceError if the folder is gone and none can be made.
  std::filesystem::path file(std::string const& name) const;

 private:
  mutable std::mutex mutex_;
  mutable std::filesystem::path folder_;
};

}  // namespace gridcast::serve
