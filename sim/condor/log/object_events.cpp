// The JSON and XML forms of the job event log: an event is an object of attributes with values, as
// the ClassAds of HTCondor's Python bindings have it (ULogEvent::toClassAd in condor_event.cpp).
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "sim/base/text_number.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/log_clock.hpp"
#include "sim/condor/log/resource_rows.hpp"
#include "sim/condor/log/scan.hpp"

namespace gridcast::condor {
namespace {

constexpr std::int64_t no_date = std::numeric_limits<std::int64_t>::min();
constexpr std::uint32_t no_cluster = 0xffffffff;

std::optional<std::int64_t> whole(std::string_view value) { return scan::integer(value); }

// Bytes and seconds, which HTCondor writes as reals too: "52.0", "5.200000000000000E+01".
std::optional<std::int64_t> amount(std::string_view value) {
  std::string_view rest = value;
  auto const integer = scan::integer(rest);
  if (integer && rest.empty()) return *integer >= 0 ? integer : std::nullopt;
  auto const real = text_as<double>(value);
  bool const can_be = real && *real >= 0 && *real < 0x1p63;
  return can_be ? std::optional(static_cast<std::int64_t>(std::round(*real))) : std::nullopt;
}
std::optional<int> small(std::string_view value) { return scan::small_integer(value); }

std::optional<std::int64_t> id(std::string_view value) {
  auto const number = whole(value);
  return number && *number <= 0xffffffff ? number : std::nullopt;
}

void read_cluster(RawEvent& event, std::string_view value) {
  auto const cluster = id(value);
  if (cluster && *cluster >= 0) event.job.cluster = static_cast<std::uint32_t>(*cluster);
}

void read_proc(RawEvent& event, std::string_view value) {
  auto const proc = id(value);
  if (!proc) return;
  event.of_cluster = *proc < 0;
  event.job.proc = static_cast<std::uint32_t>(*proc);
}

void read_date(RawEvent& event, std::string_view value) {
  auto const date = eat_log_date(value);
  if (!date) return;
  event.at_ms = date->ms;
  event.utc = date->utc;
  event.year_known = date->year_known;
}

void read_number(RawEvent& event, std::string_view value) {
  auto const number = small(value);
  if (number && *number >= 0 && *number <= 999) event.number = *number;
}

void read_transfer_type(RawEvent& event, std::string_view value) {
  auto const type = small(value);
  if (type && *type >= 1 && *type <= 6) event.transfer = static_cast<TransferStep>(*type);
}

void set_reason(RawEvent& event, std::string_view value) {
  if (event.reason.empty()) event.reason = value.substr(0, value.find_first_of("\r\n"));
}

void read_log_notes(RawEvent& event, std::string_view value) { event.node = dag_node(value); }

// 021 has a slot where the others have an address.
void set_execute_host(RawEvent& event, std::string_view value) {
  (value.starts_with('<') ? event.host : event.slot_name) = value;
}

// A member that has the value, or a function that takes it.
using Setter = void (*)(RawEvent&, std::string_view);
using Target =
    std::variant<Setter, std::string_view RawEvent::*, bool RawEvent::*,
                 std::optional<int> RawEvent::*, std::optional<std::int64_t> RawEvent::*>;

struct Put {
  RawEvent& event;
  std::string_view value;
  void operator()(Setter set) const { set(event, value); }
  void operator()(std::string_view RawEvent::*text) const { event.*text = value; }
  void operator()(bool RawEvent::*truth) const { event.*truth = value == "true" || value == "t"; }
  void operator()(std::optional<int> RawEvent::*number) const { event.*number = small(value); }
  void operator()(std::optional<std::int64_t> RawEvent::*number) const {
    event.*number = amount(value);
    event.amounts_not_understood += !(event.*number) && !value.empty() && is_digit(value.front());
  }
};

struct Rule {
  std::string_view name;
  Target target;
};

constexpr Rule rules[] = {
    {"Cluster", read_cluster},
    {"Proc", read_proc},
    {"EventTypeNumber", read_number},
    {"EventTime", read_date},
    {"Type", read_transfer_type},
    {"QueueingDelay", &RawEvent::seconds_in_queue},
    {"Host", &RawEvent::host},
    {"SubmitHost", &RawEvent::host},
    {"Cmd", &RawEvent::program},
    {"Owner", &RawEvent::user},
    {"ExecuteHost", set_execute_host},
    {"StartdAddr", &RawEvent::host},
    {"StartdName", &RawEvent::slot_name},
    {"SlotName", &RawEvent::slot_name},
    {"Reason", set_reason},
    {"HoldReason", set_reason},
    {"ErrorMsg", set_reason},
    {"Message", set_reason},
    {"DisconnectReason", set_reason},
    {"HoldReasonCode", &RawEvent::code},
    {"HoldReasonSubCode", &RawEvent::subcode},
    {"VacateReasonCode", &RawEvent::code},
    {"VacateReasonSubCode", &RawEvent::subcode},
    {"ReasonCode", &RawEvent::code},
    {"ReasonSubCode", &RawEvent::subcode},
    {"TerminatedAndRequeued", &RawEvent::requeued},
    {"Checkpointed", &RawEvent::checkpointed},
    {"ReturnValue", &RawEvent::return_value},
    {"TerminatedBySignal", &RawEvent::signal},
    {"ToE.When", &RawEvent::ended_unix},
    {"LogNotes", read_log_notes},
    {"SentBytes", &RawEvent::sent},
    {"ReceivedBytes", &RawEvent::received},
    {"TimeSlotBusyUsage", &RawEvent::slot_busy},
    {"TimeExecuteUsage", &RawEvent::executed},
    {"RequestGPUs", &RawEvent::gpus_requested},
};

// Before the first attribute.
RawEvent event_without_attributes(std::size_t line) {
  RawEvent event;
  event.number = -1;
  event.job.cluster = no_cluster;
  event.at_ms = no_date;
  event.line = line;
  return event;
}

// Takes in one attribute. Names of nested ads are "OUTER.INNER", strings are without their quotes.
void read_attribute(RawEvent& event, std::string_view name, std::string_view value) {
  read_resource_attribute(event, name, value);
  for (Rule const& rule : rules) {
    if (same_ignoring_case(rule.name, name)) return std::visit(Put{event, value}, rule.target);
  }
  constexpr std::string_view nested = "ExecuteProps.";
  if (name.starts_with(nested)) name.remove_prefix(nested.size());
  read_site(event, name, value);
  std::string_view rest = name;
  if (scan::eat_name(rest, "GPUs") || scan::eat_name(rest, "CUDA") || scan::eat_name(rest, "Cpus"))
    read_gpu_attribute(event, name, value);
}

// The attribute that an event lacks after all its attributes; empty if none.
std::string_view missing_attribute(RawEvent const& event) {
  if (event.number < 0) return "EventTypeNumber";
  if (event.at_ms == no_date) return "EventTime";
  if (event.job.cluster == no_cluster) return "Cluster";
  return {};
}

// The name of the attribute that is being read, with those of the objects around it.
class NestedName {
 public:
  void clear() {
    text_.clear();
    depth_ = 0;
  }
  std::string const& text() const { return text_; }

