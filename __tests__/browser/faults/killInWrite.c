// Preloaded into Chromium: kills it inside a write to a log of IndexedDB, so that the log ends with a torn entry.
//
// The file that KILL_IN_WRITE names arms it: it has the number of entries to let pass. LevelDB writes an entry as a header
// of 7 bytes and its payload; the kill comes before or within the payload.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { HEADER = 7 };

static atomic_long passed;

static int is_log(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 4) return 0;
  path[length] = 0;
  return strstr(path, ".indexeddb.leveldb/") != NULL && strcmp(path + length - 4, ".log") == 0;
}

static int is_last(int file, size_t size) {
  const char *arming = getenv("KILL_IN_WRITE");
  if (arming == NULL || size <= HEADER || !is_log(file)) return 0;
  FILE *armed = fopen(arming, "r");
  if (armed == NULL) return 0;
  long passes = 0;
  int is_armed = fscanf(armed, "%ld", &passes) == 1;
  fclose(armed);
  return is_armed && atomic_fetch_add(&passed, 1) >= passes;
}

/** Kills the whole process group: the browser is started as the leader of one. */
static void die(void) {
  kill(0, SIGKILL);
  for (;;) pause();
}

ssize_t write(int file, const void *bytes, size_t size) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (is_last(file, size)) {
    if (size > 3 * HEADER) real(file, bytes, size / 2);
    die();
  }
  return real(file, bytes, size);
}

#define POSITIONED(name)                                                              \
  ssize_t name(int file, const void *bytes, size_t size, off_t at) {                  \
    static ssize_t (*real)(int, const void *, size_t, off_t);                         \
    if (real == NULL) real = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, #name); \
    if (is_last(file, size)) {                                                        \
      if (size > 3 * HEADER) real(file, bytes, size / 2, at);                         \
      die();                                                                          \
    }                                                                                 \
    return real(file, bytes, size, at);                                               \
  }
POSITIONED(pwrite)
POSITIONED(pwrite64)
