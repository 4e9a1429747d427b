// The lines of an event below or behind its date, for each kind of event (text form).
#pragma once

#include <string_view>

#include "sim/condor/raw_event.hpp"

namespace gridcast::condor {

/// The numbers an event can have: 000 to 047.
bool known_event(int number);

/// What stands behind the date. False if it is not what this event begins with.
bool read_first_line(RawEvent& event, std::string_view text);

/// Attributes that name the site where a job runs.
bool is_site_attribute(std::string_view name);

/// A line below. False if no rule fits.
bool read_body_line(RawEvent& event, std::string_view line);

}  // namespace gridcast::condor
