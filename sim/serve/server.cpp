#include "sim/serve/server.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <httplib.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "sim/base/child.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/program.hpp"
#include "sim/base/text.hpp"
#include "sim/serve/entrance.hpp"

namespace gridcast::serve {

// One study at a time. The next request has the slot as soon as the one before has let go of it;
// that one is ended at once: a control that is turned again makes the last answer worthless.

class Turns {
 public:
  /// Ends the study that has the slot.
  void cancel() { ++newest_; }
  bool busy() const { return busy_ > 0; }

 private:
  friend class Turn;
  std::atomic<std::uint64_t> newest_ = 0;
  std::atomic<int> busy_ = 0;
  std::mutex slot_;
};

/// Has the slot as long as it lives; made and ended by one thread.
class Turn {
 public:
  explicit Turn(Turns& turns) : turns_(turns), number_(++turns.newest_) {
    ++turns.busy_;
    slot_ = std::unique_lock(turns.slot_);
  }
  ~Turn() { --turns_.busy_; }
  Turn(Turn const&) = delete;
  Turn& operator=(Turn const&) = delete;

  /// Nobody has come since, and nobody cancelled it.
  bool goes_on() const { return turns_.newest_ == number_; }

 private:
  Turns& turns_;
  std::uint64_t number_;
  std::unique_lock<std::mutex> slot_;
};

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// One for each complete request; of questions, all but one wait for their turn.
constexpr std::size_t most_threads = 64;
constexpr int patience_with_readers_ms = 5'000;
constexpr auto sign_of_life = std::chrono::milliseconds(400);

std::optional<std::string> header(httplib::Request const& request, char const* name) {
  if (!request.has_header(name)) return std::nullopt;
  return request.get_header_value(name);
}

Knock knock_of(httplib::Request const& request) {
  return {request.method,
          request.path,
          header(request, "Host"),
          header(request, "Origin"),
          header(request, "Sec-Fetch-Site"),
          header(request, "Content-Type")};
}

void put(httplib::Response& response, Json const& json) {
  response.set_content(json_text(json), "application/json");
}

void answer_error(httplib::Response& response, int status, std::string const& why) {
  response.status = status;
  response.set_content(why, "text/plain; charset=utf-8");
}

/// The port of this end of a connection; none if it is no connection.
std::optional<int> port_of_connection(int descriptor) {
  sockaddr_in own = {}, peer = {};
  socklen_t size = sizeof own;
  auto* const address = reinterpret_cast<sockaddr*>(&own);
  if (::getsockname(descriptor, address, &size) != 0 || own.sin_family != AF_INET) return {};
  size = sizeof peer;
  if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return {};
  return ntohs(own.sin_port);
}

/// At the end, slow or silent clients are not waited for. The library keeps its connections to
/// itself, but they are among the open files of this process.
void end_connections(int port) {
  std::error_code none;
  fs::directory_iterator open("/proc/self/fd", none);
  for (; !none && open != fs::directory_iterator(); open.increment(none)) {
    std::string const name = open->path().filename().string();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (port_of_connection(descriptor) == port) ::shutdown(descriptor, SHUT_RDWR);
  }
}

/// The port of this user, the same each time: browsers keep how far a student is by port. Below
/// those that the system gives out.
int port_of_user() {
  constexpr int first = 20'000, number = 10'000;
  return first + static_cast<int>(::getuid() % number);
}

/// A connection whose request is complete: read from memory, answered through the socket.
class Conversation final : public httplib::Stream {
 public:
  Conversation(int connection, std::string request)
      : connection_(connection), request_(std::move(request)) {}
  Conversation(Conversation const&) = delete;
  Conversation& operator=(Conversation const&) = delete;
  ~Conversation() override {
    ::shutdown(connection_, SHUT_RDWR);
    ::close(connection_);
  }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return waits_to_write() && is_listening(); }
  ssize_t read(char* to, std::size_t size) override {
    std::size_t const part = std::min(size, request_.size() - read_);
    std::copy_n(request_.data() + read_, part, to);
    read_ += part;
    return static_cast<ssize_t>(part);
  }
  ssize_t write(char const* from, std::size_t size) override {
    if (!waits_to_write()) return -1;
    return ::send(connection_, from, size, MSG_NOSIGNAL);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { name(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { name(ip, port); }
  socket_t socket() const override { return connection_; }

 private:
  static void name(std::string& ip, int& port) {
    ip = "127.0.0.1";
    port = 0;
  }
  bool waits_to_write() const {
    pollfd watched = {connection_, POLLOUT, 0};
    return ::poll(&watched, 1, patience_with_readers_ms) == 1 && (watched.revents & POLLOUT) != 0;
  }
  /// True if the other end is still there.
  bool is_listening() const {
    char byte = 0;
    auto const count = ::recv(connection_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
  }

  int connection_;
  std::string request_;
  std::size_t read_ = 0;
};

/// Its port can be had again at once after an end. Not shared with another process of the same
/// user, which would get some of the requests.
void had_again_at_once(socket_t listener) {
  int const yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

/// The output of a command, and how it ended.
struct Done {
  int exit_code = 0;
  std::string out, complaints;
};

/// How this very program is run: its file, or the loader that runs it with its libraries, where the
/// loader was called with it (the portable folder, a frozen study).
std::vector<std::string> program_command() {
  std::error_code error;
  ProgramFiles const files = program_files();
  auto const own = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error || own == files.program || files.libraries.empty()) return {files.program.string()};
  // All of them are in one folder then.
  std::string const folder = std::filesystem::absolute(files.libraries.front()).parent_path();
  return {files.loader.string(), "--library-path", folder, files.program.string()};
}

/// A command of this very program. Each question has a process of its own, which can be ended with
/// all its children at any moment.
std::vector<std::string> own_command(std::vector<std::string> const& arguments) {
  std::vector<std::string> words = program_command();
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

/// The messages of a command on standard error, a problem a line.
InputError no_page(std::string const& complaints) {
  std::vector<Problem> problems;
  for (std::string const& line : split(trim(complaints), '\n')) {
    add_problem(problems, {}, "there is no page: " + line);
  }
  return InputError(std::move(problems));
}

}  // namespace

/// The HTTP library without its way of taking connections, which bounds nothing (entrance.hpp).
class Library final : public httplib::Server {
 public:
  int listener() const { return svr_sock_; }
  void answer(int connection, std::string request) {
    Conversation conversation(connection, std::move(request));
    bool closed = false;
    process_request(conversation, true, closed, nullptr);
  }
};

/// The server's state while it runs.
class Server::Desk {
 public:
  explicit Desk(ServerOptions options) : options_(std::move(options)) {
    // Files made while it runs are for this user alone.
    ::umask(077);
    server_.set_socket_options(had_again_at_once);
    port_ = bound_port();
    if (port_ < 0) {
      throw ResourceError(Problem{{},
                                  fmt::format("port {} of 127.0.0.1 cannot be had", options_.port),
                                  "",
                                  "Without --port, any free one is used."});
    }
    guard_.emplace(port_, random_token());
    set_headers();
    set_routes();
  }

  std::string address() const { return guard_->address(); }
  std::string page_of(std::vector<std::string> const& command) {
    int const number = ++pages_;
    fs::path const file = scratch_.file(fmt::format("{}.html", number));
    std::vector<std::string> whole = command;
    bool const of_results = command.front() == "export";
    whole.insert(whole.end(), {of_results ? "--out" : "--report", file.string()});
    Done const done = simulated(whole);
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) throw no_page(done.complaints);
    return fmt::format("pages/{}", number);
  }

  Server::End run() {
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    if (!hangup_is_ignored()) sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    std::atomic<bool> open = true, answering = true;
    std::thread answers([this, &open, &answering] {
      answer_while(open);
      answering = false;
    });
    timespec const moment = {0, 200'000'000};
    End end = End::signal;
    while (sigtimedwait(&ends, nullptr, &moment) < 0) {
      if (!is_idle()) continue;
      end = End::idle;
      break;
    }
    turns_.cancel();
    open = false;
    while (answering) {
      end_connections(port_);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    answers.join();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return end;
  }

 private:
  /// A study that is streamed, from its first byte to its last.
  struct Stream {
    Stream(Turns& turns, std::vector<std::string> const& command)
        : turn(turns), begun(Clock::now()), written(begun) {
      if (turn.goes_on()) child.emplace(own_command(command));
    }
    Turn turn;
    std::optional<Child> child;
    Clock::time_point begun, written;
  };

  /// Negative where none can be had.
  int bound_port() {
    int const wanted = options_.port == 0 ? port_of_user() : options_.port;
    if (server_.bind_to_port("127.0.0.1", wanted)) return wanted;
    return options_.port == 0 ? server_.bind_to_any_port("127.0.0.1") : -1;
  }

  void set_headers() {
    server_.set_default_headers({{"Cache-Control", "no-store"},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cross-Origin-Opener-Policy", "same-origin"},
                                 {"Content-Security-Policy", "frame-ancestors 'self'"}});
    server_.set_pre_routing_handler([this](auto const& request, auto& response) {
      Entry const entry = guard_->entry(knock_of(request));
      if (entry == Entry::open) {
        last_asked_ = Clock::now();
        return httplib::Server::HandlerResponse::Unhandled;
      }
      answer_error(response, status_of(entry), std::string(words_for(entry)));
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_exception_handler([](auto const&, auto& response, std::exception_ptr thrown) {
      try {
        std::rethrow_exception(thrown);
      } catch (InputError const& error) {
        answer_error(response, 400, error.what() + std::string("\n"));
      } catch (std::exception const& error) {
        answer_error(response, 500, fmt::format("gridcast: {}\n", error.what()));
      }
    });
  }

  void set_routes() {
    std::string const root = guard_->root();
    server_.Get(root, [this](auto const&, auto& response) {
      response.set_content(options_.page, "text/html; charset=utf-8");
    });
    server_.Get(root + "start", [this](auto const&, auto& response) {
      Json start = options_.start;
      start["scenarios"] = options_.shelf.scenarios();
      put(response, start);
    });
    server_.Get(root + "scenario", [this](auto const& request, auto& response) {
      put(response, controls_answer(options_.shelf, request.get_param_value("file"),
                                    request.get_param_value("strategy")));
    });
    server_.Post(root + "reasons", [this](auto const& request, auto& response) {
      put(response, reasons_answer(question_json(request.body), options_.shelf));
    });
    server_.Post(root + "ask", [this](auto const& request, auto& r) { ask(request, r); });
    server_.Post(root + "cancel", [this](auto const&, auto& response) {
      turns_.cancel();
      put(response, Json::object());
    });
    server_.Post(root + "page", [this](auto const& request, auto& response) {
      put(response,
          {{"address", page_of(page_command(question_json(request.body), options_.shelf))}});
    });
    server_.Get(root + R"(pages/(\d{1,6}))",
                [this](auto const& request, auto& r) { show_page(request, r); });
    server_.Get(root + "lessons", [this](auto const&, auto& response) {
      auto const list = run_command(own_command({"lesson", "list", "--json"}), options_.longest);
      response.set_content(list.out, "application/json");
    });
    server_.Post(root + "lesson", [this](auto const& request, auto& r) { lesson(request, r); });
    server_.Post(root + "running", [this](auto const& request, auto& r) { running(request, r); });
  }

  void lesson(httplib::Request const& request, httplib::Response& response) {
    Json const body = question_json(request.body);
    auto const command = lesson_command(body, options_.shelf);
    if (body["do"] == "page") return put(response, {{"address", page_of(command)}});
    Done const done = simulated(command);
    put(response, {{"exit", done.exit_code}, {"out", done.out}, {"complaints", done.complaints}});
  }

  void running(httplib::Request const& request, httplib::Response& response) {
    Json const body = question_json(request.body);
    if (body.contains("do") && body.at("do") == "page") {
      return put(response, {{"address", page_of(running_page_command(options_.shelf))}});
    }
    // It takes seconds, and ends no page that is made meanwhile.
    auto const end =
        run_command(own_command(running_command(body, options_.shelf)), options_.longest);
    put(response, {{"exit", end.succeeded() ? 0 : 1}, {"out", end.out}, {"complaints", end.err}});
  }

  void ask(httplib::Request const& request, httplib::Response& response) {
    Question const question = read_question(question_json(request.body), options_.shelf);
    fs::path const folder = scratch_.file(fmt::format("study-{}", ++folders_));
    auto command = stream_command(question);
    command.insert(command.end(), {"--resume", folder.string()});
    // Made where it is used: the slot belongs to the thread that waits for it.
    auto study = std::make_shared<std::optional<Stream>>();
    response.set_chunked_content_provider(
        "application/x-ndjson",
        [this, study, command](std::size_t, httplib::DataSink& sink) {
          if (!*study) study->emplace(turns_, command);
          return stream(**study, sink);
        },
        [study, folder](bool) {
          study->reset();
          std::error_code ignored;
          fs::remove_all(folder, ignored);
        });
  }

  /// One part of the study's output; false when nobody listens.
  bool stream(Stream& study, httplib::DataSink& sink) {
    last_asked_ = Clock::now();
    bool const in_time = Clock::now() - study.begun < options_.longest;
    if (!study.child || !study.turn.goes_on() || !in_time) {
      std::string const line =
          in_time ? "{\"cancelled\": true}\n" : "{\"problem\": \"the study took too long\"}\n";
      sink.write(line.data(), line.size());
      sink.done();
      return true;
    }
    std::string out;
    auto const heard = study.child->listen(std::chrono::milliseconds(50), out);
    if (heard == Child::Heard::end) return end_of(study, sink);
    if (out.empty() && Clock::now() - study.written < sign_of_life) return true;
    study.written = Clock::now();
    if (out.empty()) out = "\n";
    return sink.is_writable() && sink.write(out.data(), out.size());
  }

  bool end_of(Stream& study, httplib::DataSink& sink) {
    int const code = study.child->exit_code();
    Json const json = {{"exit", code}, {"complaints", study.child->complaints()}};
    std::string const line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    sink.write(line.data(), line.size());
    sink.done();
    return true;
  }

  void show_page(httplib::Request const& request, httplib::Response& response) {
    fs::path const file = scratch_.file(request.matches[1].str() + ".html");
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored))
      return answer_error(response, 404, "There is no such page.\n");
    response.set_content(read_text_file(file), "text/html; charset=utf-8");
  }

  /// The output of a command in its turn; nothing, with exit code 130, after a newer request.
  Done simulated(std::vector<std::string> const& command) {
    Turn const turn(turns_);
    Done done{130, "", "gridcast: this was ended for something else\n"};
    if (!turn.goes_on()) return done;
    Child child(own_command(command));
    auto const until = Clock::now() + options_.longest;
    while (turn.goes_on() && Clock::now() < until) {
      if (child.listen(std::chrono::milliseconds(50), done.out) != Child::Heard::end) continue;
      done.exit_code = child.exit_code();
      done.complaints = child.complaints();
      break;
    }
    last_asked_ = Clock::now();
    return done;
  }

  void answer_while(std::atomic<bool> const& open) {
    {
      Entrance entrance(server_.listener(), {}, [&](int connection, std::string request) {
        threads_.add([this, connection, request = std::move(request)] {
          server_.answer(connection, request);
        });
      });
      entrance.run(open);
    }
    ::close(server_.listener());
    threads_.finish();
  }

  bool is_idle() const {
    return !turns_.busy() && Clock::now() - last_asked_.load() > options_.idle;
  }

  ServerOptions options_;
  Scratch scratch_;
  Turns turns_;
  std::atomic<Clock::time_point> last_asked_ = Clock::now();
  std::atomic<int> pages_ = 0, folders_ = 0;
  Library server_;
  int port_ = -1;
  std::optional<Guard> guard_;
  Workers threads_{most_threads};
};

Server::Server(ServerOptions options) : desk_(std::make_unique<Desk>(std::move(options))) {}
Server::~Server() = default;
std::string Server::address() const { return desk_->address(); }
std::string Server::page_of(std::vector<std::string> const& command) {
  return desk_->page_of(command);
}
Server::End Server::run() { return desk_->run(); }

}  // namespace gridcast::serve
