#include "sim/serve/entrance.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

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

/// Bytes of a refused request that are read and ignored: a connection that is closed with bytes
/// unread takes its answer with it.
constexpr std::size_t most_ignored = 1024 * 1024;
constexpr auto patience_with_refused = std::chrono::seconds(1);
constexpr int moment_ms = 100;

void send_now(int connection, std::string_view text) {
  // It fits into an empty buffer. If it is not sent, nobody listens.
  [[maybe_unused]] auto const sent =
      ::send(connection, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// The words of a refusal's status: "Payload Too Large".
std::string_view words_of_status(int status) {
  constexpr std::array<std::pair<int, std::string_view>, 6> words = {
      {{408, "Request Timeout"},
       {411, "Length Required"},
       {413, "Payload Too Large"},
       {414, "URI Too Long"},
       {415, "Unsupported Media Type"},
       {431, "Request Header Fields Too Large"}}};
  auto const found =
      std::ranges::find_if(words, [=](auto const& of) { return of.first == status; });
  return found == words.end() ? "Bad Request" : found->second;
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
  return fmt::format("{:02x}", fmt::join(bytes, ""));
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

// A thread has the signal mask of the thread that starts it.
Workers::Workers(std::size_t number) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  std::string reason;
  try {
    while (threads_.size() < number) threads_.emplace_back([this] { work(); });
  } catch (std::system_error const& error) {
    reason = error.code().message();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (reason.empty()) return;
  std::size_t const started = threads_.size();
  finish();
  throw ResourceError(Problem{{},
                              fmt::format("{} of {} threads can be started", started, number),
                              reason,
                              "Raise the limits on memory (ulimit -v) and processes (ulimit -u)."});
}

void Workers::add(std::function<void()> task) {
  {
    std::scoped_lock const lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  news_.notify_one();
}

void Workers::finish() {
  {
    std::scoped_lock const lock(mutex_);
    ends_ = true;
  }
  news_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Workers::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    auto const task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }
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

Entrance::Entrance(int listener, EntranceLimits const& limits, Admit admit)
    : listener_(listener), limits_(limits), admit_(std::move(admit)) {
  ::fcntl(listener_, F_SETFL, ::fcntl(listener_, F_GETFL) | O_NONBLOCK);
  ::listen(listener_, SOMAXCONN);  // the library's five places are soon taken
}

Entrance::~Entrance() {
  for (Guest const& guest : guests_) ::close(guest.connection);
}

void Entrance::run(std::atomic<bool> const& open) {
  std::vector<pollfd> watched;
  while (open) {
    watched.assign(1, {listener_, POLLIN, 0});
    for (Guest const& guest : guests_) watched.push_back({guest.connection, POLLIN, 0});
    ::poll(watched.data(), watched.size(), moment_ms);
    hear();
    if (watched.front().revents != 0) take_connections();
    close_late_ones();
  }
}

void Entrance::take_connections() {
  constexpr int at_once = 64;
  for (int i = 0; i < at_once; ++i) {
    int const connection = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (connection < 0) {
      bool const full = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
      if (full) make_room();
      return;
    }
    guests_.push_back(
        {connection, Clock::now() + limits_.patience, IncomingRequest(limits_.request)});
    // Most requests are complete with their first bytes.
    if (hear(guests_.back()) == Stay::gone) guests_.pop_back();
    if (guests_.size() > limits_.incomplete) make_room();
  }
}

void Entrance::make_room() {
  if (guests_.empty()) return std::this_thread::sleep_for(std::chrono::milliseconds(moment_ms));
  ::close(guests_.front().connection);
  guests_.pop_front();
}

void Entrance::hear() {
  for (auto guest = guests_.begin(); guest != guests_.end();) {
    guest = hear(*guest) == Stay::gone ? guests_.erase(guest) : std::next(guest);
  }
}

Entrance::Stay Entrance::hear(Guest& guest) {
  std::array<char, 16384> bytes{};
  auto const count = ::recv(guest.connection, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count > 0) return take(guest, {bytes.data(), static_cast<std::size_t>(count)});
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return Stay::on;
  ::close(guest.connection);
  return Stay::gone;
}

Entrance::Stay Entrance::take(Guest& guest, std::string_view bytes) {
  if (guest.refused) {
    guest.ignored += bytes.size();
    if (guest.ignored <= most_ignored) return Stay::on;
    ::close(guest.connection);
    return Stay::gone;
  }
  switch (guest.request.take(bytes)) {
    case IncomingRequest::State::complete:
      admit_(guest.connection, guest.request.text());
      return Stay::gone;
    case IncomingRequest::State::refused:
      return refuse(guest, guest.request.status());
    case IncomingRequest::State::incomplete:
      break;
  }
  if (guest.request.waits_for_word()) send_now(guest.connection, "HTTP/1.1 100 Continue\r\n\r\n");
  return Stay::on;
}

Entrance::Stay Entrance::refuse(Guest& guest, int status) {
  std::string const words = fmt::format("{}.\n", words_of_status(status));
  send_now(guest.connection,
           fmt::format("HTTP/1.1 {} {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n"
                       "Connection: close\r\n\r\n{}",
                       status, words_of_status(status), words.size(), words));
  ::shutdown(guest.connection, SHUT_WR);
  guest.refused = true;
  guest.until = std::min(guest.until, Clock::now() + patience_with_refused);
  return Stay::on;
}

void Entrance::close_late_ones() {
  auto const now = Clock::now();
  for (auto guest = guests_.begin(); guest != guests_.end();) {
    if (now < guest->until) {
      ++guest;
      continue;
    }
    if (!guest->refused) refuse(*guest, 408);
    ::close(guest->connection);
    guest = guests_.erase(guest);
  }
}

}  // namespace gridcast::serve
