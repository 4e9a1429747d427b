// Nothing refers to this: only a link of all objects sees it.
struct Execution {
  double begin, end;
};

double length(Execution const& execution) { return execution.end - execution.begin; }
