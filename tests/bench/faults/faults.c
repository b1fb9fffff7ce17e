/*
 * Preloaded into a command under test: counts the calls that change files below given folders and, at the N-th, kills the
 * process or reports a full disk or another error. The count is shared by all threads and by the programs that the command starts.
 *
 * FAULTS_UNDER   folders, separated by colons, absolute and without links; calls elsewhere pass
 * FAULTS_EXCEPT  folders below them to leave alone, likewise
 * FAULTS_STATE   a file of at least 64 bytes of zeros, mapped and shared
 * FAULTS_LOG     a file; when counting each call is a line in it, otherwise only the one that was hit
 * FAULTS_AT      N, from 1
 * FAULTS_DO      count     nothing, only the log
 *                kill      SIGKILL to this process and to the first one, before the call
 *                killAfter the same after the call
 *                killOne   SIGKILL to this process only, before the call
 *                once      the N-th call that needs space fails with ENOSPC
 *                full      so do all later ones in the same folder of FAULTS_UNDER
 *                short     the N-th write writes half of its bytes, then the disk is full as above
 *                io        the N-th call that needs space fails with EIO
 *                denied    the N-th call that makes, renames or removes a name fails with EACCES
 * After once, full and short the system reports no room in that folder.
 * kill… count all calls, once, full and io those that need space, short those that write two bytes and more, denied those with
 * a name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { NEEDS_SPACE = 1, WRITES = 2, NAMES = 4 };
enum verdict { PASS, FAIL, HALF, KILL_AFTER };
enum what { COUNT, KILL, KILL_LATER, KILL_ONE, ONCE, FULL, SHORT, IO, DENIED };

struct shared {
  atomic_ulong count;
  atomic_ulong full; /* 1 + index of the folder whose disk is full */
  atomic_ulong reported; /* likewise, of the one that is reported as full */
  atomic_long firstProcess;
};

static struct shared *state;
static char *under[8];
static char *except[8];
static int logFile = -1;
static unsigned long at;
static enum what what = COUNT;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void split(const char *variable, char **into) {
  const char *text = getenv(variable);
  if (text == NULL) return;
  int found = 0;
  for (char *rest = strdup(text), *one; found < 7 && (one = strsep(&rest, ":")) != NULL;)
    if (*one != '\0') into[found++] = one;
}

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULTS_STATE");
  if (path == NULL) return;
  split("FAULTS_UNDER", under);
  split("FAULTS_EXCEPT", except);
  static const char *const names[] = {"count", "kill", "killAfter", "killOne", "once",
                                      "full",  "short", "io",       "denied"};
  const char *wanted = getenv("FAULTS_DO");
  for (unsigned i = 0; wanted != NULL && i < sizeof names / sizeof *names; i++)
    if (strcmp(wanted, names[i]) == 0) what = (enum what)i;
  const char *number = getenv("FAULTS_AT");
  at = number == NULL ? 0 : strtoul(number, NULL, 10);
  const char *log = getenv("FAULTS_LOG");
  /* High numbers, past what programs expect to get for their own files. */
  if (log != NULL) {
    int low = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    logFile = fcntl(low, F_DUPFD_CLOEXEC, 700);
    syscall(SYS_close, low);
  }
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (mapped == MAP_FAILED) return;
  state = mapped;
  long none = 0;
  atomic_compare_exchange_strong(&state->firstProcess, &none, (long)getpid());
}

