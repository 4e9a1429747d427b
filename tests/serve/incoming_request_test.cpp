#include "sim/serve/entrance.hpp"
#include "tests/test.hpp"

namespace gridcast::serve {
namespace {

using State = IncomingRequest::State;

/// The status of its refusal; 0 where it is complete, -1 where more has to come.
int status_of(std::string_view text, std::size_t piece = 1000) {
  IncomingRequest request;
  State state = State::incomplete;
  while (state == State::incomplete && !text.empty()) {
    state = request.take(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
  }
  return state == State::incomplete ? -1 : request.status();
}

std::string with(std::string const& fields) { return "GET / HTTP/1.1\r\n" + fields + "\r\n"; }

std::string repeated(std::string const& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("A request in any pieces is complete with its last byte") {
  std::string const text = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
  for (std::size_t const piece : {1U, 2U, 7U, 1000U}) CHECK(status_of(text, piece) == 0);
  CHECK(status_of(text.substr(0, text.size() - 1)) == -1);
  IncomingRequest request;
  CHECK(request.take(text + "more") == State::complete);
  CHECK(request.text() == text);
}

TEST_CASE("Values from another user have limits") {
  CHECK(status_of("GET /" + std::string(10000, 'a')) == 414);
  CHECK(status_of(with("A: " + std::string(10000, 'a') + "\r\n")) == 431);
  CHECK(status_of(with(repeated("A: b\r\n", 100))) == 0);
  CHECK(status_of(with(repeated("A: b\r\n", 101))) == 431);
  CHECK(status_of(with(repeated("A: " + std::string(4000, 'b') + "\r\n", 9))) == 431);
  CHECK(status_of(with("Content-Length: 65536\r\n")) == -1);
  for (char const* size : {"65537", "99999999999999999999"}) {
    CHECK(status_of(with("Content-Length: " + std::string(size) + "\r\n")) == 413);
  }
}

TEST_CASE("Bodies of unknown size and broken fields are refused") {
  CHECK(status_of(with("Transfer-Encoding: chunked\r\n")) == 411);
  CHECK(status_of(with("transfer-encoding : chunked\r\n")) == 400);
  CHECK(status_of(with("Content-Encoding: gzip\r\nContent-Length: 3\r\n")) == 415);
  for (char const* wrong :
       {"Content-Length: -1\r\n", "Content-Length: 1x\r\n",
        "Content-Length: 1\r\nContent-Length: 2\r\n", "nothing\r\n", " folded: x\r\n", ": x\r\n"}) {
    CAPTURE(wrong);
    CHECK(status_of(with(wrong)) == 400);
  }
  CHECK(status_of("\r\n\r\n") == 400);
}

TEST_CASE("Ranges are left out, and a body that waits for a word is asked for once") {
  IncomingRequest ranged;
  CHECK(ranged.take(with("Host: h\r\nRange: bytes=0-0,0-0\r\n")) == State::complete);
  CHECK(ranged.text() == with("Host: h\r\n"));
  IncomingRequest waits;
  waits.take("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n");
  CHECK(waits.waits_for_word());
  CHECK_FALSE(waits.waits_for_word());
  CHECK(waits.take("x") == State::complete);
}

}  // namespace gridcast::serve
