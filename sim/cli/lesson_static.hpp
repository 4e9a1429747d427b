// gridcast lesson static DIR: the lessons as one page with the results of prepared runs. A web
// server that knows only files serves it to any number of students, and it opens from a disk.
//
// Prepared runs suit a class better than one server for all: a lesson's point needs a handful of
// runs, thirty students need no processor, port or account of the lecturer, and nothing can fail in
// class. Values of a student's own need the program.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/lesson.hpp"

namespace gridcast::cli {

/// Writes DIR/index.html. InputError without the page's template.
int write_static_lessons(std::vector<scenario::Lesson> const& lessons,
                         std::filesystem::path const& folder, bool force);

}  // namespace gridcast::cli
