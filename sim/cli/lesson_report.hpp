// The page of a lesson's run: the campaign with its events, to be played and stepped through.
#pragma once

#include "sim/cli/report_file.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/study/lesson_study.hpp"

namespace gridcast {

/// Before any work. InputError for a lesson without events. Nothing for an empty file.
void prepare_lesson_report(ReportArguments const& arguments, Lesson const& lesson, bool force);

/// Nothing without --report. Of several replicas the one most like the others is shown.
void write_lesson_report(ReportArguments const& arguments, Lesson const& lesson,
                         LessonRun const& run);

}  // namespace gridcast
