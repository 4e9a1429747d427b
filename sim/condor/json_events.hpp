// The JSON form: one object an event, one after another or in one array, of strings, numbers,
// booleans and nested objects. An object begins at the beginning of a line, its insides do not, so
// that one that breaks off costs no other.
#pragma once

#include <string>

#include "sim/condor/object_events.hpp"

namespace gridcast::condor {

class JsonEvents : public ObjectEvents {
 public:
  using ObjectEvents::ObjectEvents;

 protected:
  std::size_t gap(std::string_view text) override;
  bool belongs(std::string_view between) override;
  Extent measure(std::string_view text, std::size_t& size) override;
  bool read(RawEvent& event, char* text, std::size_t size) override;

 private:
  std::string name_;  // of the attribute being read, with those of the objects around it
};

}  // namespace gridcast::condor
