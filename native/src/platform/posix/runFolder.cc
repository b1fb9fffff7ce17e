// Run folders on Linux and macOS.
#include "platform/posix/openTimed.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace stowage::platform {

namespace {

constexpr int openFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

int descriptor(intptr_t native) {
    return static_cast<int>(native);
}

void closeDescriptor(intptr_t& native) {
    if (native != TimedFile::none) ::close(descriptor(native));
    native = TimedFile::none;
}

/** Closes with the object. */
struct Guard {
    intptr_t native = TimedFile::none;
    explicit Guard(int opened) : native(opened) {}
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    Guard(Guard&&) = delete;
    Guard& operator=(Guard&&) = delete;
    ~Guard() { closeDescriptor(native); }
};

bool endsWith(std::string_view name, std::string_view end) {
    return name.size() > end.size() && name.substr(name.size() - end.size()) == end;
}

/** A container's name without what it bears while it is made, if it bears that. */
std::string_view withoutPartial(std::string_view name) {
    constexpr std::string_view mark = ".partial-";
    constexpr size_t digits = 8;
    if (name.size() <= mark.size() + digits) return name;
    const size_t at = name.size() - mark.size() - digits;
    return name.substr(at, mark.size()) == mark ? name.substr(0, at) : name;
}

bool isOurName(std::string_view name) {
    return endsWith(withoutPartial(name), RunFolder::suffix);
}

bool isOurBundle(std::string_view name) {
    return endsWith(withoutPartial(name), RunFolder::bundleSuffix);
}

/** The names in the folder without `.` and `..`. */
int namesIn(int folder, std::vector<std::string>& names) {
    const int copy = ::openat(folder, ".", openFlags);
    if (copy < 0) return errno;
    DIR* const stream = ::fdopendir(copy);
    if (stream == nullptr) {
        const int error = errno;
        ::close(copy);
        return error;
    }
    errno = 0;
    while (const dirent* const entry = ::readdir(stream)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(name);
        errno = 0;
    }
    const int error = errno;
    ::closedir(stream);
    return error;
}

using IsOurs = bool (*)(std::string_view);

bool isBandName(std::string_view name) {
    return name.size() <= 16 && std::all_of(name.begin(), name.end(), [](char letter) {
               return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
           });
}

bool isBundleFile(std::string_view name) {
    if (endsWith(name, ".partial")) name.remove_suffix(8);
    return name == "Info.plist" || name == "Info.bckup" || name == "token";
}

bool isBandsFolder(std::string_view name) {
    return name == "bands";
}

bool isNone(std::string_view /*name*/) {
    return false;
}

/**
 * Removes the regular files and the folders that are ours; counts what is not. No link is followed.
 */
int removeInside(int folder, IsOurs isFile, IsOurs isFolder, size_t& others);

int removeFolder(int parent, const std::string& name, IsOurs isFile, IsOurs isFolder, size_t& others) {
    size_t foreign = 0;
    {
        const Guard inside(::openat(parent, name.c_str(), openFlags | O_NOFOLLOW));
        if (inside.native < 0) return errno == ENOENT ? 0 : errno;
        const int error = removeInside(descriptor(inside.native), isFile, isFolder, foreign);
        if (error != 0) return error;
    }
    others += foreign;
    if (foreign > 0) return 0;
    return ::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
}

int removeInside(int folder, IsOurs isFile, IsOurs isFolder, size_t& others) {
    std::vector<std::string> names;
    int error = namesIn(folder, names);
    for (const std::string& name : names) {
        if (error != 0) return error;
        if (name == RunFolder::marker) continue; // goes last, see `removeEmptied`
        struct stat status {};
        const bool known = ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
        if (known && S_ISREG(status.st_mode) && isFile(name)) {
            if (::unlinkat(folder, name.c_str(), 0) != 0 && errno != ENOENT) error = errno;
        } else if (known && S_ISDIR(status.st_mode) && isFolder(name)) {
            // A bundle holds its files and a folder of bands, which holds bands alone.
            const bool isBands = isFolder == isBandsFolder;
            error = removeFolder(folder, name, isBands ? isBandName : isBundleFile,
                                 isBands ? isNone : isBandsFolder, others);
        } else {
            ++others;
        }
    }
    return error;
}

/** Removes our names; says how many others there are. */
int removeOurs(int folder, size_t& others) {
    others = 0;
    return removeInside(folder, isOurName, isOurBundle, others);
}

/** The marker goes last: as long as anything is left, the folder is known as ours. */
int removeEmptied(int directory, int folder, const std::string& name) {
    if (::unlinkat(folder, RunFolder::marker, 0) != 0 && errno != ENOENT) return errno;
    return ::unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0 ? 0 : errno;
}

/** True when the marker's text is ours; a part of it too, for a kill may have cut it short. */
bool isOurMarker(int marker, const std::string& name) {
    const std::string expected = RunFolder::markerText(name);
    std::string text(expected.size() + 1, '\0');
    const ssize_t got = ::pread(marker, text.data(), text.size(), 0);
    return got >= 0 && static_cast<size_t>(got) <= expected.size() &&
           expected.compare(0, static_cast<size_t>(got), text, 0, static_cast<size_t>(got)) == 0;
}

} // namespace

