/*
 * A file system that shows a folder as if it were on a slow disk with one head: slowDisk FOLDER MICROSECONDS BYTES_PER_SECOND MOUNT_OPTIONS…
 * Every open takes so many microseconds, every byte read its part of a second, and what one file takes the others wait for. Only for
 * reading; the system keeps no data of it (direct I/O), so a second read takes as long as the first.
 */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static double openSeconds;
static double secondsPerByte;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* When the disk is free again. */
static double freeAt;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Sleeps until shortly before and looks at the clock from then on: a sleep alone ends late. */
static void waitUntil(double end) {
    const double early = end - 20e-6;
    struct timespec time = {(time_t)early, (long)((early - (double)(time_t)early) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
    while (now() < end) {
    }
}

static void busyFor(double seconds) {
    pthread_mutex_lock(&lock);
    const double began = now();
    freeAt = (freeAt > began ? freeAt : began) + seconds;
    const double end = freeAt;
    pthread_mutex_unlock(&lock);
    waitUntil(end);
}

static int pathOf(char *full, const char *path) {
    return snprintf(full, PATH_MAX, "%s%s", folder, path) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static void *diskInit(struct fuse_conn_info *connection, struct fuse_config *config) {
    (void)connection;
    config->attr_timeout = config->entry_timeout = 3600;
    return NULL;
}

static int diskGetattr(const char *path, struct stat *facts, struct fuse_file_info *info) {
    (void)info;
    char full[PATH_MAX];
    if (pathOf(full, path) != 0) return -ENAMETOOLONG;
    return lstat(full, facts) == 0 ? 0 : -errno;
}

static int diskReaddir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *info,
                       enum fuse_readdir_flags flags) {
    (void)offset, (void)info, (void)flags;
    char full[PATH_MAX];
    if (pathOf(full, path) != 0) return -ENAMETOOLONG;
    DIR *directory = opendir(full);
    if (directory == NULL) return -errno;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        fill(buffer, entry->d_name, NULL, 0, 0);
    closedir(directory);
    return 0;
}

static int diskOpen(const char *path, struct fuse_file_info *info) {
    char full[PATH_MAX];
    if (pathOf(full, path) != 0) return -ENAMETOOLONG;
    if ((info->flags & O_ACCMODE) != O_RDONLY) return -EROFS;
    const int file = open(full, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    info->fh = (uint64_t)file;
    info->direct_io = 1;
    busyFor(openSeconds);
    return 0;
}

static int diskRead(const char *path, char *buffer, size_t length, off_t offset, struct fuse_file_info *info) {
    (void)path;
    const ssize_t got = pread((int)info->fh, buffer, length, offset);
    if (got < 0) return -errno;
    busyFor((double)got * secondsPerByte);
    return (int)got;
}

static int diskRelease(const char *path, struct fuse_file_info *info) {
    (void)path;
    close((int)info->fh);
    return 0;
}

int main(int count, char **words) {
    if (count < 5) return fprintf(stderr, "usage: slowDisk FOLDER MICROSECONDS BYTES_PER_SECOND MOUNT…\n"), 2;
    folder = words[1];
    openSeconds = strtod(words[2], NULL) / 1e6;
    secondsPerByte = 1 / strtod(words[3], NULL);
    static const struct fuse_operations operations = {
        .init = diskInit,
        .getattr = diskGetattr,
        .readdir = diskReaddir,
        .open = diskOpen,
        .read = diskRead,
        .release = diskRelease,
    };
    words[3] = words[0];
    return fuse_main(count - 3, words + 3, &operations, NULL);
}
