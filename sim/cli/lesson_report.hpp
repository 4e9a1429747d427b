// The page of a lesson's run: the campaign, or the training's steps, with its events, to be played
// and stepped through.
#pragma once

#include "sim/cli/report_file.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/study/lesson_study.hpp"

namespace gridcast::cli {

/// Nothing without --report. Of several replicas the one most like the others is shown.
void write_lesson_report(ReportArguments const& arguments, scenario::Lesson const& lesson,
                         study::LessonRun const& run);

}  // namespace gridcast::cli
