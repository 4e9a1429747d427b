// What the JSON and XML forms share: objects of attributes, one an event, one after another.
#pragma once

#include <string_view>

#include "sim/condor/event_reader.hpp"

namespace gridcast::condor {

class ObjectEvents : public EventReader {
 public:
  using EventReader::EventReader;
  bool next(RawEvent& event) override;

 protected:
  enum class Extent { whole, cut, broken };

  /// Length of what stands before the next object, or of all the text if there is none.
  virtual std::size_t gap(std::string_view text) = 0;
  /// Whether what stands there is part of the form and no damage.
  virtual bool belongs(std::string_view between) = 0;
  /// How far the object at the front reaches. `cut`: beyond the text. `broken`: another begins at
  /// `size` before it ends.
  virtual Extent measure(std::string_view text, std::size_t& size) = 0;
  /// Reads the object; unescapes in place. False if it is none.
  virtual bool read(RawEvent& event, char* text, std::size_t size) = 0;

 private:
  bool find();
  void skip(std::string_view why, std::size_t size);

  std::size_t size_ = 0;  // of the object at the front of the window
};

}  // namespace gridcast::condor
