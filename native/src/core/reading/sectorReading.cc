#include "core/reading/sectorReading.h"

#include <algorithm>
#include <cerrno>

namespace stowage {

namespace {

/** One request; a multiple of every alignment that is taken. */
constexpr size_t windowBytes = size_t{1} << 20U;

/**
 * True when reading behind this place can still succeed: the error is of one sector, not of the
 * device.
 */
bool isOfOnePlace(int error) {
#ifdef EREMOTEIO // Linux alone has it
    if (error == EREMOTEIO) return true;
#endif
    return error == EIO || error == EILSEQ || error == ENODATA || error == EBADMSG;
}

/** True when direct reading was refused: two names of one number on Linux, of two elsewhere. */
bool isRefusal(int error) {
#if ENOTSUP != EOPNOTSUPP
    if (error == ENOTSUP) return true;
#endif
    return error == EINVAL || error == EOPNOTSUPP;
}

uint64_t roundedDown(uint64_t value, uint64_t unit) {
    return value / unit * unit;
}

} // namespace

SectorReading::SectorReading(std::vector<FileRange> ranges, ReadAs as)
    : ranges_(std::move(ranges)), as_(as), digests_(ranges_.size()), buffer_(windowBytes) {}

void SectorReading::run() {
    Sha256 sha;
    for (uint32_t index = 0; index < ranges_.size(); ++index) {
        if (cancelled() || hasEnded()) return;
        const FileRange& range = ranges_[index];
        const size_t before = unreadable_.size();
        int error = range.path == path_ ? 0 : open(index);
        if (error == 0) error = readRange(index, sha);
        const Sha256Digest digest = sha.finish();
        if (cancelled()) return;
        if (error != 0) {
            errors_.emplace_back(index, error);
            path_.clear();
        } else if (unreadable_.size() == before) {
            digests_[index] = digest;
        }
    }
    wholeDigest_ = whole_.finish();
}

bool SectorReading::hasEnded() const {
    return as_ == ReadAs::whole && !(unreadable_.empty() && errors_.empty());
}

int SectorReading::open(uint32_t index) {
    const std::string& path = ranges_[index].path;
    path_.clear();
    lastEnd_ = 0;
    for (; index < ranges_.size() && ranges_[index].path == path; ++index)
        lastEnd_ = std::max(lastEnd_, ranges_[index].offset + ranges_[index].length);
    windowStart_ = windowEnd_ = 0;
    isAtEnd_ = false;
    gaps_.clear();
    const int error = platform::openToReadSectors(path, platform::CacheMode::uncached, file_, alignment_);
    if (error == 0 && alignment_ <= windowBytes) {
        way_ = Way::uncached;
        path_ = path;
        return 0;
    }
    if (error != 0 && !isRefusal(error)) return error;
    ways_.refusal = error == 0 ? EINVAL : error;
    return openBuffered(path);
}

int SectorReading::openBuffered(const std::string& path) {
    path_.clear();
    const int error = platform::openToReadSectors(path, platform::CacheMode::buffered, file_, alignment_);
    if (error != 0) return error;
    path_ = path;
    file_.dropCache();
    file_.expect(false);
    uint64_t resident = 0;
    const bool isEmptied =
        file_.residentBytes(file_.length(), resident) && resident == 0 && file_.length() > 0;
    way_ = isEmptied ? Way::dropped : Way::cached;
    return 0;
}

int SectorReading::readRange(uint32_t index, Sha256& sha) {
    const FileRange& range = ranges_[index];
    const uint64_t end = range.offset + range.length;
    for (uint64_t at = range.offset; at < end;) {
        if (cancelled()) return 0;
        if (at < windowStart_ || at >= windowEnd_) {
            // A window that ended with the file has nothing behind it.
            if (isAtEnd_ && at >= windowEnd_) {
                note(index, at, end, 0);
                bytesDone_.fetch_add(end - at, std::memory_order_relaxed);
                return 0;
            }
            const int error = fill(at);
            if (error != 0) return error;
            if (at >= windowEnd_) {
                note(index, at, end, 0);
                bytesDone_.fetch_add(end - at, std::memory_order_relaxed);
                return 0;
            }
        }
        const uint64_t stop = std::min(end, windowEnd_);
        for (const Gap& gap : gaps_) {
            if (gap.start < stop && gap.end > at)
                note(index, std::max(gap.start, at), std::min(gap.end, stop), gap.error);
        }
        const auto length = static_cast<size_t>(stop - at);
        const uint8_t* const bytes = buffer_.data() + (at - windowStart_);
        if (hasEnded()) return 0;
        sha.data(bytes, length);
        if (as_ == ReadAs::whole) whole_.data(bytes, length);
        count(length);
        at = stop;
    }
    return 0;
}

/**
 * Reads the window that begins at or before `from`: large requests, and sector by sector where one
 * fails.
 */
int SectorReading::fill(uint64_t from) {
    const uint64_t unit = std::max<uint64_t>(alignment_, sectorBytes);
    gaps_.clear();
    isAtEnd_ = false;
    windowStart_ = windowEnd_ = roundedDown(from, unit);
    const uint64_t stop = std::min(windowStart_ + windowBytes, roundedDown(lastEnd_ + unit - 1, unit));
    bool isCareful = false;
    while (windowEnd_ < stop && !cancelled()) {
        const auto wanted = static_cast<size_t>(isCareful ? unit : stop - windowEnd_);
        size_t got = 0;
        const int error = request(windowEnd_, wanted, got);
        if (error == 0) {
            windowEnd_ += got;
            isAtEnd_ = got < wanted;
            if (isAtEnd_) return 0;
            isCareful = false;
            continue;
        }
        if (!isOfOnePlace(error)) return error;
        // The bytes before the bad sector count; the rest of it may not be read.
        const uint64_t whole = roundedDown(got, unit);
        windowEnd_ += whole;
        if (!isCareful) {
            isCareful = true;
            continue;
        }
        gaps_.push_back({windowEnd_, windowEnd_ + unit, error});
        std::fill_n(buffer_.data() + (windowEnd_ - windowStart_), unit, uint8_t{0});
        windowEnd_ += unit;
        if (as_ == ReadAs::whole) return 0;
    }
    return 0;
}

int SectorReading::request(uint64_t offset, size_t length, size_t& got) {
    uint8_t* const to = buffer_.data() + (offset - windowStart_);
    const int error = file_.readAt(offset, to, length, got);
    if (error != EINVAL || way_ != Way::uncached) return error;
    // Some systems refuse only the request. What is in the window stays right.
    ways_.refusal = error;
    const std::string path = path_;
    const int reopened = openBuffered(path);
    return reopened != 0 ? reopened : file_.readAt(offset, to, length, got);
}

void SectorReading::note(uint32_t index, uint64_t start, uint64_t end, int error) {
    if (!unreadable_.empty()) {
        Unreadable& last = unreadable_.back();
        if (last.range == index && last.offset + last.length == start && last.error == error) {
            last.length += end - start;
            return;
        }
    }
    unreadable_.push_back({index, start, end - start, error});
}

void SectorReading::count(uint64_t bytes) {
    bytesDone_.fetch_add(bytes, std::memory_order_relaxed);
    if (way_ == Way::uncached)
        ways_.uncachedBytes += bytes;
    else if (way_ == Way::dropped)
        ways_.droppedBytes += bytes;
    else
        ways_.cachedBytes += bytes;
}

} // namespace stowage