void RunFolder::leave() {
    closeDescriptor(marker_);
    closeDescriptor(folder_);
    closeDescriptor(directory_);
    name_.clear();
}

int RunFolder::create(const std::string& directory, const std::string& name) {
    if (!possibleName(name)) return EINVAL;
    directory_ = ::open(directory.c_str(), openFlags);
    if (directory_ < 0) return errno;
    const int base = descriptor(directory_);
    if (::mkdirat(base, name.c_str(), S_IRWXU) != 0) return errno;
    name_ = name;
    folder_ = ::openat(base, name.c_str(), openFlags | O_NOFOLLOW);
    if (folder_ < 0) return errno;
    marker_ = ::openat(descriptor(folder_), marker, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                       S_IRUSR | S_IWUSR);
    if (marker_ < 0) return errno;
    // Some network file systems know no locks: there others cannot distinguish a living run from a
    // dead one.
    ::flock(descriptor(marker_), LOCK_EX | LOCK_NB);
    const std::string text = RunFolder::markerText(name);
    const ssize_t written = ::write(descriptor(marker_), text.data(), text.size());
    if (written < 0) return errno;
    return static_cast<size_t>(written) == text.size() ? 0 : ENOSPC;
}

int RunFolder::open(const std::string& name, Access access, CacheMode mode, TimedFile& file) const {
    return openTimed(descriptor(folder_), (name + suffix).c_str(), access, mode, file);
}

int RunFolder::removeFile(const std::string& name) const {
    return ::unlinkat(descriptor(folder_), (name + suffix).c_str(), 0) == 0 ? 0 : errno;
}

int RunFolder::freeBytes(uint64_t& bytes) const {
    struct statvfs found {};
    if (::fstatvfs(descriptor(directory_), &found) != 0) return errno;
    bytes = static_cast<uint64_t>(found.f_bavail) * found.f_frsize;
    return 0;
}

int RunFolder::remove() {
    if (name_.empty()) return 0;
    size_t others = 0;
    int error = folder_ == TimedFile::none ? 0 : removeOurs(descriptor(folder_), others);
    if (error == 0 && others > 0) error = ENOTEMPTY;
    if (error == 0 && folder_ != TimedFile::none) {
        error = removeEmptied(descriptor(directory_), descriptor(folder_), name_);
    }
    if (error == 0) name_.clear();
    closeDescriptor(marker_);
    closeDescriptor(folder_);
    return error;
}

int RunFolder::removeLeftOver(const std::string& directory, const std::string& name, LeftOver& found) {
    found = LeftOver::notOurs;
    if (!possibleName(name)) return 0;
    const Guard base(::open(directory.c_str(), openFlags));
    if (base.native < 0) {
        found = LeftOver::absent;
        return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    }
    const int at = descriptor(base.native);
    const Guard folder(::openat(at, name.c_str(), openFlags | O_NOFOLLOW));
    if (folder.native < 0) {
        if (errno == ENOENT) found = LeftOver::absent;
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : errno;
    }
    const int inside = descriptor(folder.native);
    const Guard mark(::openat(inside, marker, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (mark.native < 0) {
        // Killed before the marker was made or after it was removed: then it is empty, or it is not
        // ours.
        if (errno != ENOENT) return errno == ELOOP ? 0 : errno;
        if (::unlinkat(at, name.c_str(), AT_REMOVEDIR) == 0) found = LeftOver::removed;
        return 0;
    }
    struct stat status {};
    if (::fstat(descriptor(mark.native), &status) != 0) return errno;
    if (!S_ISREG(status.st_mode) || !isOurMarker(descriptor(mark.native), name)) return 0;
    if (::flock(descriptor(mark.native), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        found = LeftOver::inUse;
        return 0;
    }
    size_t others = 0;
    const int error = removeOurs(inside, others);
    if (error != 0) return error;
    found = others > 0 ? LeftOver::foreignFilesLeft : LeftOver::removed;
    return others > 0 ? 0 : removeEmptied(at, inside, name);
}

} // namespace stowage::platform
