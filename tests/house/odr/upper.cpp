#ifdef SAME
struct Execution {
  double begin, end;
};
#else
struct Execution {
  char const* job;
  double length;
};
#endif

bool none(Execution const* execution) { return execution == nullptr; }
