/* Writes every file of a UDF image as libudfread reads it: path, NUL, length in decimal, NUL, content. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udfread/udfread.h>

static unsigned char block[1 << 20];

/* Files and folders are opened by name within their folder: in a path a backslash would divide. */
static int addFile(UDFDIR *folder, const char *name, const char *path) {
    UDFFILE *file = udfread_file_openat(folder, name);
    if (!file) return fprintf(stderr, "cannot open %s\n", path), 1;
    const int64_t size = udfread_file_size(file);
    printf("%s%c%" PRId64 "%c", path, 0, size, 0);
    int64_t done = 0;
    ssize_t got;
    while ((got = udfread_file_read(file, block, sizeof block)) > 0) {
        fwrite(block, 1, (size_t)got, stdout);
        done += got;
    }
    udfread_file_close(file);
    if (done == size) return 0;
    return fprintf(stderr, "%s: read %" PRId64 " of %" PRId64 " bytes\n", path, done, size), 1;
}

static int addFolder(UDFDIR *folder, const char *path) {
    if (!folder) return fprintf(stderr, "cannot open %s\n", path), 1;
    int failed = 0;
    struct udfread_dirent entry;
    while (udfread_readdir(folder, &entry)) {
        if (!strcmp(entry.d_name, ".") || !strcmp(entry.d_name, "..")) continue;
        char *below = malloc(strlen(path) + strlen(entry.d_name) + 2);
        if (!below) return 1;
        sprintf(below, "%s/%s", path, entry.d_name);
        if (entry.d_type == UDF_DT_DIR)
            failed |= addFolder(udfread_opendir_at(folder, entry.d_name), below);
        else
            failed |= addFile(folder, entry.d_name, below);
        free(below);
    }
    udfread_closedir(folder);
    return failed;
}

int main(int count, char **arguments) {
    udfread *image = udfread_init();
    if (count != 2 || !image || udfread_open(image, arguments[1]) < 0) {
        fprintf(stderr, "usage: udfTree IMAGE\n");
        return 2;
    }
    const int failed = addFolder(udfread_opendir(image, "/"), "");
    udfread_close(image);
    return failed;
}
