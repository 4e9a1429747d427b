// The stage before the HTTP library. One thread waits for all connections at once, and only
// complete requests go on: a slow or silent client holds up neither a thread nor other clients. If
// too many connections are incomplete, the oldest one is closed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace gridcast::serve
