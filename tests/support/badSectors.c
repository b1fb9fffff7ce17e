/*
 * Preloaded into a command under test: reads of one file that reach into given bytes fail with EIO, as those of a scratched disc
 * do. A read that begins before gives what is before, up to a whole sector.
 *
 * BAD_FILE   absolute, without links
 * BAD_BYTES  ranges that cannot be read: OFFSET+LENGTH, separated by commas
 * BAD_DIRECT if set, opening it with O_DIRECT fails with EINVAL, as on file systems without direct reading
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
enum { SECTOR = 2048 };

static int isBad(int file) {
  const char *bad = getenv("BAD_FILE");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (bad == NULL || length < 0) return 0;
  path[length] = '\0';
  return strcmp(path, bad) == 0;
}

/* How many of the bytes asked for come before the first bad one; -1 if the first is bad. */
static ssize_t readable(int file, size_t length, off_t offset) {
  if (!isBad(file)) return (ssize_t)length;
  off_t stop = offset + (off_t)length;
  for (const char *text = getenv("BAD_BYTES"); text != NULL && *text != '\0';) {
    char *rest;
    const off_t from = strtoll(text, &rest, 10);
    const off_t to = from + strtoll(rest + 1, &rest, 10);
    if (offset < to && from < stop) {
      if (from <= offset) return -1;
      stop = from / SECTOR * SECTOR;
      if (stop <= offset) return -1;
    }
    text = *rest == ',' ? rest + 1 : NULL;
  }
  return stop - offset;
}

static ssize_t failed(void) {
  errno = EIO;
  return -1;
}

ssize_t pread64(int file, void *to, size_t length, off_t offset) {
  const ssize_t good = readable(file, length, offset);
  return good < 0 ? failed() : REAL(pread64)(file, to, (size_t)good, offset);
}

ssize_t pread(int file, void *to, size_t length, off_t offset) {
  return pread64(file, to, length, offset);
}

static int refuses(const char *path, int flags) {
  const char *bad = getenv("BAD_FILE");
  return (flags & O_DIRECT) != 0 && getenv("BAD_DIRECT") != NULL && bad != NULL && strcmp(path, bad) == 0;
}

int openat(int folder, const char *path, int flags, ...) {
  if (refuses(path, flags)) {
    errno = EINVAL;
    return -1;
  }
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return REAL(openat)(folder, path, flags, mode);
}