static bool isBelow(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Which of the folders holds it, or -1. */
static int folderOf(const char *path) {
  for (int i = 0; except[i] != NULL; i++)
    if (isBelow(path, except[i])) return -1;
  for (int i = 0; under[i] != NULL; i++)
    if (isBelow(path, under[i])) return i;
  return -1;
}

static void say(const char *call, int flags, const char *path) {
  char line[PATH_MAX + 200];
  int length = snprintf(line, sizeof line, "%s\t%d\t%s\t%s\n", call, flags, program_invocation_short_name, path);
  if (length > (int)sizeof line) length = (int)sizeof line;
  if (logFile >= 0) syscall(SYS_write, logFile, line, (size_t)length);
}

static void die(bool withFirst) {
  long first = atomic_load(&state->firstProcess);
  if (withFirst && first != getpid()) syscall(SYS_kill, first, SIGKILL);
  syscall(SYS_kill, getpid(), SIGKILL);
}

static enum verdict judge(const char *call, int flags, const char *path) {
  if (state == NULL) return PASS;
  int folder = folderOf(path);
  if (folder < 0) return PASS;
  bool isFull = atomic_load(&state->full) == (unsigned long)folder + 1;
  if (isFull && (flags & NEEDS_SPACE) != 0) return FAIL;
  if ((what == ONCE || what == FULL || what == IO) && (flags & NEEDS_SPACE) == 0) return PASS;
  if (what == SHORT && (flags & WRITES) == 0) return PASS;
  if (what == DENIED && (flags & NAMES) == 0) return PASS;
  unsigned long number = atomic_fetch_add(&state->count, 1) + 1;
  if (what != COUNT && number != at) return PASS;
  say(call, flags, path);
  switch (what) {
    case COUNT:
      return PASS;
    case KILL:
      die(true);
      return PASS;
    case KILL_ONE:
      die(false);
      return PASS;
    case KILL_LATER:
      return KILL_AFTER;
    case ONCE:
      atomic_store(&state->reported, (unsigned long)folder + 1);
      return FAIL;
    case FULL:
      atomic_store(&state->full, (unsigned long)folder + 1);
      atomic_store(&state->reported, (unsigned long)folder + 1);
      return FAIL;
    case SHORT:
      atomic_store(&state->full, (unsigned long)folder + 1);
      atomic_store(&state->reported, (unsigned long)folder + 1);
      return HALF;
    case IO:
    case DENIED:
      return FAIL;
  }
  return PASS;
}

static int errorOfFault(void) {
  return what == IO ? EIO : what == DENIED ? EACCES : ENOSPC;
}

static void pathOfFile(int file, char *path) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = syscall(SYS_readlink, link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = '\0';
}

static void pathAt(int folder, const char *name, char *path) {
  path[0] = '\0';
  if (name == NULL) return;
  if (name[0] != '/') {
    if (folder == AT_FDCWD) {
      long length = syscall(SYS_readlink, "/proc/self/cwd", path, PATH_MAX - 1);
      path[length < 0 ? 0 : length] = '\0';
    } else {
      pathOfFile(folder, path);
    }
    strncat(path, "/", PATH_MAX - 1 - strlen(path));
  }
  strncat(path, name, PATH_MAX - 1 - strlen(path));
}

static enum verdict judgeFile(const char *call, int flags, int file) {
  if (state == NULL) return PASS;
  char path[PATH_MAX];
  pathOfFile(file, path);
  return judge(call, flags, path);
}

static enum verdict judgeName(const char *call, int flags, int folder, const char *name) {
  if (state == NULL) return PASS;
  char path[PATH_MAX];
  pathAt(folder, name, path);
  return judge(call, flags | NAMES, path);
}

/* Carries out a call of which nothing can be done by half. */
#define WHOLE(judgement, type, call)          \
  do {                                        \
    enum verdict outcome = (judgement);       \
    if (outcome == FAIL || outcome == HALF) { \
      errno = errorOfFault();                         \
      return (type)-1;                        \
    }                                         \
    type result = (call);                     \
    if (outcome == KILL_AFTER) die(true);     \
    return result;                            \
  } while (0)

static int flagsOfLength(size_t length) {
  return length == 0 ? 0 : length == 1 ? NEEDS_SPACE : NEEDS_SPACE | WRITES;
}

ssize_t write(int file, const void *bytes, size_t length) {
  enum verdict judged = judgeFile("write", flagsOfLength(length), file);
  if (judged == HALF) length /= 2;
  WHOLE(judged == HALF ? PASS : judged, ssize_t, REAL(write)(file, bytes, length));
}

static ssize_t pwriteJudged(const char *call, int file, const void *bytes, size_t length, off64_t offset) {
  enum verdict judged = judgeFile(call, flagsOfLength(length), file);
  if (judged == HALF) length /= 2;
  WHOLE(judged == HALF ? PASS : judged, ssize_t, REAL(pwrite64)(file, bytes, length, offset));
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  return pwriteJudged("pwrite", file, bytes, length, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  return pwriteJudged("pwrite", file, bytes, length, offset);
}

/* Half of the bytes of several pieces, as one call of a piece or of its first half. */
static ssize_t vectorJudged(const char *call, int file, const struct iovec *pieces, int count, off64_t offset) {
  size_t length = 0;
  for (int i = 0; i < count; i++) length += pieces[i].iov_len;
  enum verdict judged = judgeFile(call, flagsOfLength(length), file);
  struct iovec some[IOV_MAX];
  if (judged == HALF) {
    size_t left = length / 2;
    int used = 0;
    for (; used < count && used < IOV_MAX && left > 0; used++) {
      some[used] = pieces[used];
      if (some[used].iov_len > left) some[used].iov_len = left;
      left -= some[used].iov_len;
    }
    pieces = some;
    count = used;
    judged = PASS;
  }
  WHOLE(judged, ssize_t,
        offset < 0 ? REAL(writev)(file, pieces, count) : REAL(pwritev64)(file, pieces, count, offset));
}
ssize_t writev(int file, const struct iovec *pieces, int count) {
  return vectorJudged("writev", file, pieces, count, -1);
}
ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t offset) {
  return vectorJudged("pwritev", file, pieces, count, offset);
}
ssize_t pwritev64(int file, const struct iovec *pieces, int count, off64_t offset) {
  return vectorJudged("pwritev", file, pieces, count, offset);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
  enum verdict judged = judgeFile("sendfile", flagsOfLength(length), to);
  if (judged == HALF) length /= 2;
  WHOLE(judged == HALF ? PASS : judged, ssize_t, REAL(sendfile)(to, from, offset, length));
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
  return sendfile(to, from, (off_t *)offset, length);
}
ssize_t copy_file_range(int from, off64_t *fromOffset, int to, off64_t *toOffset, size_t length, unsigned flags) {
  enum verdict judged = judgeFile("copy_file_range", flagsOfLength(length), to);
  if (judged == HALF) length /= 2;
  WHOLE(judged == HALF ? PASS : judged, ssize_t,
        REAL(copy_file_range)(from, fromOffset, to, toOffset, length, flags));
}

/* libuv makes some calls by their number. */
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  static __typeof__(&syscall) real;
  if (real == NULL) real = REAL(syscall);
  enum verdict judged = PASS;
  if (state != NULL && number == SYS_copy_file_range) {
    judged = judgeFile("copy_file_range", flagsOfLength((size_t)e), (int)c);
    if (judged == HALF) {
      e /= 2;
      judged = PASS;
    }
  } else if (state != NULL && number == SYS_renameat2) {
    judged = judgeName("renameat2", NEEDS_SPACE, (int)c, (const char *)d);
  }
  WHOLE(judged, long, real(number, a, b, c, d, e, f));
}

