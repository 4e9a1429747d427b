// Processes of the grid as C++20 coroutines: straight-line code that suspends while simulated time
// passes.
//
// A `Process` is a thing with a life of its own (a pilot, a job's owner, a cache fill): it starts
// at once and frees itself when it returns. A `Step<T>` is a part of a process that is awaited for
// its result. A process waits for a `Waiting`; a pilot's `Interrupt` can cut such a wait short when
// the site kills the pilot. All of it runs on one clock, in one thread, in an order that only the
// events fix. A `Countdown` waits for several processes.
//
// A trap: GCC 12 breaks a coroutine that awaits in the condition of an `if` or `while` and has no
// local variable at all (the hidden variable of the condition comes first in its frame, where the
// address to resume at belongs). Name the awaited value and test that.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace gridcast::engine {

/// The result of a wait.
enum class Waited {
  done,     // the awaited event has come
  cut_off,  // an interrupt came first
};

/// Memory of things that come and go by the million in a few sizes, as coroutine frames do. The
/// next thing of a size gets the memory of the last one that went. AddressSanitizer would not see
/// the use of a thing that has gone, so memory is not kept under it.
struct KeptMemory {
  static void* operator new(std::size_t size) {
    std::size_t const lines = lines_of(size);
    if (!keeps || lines >= kept.size()) return ::operator new(size);
    size = lines * line;
    if (kept[lines] == nullptr) return ::operator new(size);
    return std::exchange(kept[lines], kept[lines]->next);
  }
  static void operator delete(void* memory, std::size_t size) {
    std::size_t const lines = lines_of(size);
    if (!keeps || lines >= kept.size()) return ::operator delete(memory);
    kept[lines] = new (memory) Left{kept[lines]};
  }

 private:
  struct Left {
    Left* next;
  };
#ifdef __SANITIZE_ADDRESS__
  static constexpr bool keeps = false;
#else
  static constexpr bool keeps = true;
#endif
  static constexpr std::size_t line = 64, longest = 1024;
  static std::size_t lines_of(std::size_t size) { return (size + line - 1) / line; }

  static constinit inline thread_local std::array<Left*, longest / line + 1> kept = {};  // by lines
};

struct Process {
  struct promise_type : KeptMemory {
    Process get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    // Out of resume(), through SimGrid's loop, to the caller of simulate().
    void unhandled_exception() { throw; }
  };
};

/// The result of a step, kept until its caller takes it.
template <class T>
struct StepResult {
  std::optional<T> value;
  void return_value(T result) { value = std::move(result); }
  T take() { return std::move(*value); }
};
template <>
struct StepResult<void> {
  void return_void() {}
  void take() {}
};

template <class T>
class [[nodiscard]] Step {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct ReturnToCaller {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle self) noexcept { return self.promise().caller; }
    void await_resume() noexcept {}
  };

  struct promise_type : StepResult<T>, KeptMemory {
    std::coroutine_handle<> caller;
    std::exception_ptr error;

    Step get_return_object() { return Step(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    ReturnToCaller final_suspend() noexcept { return {}; }
    void unhandled_exception() { error = std::current_exception(); }
  };

  Step(Step&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Step& operator=(Step&&) = delete;
  ~Step() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
    handle_.promise().caller = caller;
    return handle_;
  }
  T await_resume() {
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
    return handle_.promise().take();
  }

 private:
  explicit Step(Handle handle) : handle_(handle) {}
  Handle handle_;
};

/// Something that a suspended process waits for. The awaitables of the engine derive from it and
/// live in the waiting coroutine's frame.
class Waiting {
 public:
  virtual void cancel() = 0;  // forget the wait; the canceller resumes the waiter
  virtual void interrupt() {
    interrupted_ = true;
    cancel();
    waiter_.resume();
  }

 protected:
  ~Waiting() = default;
  Waited ended() const { return interrupted_ ? Waited::cut_off : Waited::done; }
  std::coroutine_handle<> waiter_;
  bool interrupted_ = false;
};

/// Lets one event (the death of a pilot) end the current wait of its process. Once raised, every
/// further wait of that process ends at once; a nudge ends the current wait alone, for events that
/// change the next action of the process (a deadline, a suspension).
class Interrupt {
 public:
  bool raised() const { return raised_; }

  void raise() {
    raised_ = true;
    nudge();
  }

  void nudge() {
    if (Waiting* waiting = std::exchange(current_, nullptr)) waiting->interrupt();
  }
  // For awaitables: a wait begins and ends.
  void begin(Waiting& waiting) { current_ = &waiting; }
  void end() { current_ = nullptr; }

 private:
  Waiting* current_ = nullptr;
  bool raised_ = false;
};

/// `co_await UntilInterrupted(interrupt)`: for as long as nothing raises or nudges it.
class [[nodiscard]] UntilInterrupted final : public Waiting {
 public:
  explicit UntilInterrupted(Interrupt& interrupt) : interrupt_(interrupt) {}

  bool await_ready() const { return interrupt_.raised(); }
  void await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    interrupt_.begin(*this);
  }
  void await_resume() const {}
  void cancel() override {}

 private:
  Interrupt& interrupt_;
};

/// Waiting for several processes: `co_await countdown.zero()` goes on when done() has been called
/// the given number of times.
class Countdown {
 public:
  explicit Countdown(int count) : left_(count) {}
  Countdown(Countdown const&) = delete;

  void done() {
    if (--left_ > 0 || !waiter_) return;
    std::exchange(waiter_, nullptr).resume();
  }

  struct [[nodiscard]] Zero {
    Countdown& countdown;
    bool await_ready() const { return countdown.left_ <= 0; }
    void await_suspend(std::coroutine_handle<> waiter) { countdown.waiter_ = waiter; }
    void await_resume() const {}
  };
  Zero zero() { return {*this}; }

 private:
  int left_;
  std::coroutine_handle<> waiter_;
};

}  // namespace gridcast::engine
