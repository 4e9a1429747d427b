// The stage before the HTTP library. One thread waits for all connections at once, and only
// complete requests go on: a slow or silent client holds up neither a thread nor other clients. If
// too many connections are incomplete, the oldest one is closed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <string>

#include "sim/serve/incoming_request.hpp"

namespace gridcast::serve {

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
