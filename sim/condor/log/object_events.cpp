// The JSON and XML forms of the job event log: an event is an object of attributes with values, as
// the ClassAds of HTCondor's Python bindings have it (ULogEvent::toClassAd in condor_event.cpp).
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/condor/ads/ad_text.hpp"
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
    {"DAGNodeName", &RawEvent::node},
    {"SentBytes", &RawEvent::sent},
    {"ReceivedBytes", &RawEvent::received},
    {"TimeSlotBusyUsage", &RawEvent::slot_busy},
    {"TimeExecuteUsage", &RawEvent::executed},
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
  constexpr std::string_view nested = "ExecuteProps.";
  bool const of_slot = name.starts_with(nested);
  if (of_slot) name.remove_prefix(nested.size());
  read_resource_attribute(event, name, value);
  for (Rule const& rule : rules) {
    bool const applies = !of_slot && same_ignoring_case(rule.name, name);
    if (applies) return std::visit(Put{event, value}, rule.target);
  }
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

// Takes in the attributes of an object and those of nested ones, whose names are "OUTER.INNER".
// Lists and undefined values are left out. `texts` keeps the texts of numbers and truth values.
void read_attributes(RawEvent& event, std::string const& name, classad::Value const& value,
                     std::deque<std::string>& texts) {
  if (value.as_ad() != nullptr) {
    for (auto const& inner : value.as_ad()->attributes()) {
      auto const* const content = std::get_if<classad::Value>(&inner.content);
      if (content != nullptr) read_attributes(event, name + "." + inner.name, *content, texts);
    }
  } else if (auto const* const text = value.as<std::string>()) {
    read_attribute(event, name, *text);
  } else if (value.as_list() == nullptr && !value.is_undefined()) {
    read_attribute(event, name, texts.emplace_back(value.to_text()));
  }
}

enum class Extent { whole, cut, broken };

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

  static bool read(std::string_view text, TextAd& ad) { return read_json_ad(text, ad); }
};

void skip_white(std::string_view& rest) {
  auto const begin = rest.find_first_not_of(" \t\r\n");
  rest.remove_prefix(begin == npos ? rest.size() : begin);
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

  static bool read(std::string_view text, TextAd& ad) { return read_xml_ad(text, ad); }
};

// The part that the two forms share: objects, one an event, one after another. A form has
//   gap(text)             length of the text before the next object, or of all the text if there
//                         is none
//   belongs(between)      whether the text there is part of the form and no damage
//   measure(text, size)   how far the object at the front reaches. `cut`: beyond the text.
//                         `broken`: another begins at `size` before it ends
//   read(text, ad)        reads the object. False if it fails
template <class Form>
class ObjectEvents final : public EventReader {
 public:
  using EventReader::EventReader;

  bool next(RawEvent& event) override {
    take(std::exchange(size_, 0));
    while (find()) {
      event = event_without_attributes(line_ + 1);
      bool const good = read(event);
      if (good && event.amounts_not_understood > 0) {
        warnings_.add(
            "a number of bytes, seconds or a resource is negative, or larger than any can be",
            event.line);
      }
      if (good && missing_attribute(event).empty()) {
        if (known_event(event.number)) return true;
        std::string_view const why = "events of a number that HTCondor's 000 to 047 do not have";
        std::string_view const text = window_.text().substr(0, size_);
        auto const lines = std::ranges::count(text, '\n');
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
  bool read(RawEvent& event) {
    ad_ = {};
    texts_.clear();
    if (!Form::read(window_.text().substr(0, size_), ad_)) return false;
    for (auto const& [name, value] : ad_.attributes) read_attributes(event, name, value, texts_);
    return true;
  }

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

  TextAd ad_;  // whose texts the event's views are of
  std::deque<std::string> texts_;
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
