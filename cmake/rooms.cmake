# One library for each folder, with the same warnings everywhere. New files are found by themselves.
add_library(crawld_options INTERFACE)
target_compile_options(
  crawld_options
  INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
            -Woverloaded-virtual -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12 inside the standard library at -O2 and under sanitizers.
  target_compile_options(crawld_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
                                                  -Wno-array-bounds -Wno-maybe-uninitialized
                                                  -Wno-mismatched-new-delete)
endif()
target_compile_definitions(crawld_options INTERFACE CRAWLD_VERSION="${PROJECT_VERSION}")

# For every file, the tests included: what changes code generation has to be the same everywhere.
add_compile_definitions(BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION)
if(CRAWLD_SANITIZE)
  add_compile_options(-fsanitize=${CRAWLD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CRAWLD_SANITIZE})
  if(CRAWLD_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-fno-sanitize=function)  # clang 14 cannot place its marks in front of coroutines
  endif()
  if(CRAWLD_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)  # Asio uses fences, which TSan does not model
  endif()
endif()
if(CRAWLD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(CMAKE_BUILD_TYPE MATCHES "Rel")
  # Invariants stay asserted in release.
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")
  add_compile_options(-fstack-protector-strong -fcf-protection)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  if(NOT CRAWLD_SANITIZE)
    add_compile_definitions(_FORTIFY_SOURCE=2)
  endif()
  add_link_options(-Wl,-z,relro,-z,now)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

function(crawld_room name)
  # HEADERS: what nearly every file of the room includes, compiled once. Releases do without: each file includes what it needs.
  cmake_parse_arguments(ROOM "" "" "LINKS;HEADERS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*.cpp)
  list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/${name}/main.cpp)
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ROOM_LINKS} Threads::Threads PRIVATE crawld_options)
  if(ROOM_HEADERS)
    target_precompile_headers(${name} PRIVATE ${ROOM_HEADERS})
  endif()
endfunction()
