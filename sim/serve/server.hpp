// The server of `gridcast open`: a page on the loopback, and commands of this program that answer
// it, each in a process of its own (question.hpp). Only server.cpp knows the HTTP library.
//
// Below http://127.0.0.1:PORT/TOKEN/ (guard.hpp):
//   GET            the page
//   GET  start     its first content
//   GET  scenario  ?file=F&strategy=S: the settings (gridcast.controls/1)
//   POST reasons   a question: controls that have no effect there (gridcast.reasons/1)
//   POST ask       a question; answers as they grow (question.hpp), one a line
//   POST cancel    ends what is running
//   POST page      {kind, and a question}: a report page is made; {"address": ...}
//   GET  pages/N   that page
//   GET  lessons   the output of `gridcast lesson list --json`
//   POST lesson    {do: run | check | solution, number, ...}: the verb's output; {do: page,
//                  ...}: a report page of a run is made
//   POST running   {changes: [...]}: the output of `gridcast forecast --running --json`;
//                  {do: page}: a report page of the campaign so far is made
// A connection that is closed ends its question within a second, as an empty line is sent to it
// again and again.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "sim/base/json_fields.hpp"
#include "sim/serve/question.hpp"

namespace gridcast::serve {

struct ServerOptions {
  Shelf shelf;
  std::string page;  // HTML
  Json start;        // its first content
  int port = 0;      // 0: this user's, or any that is free
  std::chrono::seconds idle = std::chrono::hours(1);
  std::chrono::seconds longest =
      std::chrono::minutes(10);  // of a study, a lesson's run or a report
};

class Server {
 public:
  /// Has its port. ResourceError if it cannot be had.
  explicit Server(ServerOptions options);
  ~Server();
  Server(Server const&) = delete;
  Server& operator=(Server const&) = delete;

  std::string address() const;
  /// Makes a page by a command before the first question; its complaints are an InputError.
  std::string page_of(std::vector<std::string> const& command);

  /// Answers until SIGINT, SIGTERM or SIGHUP, or until no question has come for `idle`.
  enum class End { signal, idle };
  End run();

 private:
  class Desk;
  std::unique_ptr<Desk> desk_;
};

}  // namespace gridcast::serve
