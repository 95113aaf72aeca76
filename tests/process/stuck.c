// Preloaded into crawld: while the file named in CRAWLD_STUCK exists, nothing becomes durable: a disk that hangs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_while_stuck(void) {
  const char* const path = getenv("CRAWLD_STUCK");
  const struct timespec moment = {0, 20 * 1000 * 1000};
  while (path != NULL && access(path, F_OK) == 0) nanosleep(&moment, NULL);
}

int fdatasync(int file) {
  wait_while_stuck();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}

int fsync(int file) {
  wait_while_stuck();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
