// Threads that take one task after another.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gridcast::serve {

class Workers {
 public:
  /// ResourceError if the machine does not start so many threads. Signals do not reach them.
  explicit Workers(std::size_t number);
  ~Workers() { finish(); }
  Workers(Workers const&) = delete;
  Workers& operator=(Workers const&) = delete;

  void add(std::function<void()> task);
  /// Waits until all tasks are done, and ends the threads.
  void finish();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::function<void()>> tasks_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace gridcast::serve
