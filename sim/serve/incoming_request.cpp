#include "sim/serve/incoming_request.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/base/text.hpp"

namespace gridcast::serve {

std::string_view words_of_status(int status) {
  constexpr std::array<std::pair<int, std::string_view>, 6> words = {
      {{408, "Request Timeout"},
       {411, "Length Required"},
       {413, "Payload Too Large"},
       {414, "URI Too Long"},
       {415, "Unsupported Media Type"},
       {431, "Request Header Fields Too Large"}}};
  auto const found =
      std::find_if(words.begin(), words.end(), [=](auto const& of) { return of.first == status; });
  return found == words.end() ? "Bad Request" : found->second;
}

IncomingRequest::State IncomingRequest::refuse(int status) {
  status_ = status;
  return State::refused;
}

IncomingRequest::State IncomingRequest::take(std::string_view bytes) {
  if (status_ != 0) return State::refused;
  if (!header_done_) {
    State const header = take_header(bytes);
    if (header == State::refused || !header_done_) return header;
  }
  return take_body(bytes);
}

IncomingRequest::State IncomingRequest::take_header(std::string_view& bytes) {
  while (!header_done_ && !bytes.empty()) {
    std::string_view const piece = bytes.substr(0, std::min(bytes.find('\n'), bytes.size()));
    read_ += piece.size();
    bool const too_long = line_.size() + piece.size() > limits_.line;
    if (too_long || read_ > limits_.header) return refuse(head_.empty() ? 414 : 431);
    line_ += piece;
    bool const ends = piece.size() < bytes.size();
    bytes.remove_prefix(piece.size() + (ends ? 1 : 0));
    if (ends && take_line() == State::refused) return State::refused;
  }
  return State::incomplete;
}

IncomingRequest::State IncomingRequest::take_line() {
  std::string line;
  line.swap(line_);
  if (line.ends_with('\r')) line.pop_back();
  if (head_.empty()) {
    if (line.empty()) return refuse(400);
    head_ = line + "\r\n";
    return State::incomplete;
  }
  if (!line.empty()) return take_field(line);
  header_done_ = true;
  return State::incomplete;
}

IncomingRequest::State IncomingRequest::take_field(std::string_view line) {
  if (++fields_ > limits_.fields) return refuse(431);
  auto const colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return refuse(400);
  std::string_view const name = line.substr(0, colon), value = trim(line.substr(colon + 1));
  if (name.find_first_of(" \t") != std::string_view::npos) return refuse(400);
  auto const is = [name](char const* known) { return same_ignoring_case(name, known); };
  if (is("Transfer-Encoding")) return refuse(411);
  if (is("Content-Encoding") && !same_ignoring_case(value, "identity")) return refuse(415);
  if (is("Content-Length")) {
    std::size_t size = 0;
    auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), size);
    if (error == std::errc::result_out_of_range) return refuse(413);
    if (error != std::errc() || end != value.data() + value.size() || body_size_)
      return refuse(400);
    if (size > limits_.body) return refuse(413);
    body_size_ = size;
  }
  waits_ = waits_ || is("Expect");
  if (!is("Range") && !is("Expect")) head_.append(line).append("\r\n");
  return State::incomplete;
}

IncomingRequest::State IncomingRequest::take_body(std::string_view bytes) {
  std::size_t const size = body_size_.value_or(0);
  body_ += bytes.substr(0, size - body_.size());
  return body_.size() == size ? State::complete : State::incomplete;
}

bool IncomingRequest::waits_for_word() {
  bool const now = waits_ && header_done_ && body_.empty() && body_size_.value_or(0) > 0;
  waits_ = waits_ && !now;
  return now;
}

}  // namespace gridcast::serve