  /// An attribute, and behind it.
  void begin(std::string_view name) {
    around_ = text_.size();
    text_.append(name);
  }
  void end() { text_.resize(around_); }

  /// Into the object that is its value, and out of it; false where there is no way.
  bool enter() {
    if (depth_ == outer_.size()) return false;
    outer_[depth_++] = around_;
    text_ += '.';
    return true;
  }
  bool leave() {
    if (depth_ == 0) return false;
    text_.resize(outer_[--depth_]);
    return true;
  }

 private:
  std::string text_;
  std::size_t around_ = 0, depth_ = 0;
  std::array<std::size_t, 8> outer_{};  // lengths of the text around each open object
};

enum class Extent { whole, cut, broken };

// Writes a code point as UTF-8; returns where it ends.
char* put_utf8(char* to, std::uint32_t c) {
  if (c < 0x80) {
    *to++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *to++ = static_cast<char>(0xc0U | c >> 6U);
    *to++ = static_cast<char>(0x80U | (c & 0x3fU));
  } else {
    *to++ = static_cast<char>(0xe0U | c >> 12U);
    *to++ = static_cast<char>(0x80U | (c >> 6U & 0x3fU));
    *to++ = static_cast<char>(0x80U | (c & 0x3fU));
  }
  return to;
}

// Four hexadecimal digits; 0xfffd where they are none.
std::uint32_t hex4(char const* text, char const* end) {
  std::uint32_t value = 0;
  if (end - text < 4) return 0xfffd;
  auto const result = std::from_chars(text, text + 4, value, 16);
  return result.ptr == text + 4 ? value : 0xfffd;
}

// Walks over one object. Everything that it gives out lies in the text.
class Cursor {
 public:
  Cursor(char* text, std::size_t size) : at_(text), end_(text + size) {}

