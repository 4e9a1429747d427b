// The stage before the HTTP library. One thread waits for all connections at once, and only
// complete requests go on: a slow or silent client holds up neither a thread nor other clients. If
// too many connections are incomplete, the oldest one is closed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace gridcast::serve {

// A request as it arrives, within limits on everything that another user of the machine chooses:
// the lines, the number of fields, the header in all and the body. The HTTP library bounds none of
// them before the guard is called (cpp-httplib 0.11.4). Features that a page never uses are refused
// or left out: chunked and packed bodies, ranges.
struct RequestLimits {
  std::size_t line = 8 * 1024, header = 32 * 1024, fields = 100, body = 64 * 1024;
};

class IncomingRequest {
 public:
  explicit IncomingRequest(RequestLimits const& limits = {}) : limits_(limits) {}

  enum class State { incomplete, complete, refused };
  /// More bytes came. Those behind a complete request are left out.
  State take(std::string_view bytes);

  /// The HTTP status of a refusal.
  int status() const { return status_; }
  /// The complete request, as the HTTP library is to read it.
  std::string text() const { return head_ + "\r\n" + body_; }
  /// True once: the sender waits for a word before it sends the body.
  bool waits_for_word();

 private:
  State refuse(int status);
  State take_header(std::string_view& bytes);
  State take_line();
  State take_field(std::string_view line);
  State take_body(std::string_view bytes);

  RequestLimits limits_;
  std::string line_, head_, body_;
  std::size_t read_ = 0, fields_ = 0;  // of the header
  std::optional<std::size_t> body_size_;
  int status_ = 0;
  bool header_done_ = false, waits_ = false;
};

struct EntranceLimits {
  RequestLimits request = {};
  std::size_t incomplete = 200;                                  // connections
  std::chrono::milliseconds patience = std::chrono::seconds(5);  // for a complete request
};

class Entrance {
 public:
  /// Gets a connection, which it has to close, and its complete request.
  using Admit = std::function<void(int connection, std::string request)>;

  Entrance(int listener, EntranceLimits const& limits, Admit admit);
  Entrance(Entrance const&) = delete;
  Entrance& operator=(Entrance const&) = delete;
  ~Entrance();

  /// Takes connections until `open` is false.
  void run(std::atomic<bool> const& open);

 private:
  using Clock = std::chrono::steady_clock;
  struct Guest {
    int connection;
    Clock::time_point until;
    IncomingRequest request;
    bool refused = false;
    std::size_t ignored = 0;  // bytes that came after the refusal
  };
  enum class Stay { on, gone };

  void take_connections();
  void hear();
  Stay hear(Guest& guest);
  Stay take(Guest& guest, std::string_view bytes);
  Stay refuse(Guest& guest, int status);
  void close_late_ones();
  void make_room();

  int listener_;
  EntranceLimits limits_;
  Admit admit_;
  std::list<Guest> guests_;  // by the time they came
};

// Threads that take one task after another.

class Workers {
 public:
  /// ResourceError if the machine does not start so many threads. Signals do not reach them.
  explicit Workers(std::size_t number);
  ~Workers() { finish(); }
  Workers(Workers const&) = delete;
  Workers& operator=(Workers const&) = delete;

  void add(std::function<void()> task);
  /// Waits until all tasks are done, and ends the threads.
  void finish();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::function<void()>> tasks_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

// Access to the server that `gridcast open` runs, the files that can be opened with it, and the
// folder for files that are made while it runs.
//
// The server listens on the loopback, where every user of the machine and every page in the user's
// browser can reach it. So each request has to contain a secret that only this user received, the
// token in the path; a page of another origin may neither send requests (Origin, Sec-Fetch-Site)
// nor reach the server under a name of its own (DNS rebinding: Host). See the HTML standard's fetch
// metadata, and OWASP's notes on cross-site request forgery.

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
