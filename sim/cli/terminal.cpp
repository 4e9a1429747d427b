#include "sim/cli/terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gridcast::cli {

report::Charset charset() {
  for (char const* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    char const* const value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string name = value;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    bool const utf8 =
        name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
    return utf8 ? report::Charset::utf8 : report::Charset::ascii;
  }
  return report::Charset::ascii;
}

void print_results(std::string_view text) {
  auto* const before = std::signal(SIGPIPE, SIG_IGN);
  std::cout << text;
  std::cout.flush();
  std::signal(SIGPIPE, before);
}

void keep_standard_descriptors() {
  // The lowest free number is taken: that of the closed one.
  for (int const standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    bool const is_closed = ::fcntl(standard, F_GETFD) < 0 && errno == EBADF;
    if (!is_closed) continue;
    int const stand_in = ::open("/dev/null", standard == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (stand_in >= 0 && stand_in != standard) ::close(stand_in);
  }
}

bool reader_has_gone() {
  pollfd out = {STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

namespace {

constexpr std::size_t usual_width = 80;

bool is_set(char const* variable) {
  char const* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// NO_COLOR counts whatever it says, CLICOLOR_FORCE unless it is 0.
bool in_colour() {
  if (is_set("NO_COLOR")) return false;
  if (is_set("CLICOLOR_FORCE") && std::string(std::getenv("CLICOLOR_FORCE")) != "0") return true;
  bool const plain = !is_set("TERM") || std::string(std::getenv("TERM")) == "dumb";
  return isatty(STDOUT_FILENO) == 1 && !plain;
}

std::size_t width() {
  if (is_set("COLUMNS")) {
    std::string const text = std::getenv("COLUMNS");
    std::size_t columns = 0;
    auto const* const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(text.data(), end, columns);
    if (stop == end && error == std::errc() && columns > 0) return columns;
  }
  winsize size = {};
  bool const told = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return told && size.ws_col > 0 ? size.ws_col : usual_width;
}

}  // namespace

report::Screen screen(ColourChoice choice) {
  bool const colour =
      choice == ColourChoice::automatic ? in_colour() : choice == ColourChoice::always;
  return {charset(), std::clamp(width(), report::least_width, report::most_width), colour};
}

void add_colour_option(Verb& verb, std::string& colour) {
  colour = "auto";
  verb.option(
          "--color", &colour,
          "In colour: on a terminal (auto; NO_COLOR and CLICOLOR_FORCE count), always, or never",
          "WHEN")
      .one_of({"auto", "always", "never"})
      .shows_default();
}

ColourChoice colour_choice(std::string const& colour) {
  if (colour == "always") return ColourChoice::always;
  return colour == "never" ? ColourChoice::never : ColourChoice::automatic;
}

}  // namespace gridcast::cli