  char peek() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
    return at_ < end_ ? *at_ : '\0';
  }
  bool eat(char c) {
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }

  // Behind the opening quote; unescapes in place, which never makes it longer.
  bool string(std::string_view& found) {
    char* const begin = at_;
    while (at_ < end_ && *at_ != '"' && *at_ != '\\') ++at_;
    char* to = at_;
    while (at_ < end_ && *at_ != '"') {
      if (*at_ != '\\') {
        *to++ = *at_++;
      } else if (!unescape(to)) {
        return false;
      }
    }
    if (at_ == end_) return false;
    found = {begin, static_cast<std::size_t>(to - begin)};
    ++at_;
    return true;
  }

  std::string_view literal() {
    char const* const begin = at_;
    while (at_ < end_ && std::string_view(",}] \t\r\n").find(*at_) == std::string_view::npos) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  // Behind the opening bracket.
  bool skip_list() {
    std::string_view ignored;
    for (std::size_t depth = 1; depth > 0;) {
      if (peek() == '\0') return false;
      char const c = *at_++;
      if (c == '"' && !string(ignored)) return false;
      if (c == '[') ++depth;
      if (c == ']') --depth;
    }
    return true;
  }

 private:
  bool unescape(char*& to) {
    ++at_;
    if (at_ == end_) return false;
    char const c = *at_++;
    constexpr std::string_view letters = "bfnrt", meanings = "\b\f\n\r\t";
    if (c == 'u') {
      to = put_utf8(to, hex4(at_, end_));
      at_ += std::min<std::ptrdiff_t>(4, end_ - at_);
    } else if (auto const i = letters.find(c); i != std::string_view::npos) {
      *to++ = meanings[i];
    } else {
      *to++ = c;
    }
    return true;
  }

  char* at_;
  char* end_;
};

// The JSON form: one object an event, one after another or in one array, of strings, numbers,
// booleans and nested objects. An object begins at the beginning of a line, its insides do not: a
// broken one costs no other.
struct JsonForm {
  static std::size_t gap(std::string_view text) {
    auto const brace = text.find('{');
    return brace == std::string_view::npos ? text.size() : brace;
  }

  static bool belongs(std::string_view between) {
    return between.find_first_not_of(" \t\r\n[],.\xef\xbb\xbf") == std::string_view::npos;
  }

  static Extent measure(std::string_view text, std::size_t& size) {
    std::size_t depth = 0;
    bool quoted = false;
    for (size = 0; size < text.size(); ++size) {
      char const c = text[size];
      if (c == '\n') {
        quoted = false;  // no string has one
        if (size + 1 < text.size() && text[size + 1] == '{') return ++size, Extent::broken;
      } else if (quoted) {
        if (c == '\\') ++size;
        if (c == '"') quoted = false;
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        ++depth;
      } else if (c == '}' && --depth == 0) {
        return ++size, Extent::whole;
      }
    }
    return Extent::cut;
  }

