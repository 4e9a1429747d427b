#include "sim/engine/cache.hpp"

#include <algorithm>

namespace gridcast::engine {

bool FillWait::await_ready() {
  interrupted_ = interrupt_.raised();
  return interrupted_ || !cache_.filling_.contains(file_);
}

void FillWait::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  interrupt_.begin(*this);
  cache_.filling_.at(file_).waiting.push_back(this);
}

void FillWait::cancel() { std::erase(cache_.filling_.at(file_).waiting, this); }

void OsdfCache::request(FileId file, Bytes size) {
  if (store_.touch(file)) {
    ++hits_;
    store_.open(file);
    return;
  }
  ++misses_;
  if (!filling_.contains(file)) fill(file, size);
  ++filling_.at(file).readers;
}

void OsdfCache::release(FileId file) {
  auto const filling = filling_.find(file);
  if (filling != filling_.end()) {
    --filling->second.readers;
  } else {
    store_.close(file);
  }
}

Process OsdfCache::fill(FileId file, Bytes size) {
  filling_[file];
  Seconds const start = clock_ ? clock_->now() : Seconds();
  fetched_ += co_await network_.transfer(to_origin_, size);
  if (tell_) tell_(start, size);
  store_.insert(file, size);
  if (told_) told_(store_.used());
  auto const done = filling_.extract(file);
  for (int i = 0; i < done.mapped().readers; ++i) store_.open(file);
  for (FillWait* wait : done.mapped().waiting) {
    wait->interrupt_.end();
    wait->waiter_.resume();
  }
}

}  // namespace gridcast::engine
