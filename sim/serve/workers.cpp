#include "sim/serve/workers.hpp"

#include <csignal>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace gridcast::serve {

// A thread has the signal mask of the thread that starts it.
Workers::Workers(std::size_t number) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  std::string reason;
  try {
    while (threads_.size() < number) threads_.emplace_back([this] { work(); });
  } catch (std::system_error const& error) {
    reason = error.code().message();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (reason.empty()) return;
  std::size_t const started = threads_.size();
  finish();
  throw ResourceError(Problem{{},
                              fmt::format("{} of {} threads can be started", started, number),
                              reason,
                              "Raise the limits on memory (ulimit -v) and processes (ulimit -u)."});
}

void Workers::add(std::function<void()> task) {
  {
    std::scoped_lock const lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  news_.notify_one();
}

void Workers::finish() {
  {
    std::scoped_lock const lock(mutex_);
    ends_ = true;
  }
  news_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Workers::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    auto const task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }
}

}  // namespace gridcast::serve