  static bool read(RawEvent& event, NestedName& name, char* text, std::size_t size) {
    Cursor cursor(text, size);
    name.clear();
    if (!cursor.eat('{')) return false;
    while (true) {
      if (cursor.eat(',')) continue;
      if (cursor.eat('}')) {
        if (!name.leave()) return true;
        continue;
      }
      std::string_view key, value;
      if (!cursor.eat('"') || !cursor.string(key) || !cursor.eat(':')) return false;
      name.begin(key);
      if (cursor.eat('{')) {
        if (!name.enter()) return false;
        continue;
      }
      if (cursor.eat('[')) {
        if (!cursor.skip_list()) return false;
      } else {
        bool const quoted = cursor.eat('"');
        if (quoted && !cursor.string(value)) return false;
        if (!quoted) value = cursor.literal();
        if (!quoted && value.empty()) return false;
        read_attribute(event, name.text(), value);
      }
      name.end();
    }
  }
};

// In place. Unknown entities are left unchanged.
std::string_view unescape(char* text, std::size_t size) {
  std::string_view rest(text, size);
  char* to = std::copy(text, text + std::min(rest.find('&'), size), text);
  rest.remove_prefix(static_cast<std::size_t>(to - text));
  while (!rest.empty()) {
    if (auto const meaning = scan::eat_entity(rest)) {
      *to++ = *meaning;
      continue;
    }
    *to++ = rest.front();
    rest.remove_prefix(1);
  }
  return {text, static_cast<std::size_t>(to - text)};
}

void skip_white(std::string_view& rest) {
  auto const begin = rest.find_first_not_of(" \t\r\n");
  rest.remove_prefix(begin == npos ? rest.size() : begin);
}

// "<s>text</s>", "<i>5</i>", "<b v=\"t\"/>", "<s/>"; `base` is the text that `rest` is in.
bool eat_value(std::string_view& rest, char* base, std::string_view all, std::string_view& value) {
  if (scan::eat(rest, "<b v=\"")) {
    value = rest.substr(0, 1);
    auto const end = rest.find("/>");
    if (end == npos) return false;
    rest.remove_prefix(end + 2);
    return true;
  }
  if (rest.size() < 3 || rest[0] != '<') return false;
  auto const open_end = rest.find('>');
  if (open_end == npos) return false;
  bool const empty = rest[open_end - 1] == '/';
  rest.remove_prefix(open_end + 1);
  value = {};
  if (empty) return true;
  auto const end = rest.find('<');
  if (end == npos) return false;
  char* const begin = base + (rest.data() - all.data());
  value = unescape(begin, end);
  rest.remove_prefix(end);
  auto const close_end = rest.find('>');
  if (!rest.starts_with("</") || close_end == npos) return false;
  rest.remove_prefix(close_end + 1);
  return true;
}

// The XML form: one <c> an event, of <a n="NAME"><T>VALUE</T></a> with T one of i, r, s, e, or
// <b v="t"/>, and a nested ad as <c>. The outer <c> begins a line, nested ones do not.
struct XmlForm {
  static std::size_t gap(std::string_view text) {
    auto const ad = text.find("<c>");
    return ad == npos ? text.size() : ad;
  }

  static bool belongs(std::string_view between) {
    while (true) {
      skip_white(between);
      if (between.empty()) return true;
      auto const end = between.find('>');
      if (between.front() != '<' && !between.starts_with("\xef\xbb\xbf")) return false;
      if (end == npos) return false;
      between.remove_prefix(end + 1);
    }
  }

  static Extent measure(std::string_view text, std::size_t& size) {
    std::size_t depth = 0;
    size = 0;
    while (true) {
      auto const tag = text.find('<', size);
      if (tag == npos) return Extent::cut;
      std::string_view const rest = text.substr(tag);
      if (rest.size() < 4) return Extent::cut;
      size = tag + 1;
      if (rest.starts_with("<c>")) {
        if (tag > 0 && text[tag - 1] == '\n') return size = tag, Extent::broken;
        ++depth;
      } else if (rest.starts_with("</c>") && --depth == 0) {
        size = tag + 4;
        return Extent::whole;
      }
    }
  }

