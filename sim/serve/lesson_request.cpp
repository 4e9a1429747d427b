#include "sim/serve/lesson_request.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace gridcast::serve {
namespace {

using report::Json;

constexpr std::size_t longest = 200;

[[noreturn]] void refuse(std::string what) {
  throw InputError(Problem{{"question"}, std::move(what), "", ""});
}

/// As short texts are that no shell, terminal or file system could take for something else.
std::string short_text_at(Json const& json, char const* key) {
  auto const found = json.find(key);
  if (found == json.end()) return "";
  bool const good = found->is_string() && found->get_ref<std::string const&>().size() <= longest;
  if (!good) refuse(fmt::format("{}: it has to be a short text", key));
  auto text = found->get<std::string>();
  bool const plain = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  });
  if (!plain) refuse(fmt::format("{}: it has to be one line", key));
  return text;
}

/// Files are named by these keys, and by groups that hold them.
bool names_files(std::string_view path) {
  for (std::string_view const key : {"pool", "calibration", "campaign", "campaign.work",
                                     "campaign.work.profile", "strategies", "lesson", "schema"}) {
    if (path == key) return true;
  }
  return path.ends_with(".profile") || path.ends_with(".training") || path.ends_with(".like");
}

void add_overrides(Json const& json, std::vector<std::string>& words) {
  auto const found = json.find("set");
  if (found == json.end()) return;
  if (!found->is_array() || found->size() > 50) refuse("set: it has to be a list");
  for (auto const& entry : *found) {
    if (!entry.is_object()) refuse("set: it has to be a list of paths with values");
    std::string const path = short_text_at(entry, "path"), value = short_text_at(entry, "value");
    if (path.find('.') == std::string::npos || names_files(path)) {
      refuse(fmt::format("'{}' is nothing that a lesson turns", path));
    }
    bool const is_group = value.starts_with('{') || value.starts_with('[');
    if (value.empty() || is_group) refuse(fmt::format("{}: its value is none", path));
    words.push_back("--set=" + path + "=" + value);
  }
}

}  // namespace

std::vector<std::string> lesson_command(Json const& json) {
  std::string const what = short_text_at(json, "do");
  bool const runs = what == "run" || what == "page";
  if (!runs && what != "check" && what != "solution") refuse("do: run, page, check or solution");
  auto const number = json.find("number");
  bool const whole = number != json.end() && number->is_number_integer();
  if (!whole || number->get<std::int64_t>() < 0) refuse("number: of a lesson");
  std::vector<std::string> words = {"lesson", runs ? "run" : what, "--json"};
  if (auto const name = short_text_at(json, "name"); !name.empty()) {
    words.push_back("--seed-by-name=" + name);
  }
  if (runs) {
    if (auto const guess = short_text_at(json, "guess"); !guess.empty()) {
      words.push_back("--guess=" + guess);
    }
    if (auto const name = short_text_at(json, "strategy"); !name.empty()) {
      words.push_back("--strategy=" + name);
    }
    add_overrides(json, words);
  }
  if (what != "page") words.push_back("--");  // after which a page's own options could not stand
  words.push_back(std::to_string(number->get<std::uint64_t>()));
  if (what == "check") words.push_back(short_text_at(json, "answer"));
  return words;
}

}  // namespace gridcast::serve
