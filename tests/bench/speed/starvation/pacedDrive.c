/*
 * Reads stdin as a drive does that growisofs feeds: pacedDrive PIPE_BYTES FROM_BYTE:BYTES_PER_SECOND…
 * It takes a block of 32 KiB, writes it at the rate of its place, and takes the next. A drive that waited for its data is not faster
 * afterwards. PIPE_BYTES sets the size of the pipe that is stdin; 0 leaves it. At the end one line: when the last block was written
 * (seconds since 1970), bytes, seconds waited after the first block, and how many waits were above 10 ms.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { blockBytes = 32 * 1024, mostPaces = 256 };

static double clockSeconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void waitUntil(double end) {
    struct timespec time = {(time_t)end, (long)((end - (double)(time_t)end) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
}

int main(int count, char **words) {
    static char block[blockBytes];
    double from[mostPaces], rate[mostPaces];
    const int paces = count - 2;
    if (paces < 1 || paces > mostPaces) return fprintf(stderr, "usage: pacedDrive PIPE_BYTES FROM:RATE…\n"), 2;
    for (int at = 0; at < paces; at++) {
        if (sscanf(words[at + 2], "%lf:%lf", &from[at], &rate[at]) != 2) return fprintf(stderr, "bad pace\n"), 2;
    }
    const int pipeBytes = atoi(words[1]);
    if (pipeBytes > 0 && fcntl(STDIN_FILENO, F_SETPIPE_SZ, pipeBytes) < 0) return perror("F_SETPIPE_SZ"), 1;

    double bytes = 0, waited = 0, due = 0;
    long stalls = 0;
    for (int pace = 0, ended = 0; !ended;) {
        const double began = clockSeconds(CLOCK_MONOTONIC);
        size_t held = 0;
        while (held < blockBytes) {
            const ssize_t got = read(STDIN_FILENO, block + held, blockBytes - held);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return perror("read"), 1;
            if (got == 0) {
                ended = 1;
                break;
            }
            held += (size_t)got;
        }
        if (held == 0) break;
        const double now = clockSeconds(CLOCK_MONOTONIC);
        if (bytes > 0) {
            waited += now - began;
            if (now - began > 0.01) stalls++;
        }
        /* The end of a sleep is late by less than this, and that is made up for. */
        if (bytes == 0 || now - due > 0.001) due = now;
        while (pace + 1 < paces && from[pace + 1] <= bytes) pace++;
        due += (double)held / rate[pace];
        bytes += (double)held;
        waitUntil(due);
    }
    printf("%.6f %.0f %.6f %ld\n", clockSeconds(CLOCK_REALTIME), bytes, waited, stalls);
    return 0;
}
