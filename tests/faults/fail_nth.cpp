// To be preloaded: the Nth call of one function fails, as FAULT=FUNCTION:N in the environment says,
// in the process that was started and in none of its children. FAULT_FIRED names a file that is
// made when it does. After SQLite's own tests of out of memory and of I/O errors.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

char wanted[32];
long countdown = 0;
pid_t owner = 0;
bool is_in_main = false;  // a failure before it could not be reported

__attribute__((constructor)) void begin() {
  char const* const fault = std::getenv("FAULT");
  char const* const colon = fault ? std::strchr(fault, ':') : nullptr;
  if (!colon || static_cast<size_t>(colon - fault) >= sizeof wanted) return;
  std::memcpy(wanted, fault, static_cast<size_t>(colon - fault));
  countdown = std::strtol(colon + 1, nullptr, 10);
  owner = getpid();
}

/// Whether this call is the one that fails.
bool fails(char const* function) {
  if (!is_in_main || countdown == 0 || std::strcmp(wanted, function) != 0 || getpid() != owner)
    return false;
  if (--countdown > 0) return false;
  if (char const* const fired = std::getenv("FAULT_FIRED")) {
    using Open = int (*)(char const*, int, ...);
    int const file =
        reinterpret_cast<Open>(dlsym(RTLD_NEXT, "open"))(fired, O_WRONLY | O_CREAT, 0644);
    if (file >= 0) close(file);
  }
  return true;
}

template <class Function>
Function next(char const* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int refuse(int error) {
  errno = error;
  return -1;
}

}  // namespace

// The allocator of a release build (jemalloc) has its own, which does not go through malloc.
void* operator new(size_t size) {
  if (is_in_main && countdown > 0 && fails("malloc")) throw std::bad_alloc();
  static auto const real = next<void* (*)(size_t)>("_Znwm");
  return real(size);
}

extern "C" {

// The first thing that main does.
using Handler = void (*)(int);
Handler signal(int number, Handler handler) {
  is_in_main = true;
  static auto const real = next<Handler (*)(int, Handler)>("signal");
  return real(number, handler);
}

void* malloc(size_t size) {
  if (is_in_main && countdown > 0 && fails("malloc")) {
    errno = ENOMEM;
    return nullptr;
  }
  static auto const real = next<void* (*)(size_t)>("malloc");
  return real(size);
}

ssize_t write(int file, void const* bytes, size_t size) {
  // A full disk takes a part first.
  if (fails("write")) return refuse(ENOSPC);
  if (fails("short-write")) size = size > 1 ? size / 2 : size;
  static auto const real = next<ssize_t (*)(int, void const*, size_t)>("write");
  return real(file, bytes, size);
}

int fsync(int file) {
  if (fails("fsync")) return refuse(EIO);
  static auto const real = next<int (*)(int)>("fsync");
  return real(file);
}

int fdatasync(int file) {
  if (fails("fdatasync")) return refuse(EIO);
  static auto const real = next<int (*)(int)>("fdatasync");
  return real(file);
}

int rename(char const* from, char const* to) {
  if (fails("rename")) return refuse(EIO);
  static auto const real = next<int (*)(char const*, char const*)>("rename");
  return real(from, to);
}

int linkat(int a, char const* from, int b, char const* to, int flags) {
  if (fails("linkat")) return refuse(EIO);
  static auto const real = next<int (*)(int, char const*, int, char const*, int)>("linkat");
  return real(a, from, b, to, flags);
}

int ftruncate(int file, off_t size) {
  if (fails("ftruncate")) return refuse(EIO);
  static auto const real = next<int (*)(int, off_t)>("ftruncate");
  return real(file, size);
}

pid_t fork() {
  if (fails("fork")) return refuse(EAGAIN);
  static auto const real = next<pid_t (*)()>("fork");
  return real();
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
  if (fails("socketpair")) return refuse(EMFILE);
  static auto const real = next<int (*)(int, int, int, int*)>("socketpair");
  return real(domain, type, protocol, ends);
}

}  // extern "C"
