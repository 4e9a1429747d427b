// Jobs that are to be submitted later, in groups. At the campaign's horizon all of them are due.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <utility>

#include "sim/engine/clock.hpp"

namespace gridcast::engine {

class LaterSubmissions {
 public:
  /// `first`: the first job of a group; `count`: how many follow one another.
  using Submit = std::function<void(std::size_t first, int count)>;

  LaterSubmissions(Clock& clock, Submit submit) : clock_(clock), submit_(std::move(submit)) {}
  LaterSubmissions(LaterSubmissions const&) = delete;

  void add(Seconds at, std::size_t first, int count) {
    auto const group = groups_.insert(groups_.end(), {nullptr, first, count});
    group->timer = clock_.at(at, [this, group] {
      Group const due = *group;
      groups_.erase(group);
      submit_(due.first, due.count);
    });
  }

  /// Submits all that is left.
  void submit_now() {
    for (Group& group : std::exchange(groups_, {})) {
      stop(group.timer);
      submit_(group.first, group.count);
    }
  }

 private:
  struct Group {
    Timer* timer;
    std::size_t first;
    int count;
  };

  Clock& clock_;
  Submit submit_;
  std::list<Group> groups_;
};

}  // namespace gridcast::engine