static int flagsOfOpen(int folder, const char *name, int flags) {
  struct stat64 facts;
  bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return creates && fstatat64(folder, name, &facts, 0) != 0 ? NEEDS_SPACE : 0;
}

static int openJudged(int folder, const char *name, int flags, mode_t mode) {
  enum verdict judged = PASS;
  /* An open that neither makes nor empties a file changes nothing. */
  if ((flags & (O_CREAT | O_TRUNC)) != 0)
    judged = judgeName("open", flagsOfOpen(folder, name, flags), folder, name);
  WHOLE(judged, int, (int)syscall(SYS_openat, folder, name, flags, mode));
}

static mode_t modeOf(int flags, va_list list) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define OPEN(name, parameters, folder)             \
  int name parameters {                            \
    va_list list;                                  \
    va_start(list, flags);                         \
    mode_t mode = modeOf(flags, list);             \
    va_end(list);                                  \
    return openJudged(folder, path, flags, mode);  \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder, const char *path, int flags, ...), folder)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder)
int creat(const char *path, mode_t mode) {
  return openJudged(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

static FILE *streamJudged(const char *path, const char *mode) {
  enum verdict judged = PASS;
  if (mode[0] != 'r') judged = judgeName("fopen", flagsOfOpen(AT_FDCWD, path, O_CREAT), AT_FDCWD, path);
  if (judged == FAIL) {
    errno = errorOfFault();
    return NULL;
  }
  FILE *stream = REAL(fopen64)(path, mode);
  if (judged == KILL_AFTER) die(true);
  return stream;
}
FILE *fopen(const char *path, const char *mode) { return streamJudged(path, mode); }
FILE *fopen64(const char *path, const char *mode) { return streamJudged(path, mode); }

static int truncateJudged(int file, off64_t length) {
  struct stat64 facts;
  bool grows = fstat64(file, &facts) == 0 && length > facts.st_size;
  WHOLE(judgeFile("ftruncate", grows ? NEEDS_SPACE : 0, file), int, REAL(ftruncate64)(file, length));
}
int ftruncate(int file, off_t length) { return truncateJudged(file, length); }
int ftruncate64(int file, off64_t length) { return truncateJudged(file, length); }
int truncate64(const char *path, off64_t length) {
  WHOLE(judgeName("truncate", NEEDS_SPACE, AT_FDCWD, path), int, REAL(truncate64)(path, length));
}
int truncate(const char *path, off_t length) { return truncate64(path, length); }

int fallocate64(int file, int mode, off64_t offset, off64_t length) {
  /* A hole that is punched gives space back. */
  WHOLE(judgeFile("fallocate", (mode & 2) != 0 ? 0 : NEEDS_SPACE, file), int,
        REAL(fallocate64)(file, mode, offset, length));
}
int fallocate(int file, int mode, off_t offset, off_t length) { return fallocate64(file, mode, offset, length); }

int fsync(int file) { WHOLE(judgeFile("fsync", NEEDS_SPACE, file), int, REAL(fsync)(file)); }
int fdatasync(int file) { WHOLE(judgeFile("fdatasync", NEEDS_SPACE, file), int, REAL(fdatasync)(file)); }

int renameat(int fromFolder, const char *from, int toFolder, const char *to) {
  WHOLE(judgeName("rename", NEEDS_SPACE, toFolder, to), int, REAL(renameat)(fromFolder, from, toFolder, to));
}
int rename(const char *from, const char *to) {
  WHOLE(judgeName("rename", NEEDS_SPACE, AT_FDCWD, to), int, REAL(rename)(from, to));
}
int renameat2(int fromFolder, const char *from, int toFolder, const char *to, unsigned flags) {
  WHOLE(judgeName("rename", NEEDS_SPACE, toFolder, to), int,
        REAL(renameat2)(fromFolder, from, toFolder, to, flags));
}
int link(const char *from, const char *to) {
  WHOLE(judgeName("link", NEEDS_SPACE, AT_FDCWD, to), int, REAL(link)(from, to));
}
int linkat(int fromFolder, const char *from, int toFolder, const char *to, int flags) {
  WHOLE(judgeName("link", NEEDS_SPACE, toFolder, to), int,
        REAL(linkat)(fromFolder, from, toFolder, to, flags));
}
int symlink(const char *target, const char *path) {
  WHOLE(judgeName("symlink", NEEDS_SPACE, AT_FDCWD, path), int, REAL(symlink)(target, path));
}
int symlinkat(const char *target, int folder, const char *path) {
  WHOLE(judgeName("symlink", NEEDS_SPACE, folder, path), int, REAL(symlinkat)(target, folder, path));
}
int mkdir(const char *path, mode_t mode) {
  WHOLE(judgeName("mkdir", NEEDS_SPACE, AT_FDCWD, path), int, REAL(mkdir)(path, mode));
}
int mkdirat(int folder, const char *path, mode_t mode) {
  WHOLE(judgeName("mkdir", NEEDS_SPACE, folder, path), int, REAL(mkdirat)(folder, path, mode));
}
char *mkdtemp(char *template) {
  enum verdict judged = judgeName("mkdtemp", NEEDS_SPACE, AT_FDCWD, template);
  if (judged == FAIL) {
    errno = errorOfFault();
    return NULL;
  }
  char *made = REAL(mkdtemp)(template);
  if (judged == KILL_AFTER) die(true);
  return made;
}
int unlink(const char *path) { WHOLE(judgeName("unlink", 0, AT_FDCWD, path), int, REAL(unlink)(path)); }
int unlinkat(int folder, const char *path, int flags) {
  WHOLE(judgeName("unlink", 0, folder, path), int, REAL(unlinkat)(folder, path, flags));
}
int remove(const char *path) { WHOLE(judgeName("remove", 0, AT_FDCWD, path), int, REAL(remove)(path)); }
int rmdir(const char *path) { WHOLE(judgeName("rmdir", 0, AT_FDCWD, path), int, REAL(rmdir)(path)); }

/* Whether a full disk was reported for the folder that a path is in. */
static bool isReported(const char *name) {
  if (state == NULL) return false;
  unsigned long reported = atomic_load(&state->reported);
  char path[PATH_MAX];
  pathAt(AT_FDCWD, name, path);
  return reported != 0 && folderOf(path) == (int)reported - 1;
}
int statfs(const char *path, struct statfs *facts) {
  int result = REAL(statfs)(path, facts);
  if (result == 0 && isReported(path)) facts->f_bfree = facts->f_bavail = 0;
  return result;
}
int statfs64(const char *path, struct statfs64 *facts) {
  int result = REAL(statfs64)(path, facts);
  if (result == 0 && isReported(path)) facts->f_bfree = facts->f_bavail = 0;
  return result;
}
