#include "sim/condor/object_events.hpp"

#include <algorithm>
#include <utility>

#include "sim/condor/event_attributes.hpp"
#include "sim/condor/event_body.hpp"

namespace gridcast::condor {

// Takes `size` bytes with all their lines counted as not understood.
void ObjectEvents::skip(std::string_view why, std::size_t size) {
  std::size_t const first = line_;
  take(size);
  warnings_.not_understood(why, first + 1, std::max<std::size_t>(line_ - first, 1));
}

// Brings the next object to the front of the window.
bool ObjectEvents::find() {
  while (true) {
    std::string_view const text = window_.text();
    std::size_t const before = gap(text);
    if (before > 0 && belongs(text.substr(0, before))) {
      take(before);
    } else if (before > 0) {
      skip("text that is part of no event", before);
    }
    if (window_.text().empty()) {
      if (!window_.more()) return false;
      continue;
    }
    switch (measure(window_.text(), size_)) {
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

bool ObjectEvents::next(RawEvent& event) {
  take(std::exchange(size_, 0));
  while (find()) {
    event = event_without_attributes(line_ + 1);
    bool const good = read(event, window_.data(), size_);
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

}  // namespace gridcast::condor
