#include "sim/ledger/time_classes.hpp"

namespace gridcast::ledger {
namespace {

struct ClassRow {
  std::string_view name, words;
  bool slot;
};

// In the order of TimeClass.
constexpr ClassRow rows[time_class_count] = {
    {"idle", "idle in the queue", false},
    {"matched", "matched, not yet running", true},
    {"transfer_input", "transferring input", true},
    {"execute", "executing", true},
    {"checkpoint", "saving checkpoints", true},
    {"transfer_output", "transferring output", true},
    {"suspended", "suspended", true},
    {"disconnected", "disconnected", true},
    {"held", "held", false},
    {"cool_down", "cooling down, then idle", false},
};

constexpr ClassRow const& row_of(TimeClass c) { return rows[static_cast<std::size_t>(c)]; }

}  // namespace

std::string_view name(TimeClass time_class) { return row_of(time_class).name; }

std::string_view words(TimeClass time_class) { return row_of(time_class).words; }

bool has_slot(TimeClass time_class) { return row_of(time_class).slot; }

TimeClass time_class_of(history::Phase phase) {
  // In the order of Phase: a stalled transfer is a transfer.
  static constexpr std::array<TimeClass, history::phase_count> classes = {
      TimeClass::idle,
      TimeClass::matched,
      TimeClass::transfer_input,
      TimeClass::transfer_input,
      TimeClass::execute,
      TimeClass::checkpoint,
      TimeClass::transfer_output,
      TimeClass::suspended,
      TimeClass::disconnected,
      TimeClass::held,
      TimeClass::cool_down};
  return classes[static_cast<std::size_t>(phase)];
}

Seconds TimeClasses::total() const {
  Seconds sum;
  for (Seconds time : time_) sum += time;
  return sum;
}

Seconds TimeClasses::slot_time() const {
  Seconds sum;
  for (auto c : all_time_classes()) {
    if (has_slot(c)) sum += (*this)[c];
  }
  return sum;
}

TimeClasses& TimeClasses::operator+=(TimeClasses const& other) {
  for (std::size_t i = 0; i < time_.size(); ++i) time_[i] += other.time_[i];
  return *this;
}

std::array<TimeClass, time_class_count> all_time_classes() {
  std::array<TimeClass, time_class_count> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<TimeClass>(i);
  return all;
}

}  // namespace gridcast::ledger
