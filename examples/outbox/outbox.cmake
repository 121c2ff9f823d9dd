# The outbox as a library for each database, which its tests link, too; and the programs.
find_path(REDIAL_SQLITE_INCLUDE sqlite3.h)
find_library(REDIAL_SQLITE_LIBRARY sqlite3)
find_path(REDIAL_PQ_INCLUDE libpq-fe.h PATH_SUFFIXES postgresql)
find_library(REDIAL_PQ_LIBRARY pq)

function(redial_outbox name source include library)
  add_library(${name}_worker STATIC outbox/worker.c outbox/send.c outbox/store.c outbox/job.c
              outbox/db.c outbox/${source} common/interrupt.c common/whole_header.c)
  target_include_directories(${name}_worker SYSTEM PRIVATE ${include})
  target_link_libraries(${name}_worker PUBLIC redial CURL::libcurl ${library}
                        PRIVATE redial_warnings)
  set_target_properties(${name}_worker PROPERTIES C_STANDARD 11)
  add_executable(${name} outbox/outbox.c)
  target_link_libraries(${name} PRIVATE ${name}_worker redial_warnings)
  set_target_properties(${name} PROPERTIES C_STANDARD 11)
endfunction()

if(CURL_FOUND AND REDIAL_SQLITE_INCLUDE AND REDIAL_SQLITE_LIBRARY)
  redial_outbox(outbox db_sqlite.c ${REDIAL_SQLITE_INCLUDE} ${REDIAL_SQLITE_LIBRARY})
else()
  message(STATUS "Left out: examples/outbox (it needs libcurl 7.87 and SQLite: Debian's "
          "libcurl4-openssl-dev, libsqlite3-dev)")
endif()
if(CURL_FOUND AND REDIAL_PQ_INCLUDE AND REDIAL_PQ_LIBRARY)
  redial_outbox(outbox_postgresql db_postgresql.c ${REDIAL_PQ_INCLUDE} ${REDIAL_PQ_LIBRARY})
else()
  message(STATUS "Left out: examples/outbox for PostgreSQL (it needs libpq: Debian's libpq-dev)")
endif()
