// An event as attributes with values, as the JSON and XML forms and the ClassAds of HTCondor's
// Python bindings have it (ULogEvent::toClassAd).
#pragma once

#include <string_view>

#include "sim/condor/raw_event.hpp"

namespace gridcast::condor {

/// Takes in one attribute. Names of nested ads are "OUTER.INNER", strings are without their quotes.
void read_attribute(RawEvent& event, std::string_view name, std::string_view value);

/// What an event lacks after all its attributes; empty if nothing.
std::string_view missing_attribute(RawEvent const& event);

/// Before the first attribute.
RawEvent event_without_attributes(std::size_t line);

}  // namespace gridcast::condor
