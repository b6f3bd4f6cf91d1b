# Writes the version header. The environment variable LGODE_COMMIT replaces git's answer, for a copy of the sources
# without an up-to-date git history.
if(DEFINED ENV{LGODE_COMMIT})
  set(commit "$ENV{LGODE_COMMIT}")
else()
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(commit "unknown")
  else()
    execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND commit "+changes")
    endif()
  endif()
endif()
set(text "#pragma once\n#define LGODE_VERSION \"${VERSION}\"\n#define LGODE_COMMIT \"${commit}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
