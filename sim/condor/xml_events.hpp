// The XML form: one <c> an event, of <a n="NAME"><T>VALUE</T></a> with T one of i, r, s, e, or
// <b v="t"/>, and a nested ad as <c>. The outer <c> begins a line, nested ones do not.
#pragma once

#include <string>

#include "sim/condor/object_events.hpp"

namespace gridcast::condor {

class XmlEvents : public ObjectEvents {
 public:
  using ObjectEvents::ObjectEvents;

 protected:
  std::size_t gap(std::string_view text) override;
  bool belongs(std::string_view between) override;
  Extent measure(std::string_view text, std::size_t& size) override;
  bool read(RawEvent& event, char* text, std::size_t size) override;

 private:
  std::string name_;  // of the attribute being read, with those of the ads around it
};

}  // namespace gridcast::condor