  static bool read(RawEvent& event, NestedName& name, char* text, std::size_t size) {
    std::string_view const all(text, size);
    std::string_view rest = all;
    name.clear();
    if (!scan::eat(rest, "<c>")) return false;
    while (true) {
      skip_white(rest);
      if (scan::eat(rest, "</c>")) {
        if (!name.leave()) return true;
        skip_white(rest);
        if (!scan::eat(rest, "</a>")) return false;
        continue;
      }
      if (!scan::eat(rest, "<a n=\"")) return false;
      auto const quote = rest.find("\">");
      if (quote == npos) return false;
      name.begin(rest.substr(0, quote));
      rest.remove_prefix(quote + 2);
      skip_white(rest);
      if (scan::eat(rest, "<c>")) {
        if (!name.enter()) return false;
        continue;
      }
      std::string_view value;
      if (!eat_value(rest, text, all, value)) return false;
      skip_white(rest);
      if (!scan::eat(rest, "</a>")) return false;
      read_attribute(event, name.text(), value);
      name.end();
    }
  }
};

// The part that the two forms share: objects, one an event, one after another. A form has
//   gap(text)             length of the text before the next object, or of all the text if there
//                         is none
//   belongs(between)      whether the text there is part of the form and no damage
//   measure(text, size)   how far the object at the front reaches. `cut`: beyond the text.
//                         `broken`: another begins at `size` before it ends
//   read(event, name, text, size)  reads the object; unescapes in place. False if it fails
template <class Form>
class ObjectEvents final : public EventReader {
 public:
  using EventReader::EventReader;

  bool next(RawEvent& event) override {
    take(std::exchange(size_, 0));
    while (find()) {
      event = event_without_attributes(line_ + 1);
      bool const good = Form::read(event, name_, window_.data(), size_);
      if (good && event.amounts_not_understood > 0) {
        warnings_.add("a number of bytes or seconds is larger than any can be", event.line);
      }
      if (good && missing_attribute(event).empty()) {
        if (known_event(event.number)) return true;
        std::string_view const why = "events of a number that HTCondor's 000 to 047 do not have";
        std::string_view const text = window_.text().substr(0, size_);
        auto const lines = std::count(text.begin(), text.end(), '\n');
        warnings_.not_understood(why, line_ + 1, static_cast<std::size_t>(lines) + 1);
        return true;
      }
      skip(good ? "an object without EventTypeNumber, EventTime or Cluster"
                : "an event that cannot be read",
           std::exchange(size_, 0));
    }
    return false;
  }

 private:
  // Takes `size` bytes with all their lines counted as not understood.
  void skip(std::string_view why, std::size_t size) {
    std::size_t const first = line_;
    take(size);
    warnings_.not_understood(why, first + 1, std::max<std::size_t>(line_ - first, 1));
  }

  // Brings the next object to the front of the window.
  bool find() {
    while (true) {
      std::string_view const text = window_.text();
      std::size_t const before = Form::gap(text);
      if (before > 0 && Form::belongs(text.substr(0, before))) {
        take(before);
      } else if (before > 0) {
        skip("text that is part of no event", before);
      }
      if (window_.text().empty()) {
        if (!window_.more()) return false;
        continue;
      }
      switch (Form::measure(window_.text(), size_)) {
        case Extent::whole:
          return true;
        case Extent::broken:
          skip("an event that breaks off", size_);
          break;
        case Extent::cut:
          if (window_.more()) break;
          if (!window_.at_end()) {
            skip("an event longer than 8 MB", window_.text().size());
            break;
          }
          warnings_.add("the log ends within an event, which is left out (still being written?)",
                        line_ + 1);
          take(window_.text().size());
          return false;
      }
    }
  }

  NestedName name_;
  std::size_t size_ = 0;  // of the object at the front of the window
};

}  // namespace

std::unique_ptr<EventReader> json_events(LogWindow& window, LogWarnings& warnings) {
  return std::make_unique<ObjectEvents<JsonForm>>(window, warnings);
}

std::unique_ptr<EventReader> xml_events(LogWindow& window, LogWarnings& warnings) {
  return std::make_unique<ObjectEvents<XmlForm>>(window, warnings);
}

}  // namespace gridcast::condor
