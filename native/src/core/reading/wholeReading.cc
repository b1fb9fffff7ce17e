#include "core/reading/wholeReading.h"

#include "platform/streams.h"
#include "platform/timedFile.h"

#include <algorithm>
#include <cerrno>

namespace stowage {

namespace {

constexpr uint64_t pieceBytes = uint64_t{1} << 20U;
/** Uncached requests to files are multiples of this; drives take their own sectors of 2,048 bytes. */
constexpr uint64_t unitBytes = 4096;
constexpr uint64_t sectorBytes = 2048;

using platform::CacheMode;

int openMode(const std::string& path, CacheMode mode, platform::TimedFile& file) {
    file = platform::TimedFile();
    return platform::openForeign(path, mode, file, platform::Foreign::fileOrDevice);
}

/**
 * How much of a piece that could not be read as a whole comes before the first sector that cannot be read. A
 * request of a mebibyte fails as one, whichever of its sectors is bad.
 */
uint64_t readableBytes(platform::TimedFile& file, uint64_t from, uint64_t length, uint64_t unit,
                       uint8_t* scratch) {
    uint64_t done = 0;
    while (done < length) {
        size_t got = 0;
        const int error = file.readAt(from + done, scratch, unit, got);
        done += got;
        if (error != 0 || got < unit) break;
    }
    return std::min(done, length);
}

} // namespace

void WholeReading::run() {
    error_ = read();
    digest_ = whole_.finish();
}

int WholeReading::read() {
    platform::RingMemory memory;
    if (const int error = memory.allocate(pieceBytes); error != 0) return error;
    platform::TimedFile file;
    int error = openMode(path_, CacheMode::uncached, file);
    uint64_t done = 0;
    bool isFirst = true;
    while (error == 0 || isFirst) {
        size_t got = 0;
        const uint64_t wanted = std::min(pieceBytes, length_ - done);
        if (error == 0) {
            // A device knows no bytes beyond its end; a file gives fewer there.
            const bool isFile = file.length() > 0;
            const uint64_t asked = isFile ? (wanted + unitBytes - 1) / unitBytes * unitBytes : wanted;
            error = file.readAt(done, memory.data(), asked, got);
        }
        if (error == EINVAL && uncached_ && isFirst) {
            // This file system has no uncached reads: what is in its cache is dropped instead.
            uncached_ = false;
            error = openMode(path_, CacheMode::buffered, file);
            if (error != 0) return error;
            static_cast<void>(file.flush());
            file.dropCache();
            continue;
        }
        isFirst = false;
        if (error != 0) {
            const uint64_t unit = file.length() > 0 ? unitBytes : sectorBytes;
            bytesDone_.store(done + readableBytes(file, done, wanted, unit, memory.data()));
            return error;
        }
        if (got < wanted) return ENODATA;
        hash(memory.data(), wanted);
        done += wanted;
        bytesDone_.store(done);
        if (done == length_ || cancelled()) return 0;
    }
    return error;
}

void WholeReading::hash(const uint8_t* data, size_t length) {
    whole_.data(data, length);
    const uint64_t begin = bytesDone_.load();
    const uint64_t end = begin + length;
    while (range_ < ranges_.size() && ranges_[range_].offset < end) {
        const ByteRange& range = ranges_[range_];
        const uint64_t from = std::max(range.offset, begin);
        const uint64_t to = std::min(range.offset + range.length, end);
        if (from < to) part_.data(data + (from - begin), to - from);
        if (range.offset + range.length > end) return;
        rangeDigests_.push_back(part_.finish());
        ++range_;
    }
}

} // namespace stowage
