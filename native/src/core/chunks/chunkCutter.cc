#include "core/chunks/chunkCutter.h"

#include "core/anchors/anchors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

namespace stowage {

namespace {

/** Small enough that what is rolled is hashed out of the nearest cache. */
constexpr size_t blockBytes = size_t{64} << 10U;
constexpr size_t zeroPiece = size_t{256} << 10U;
/**
 * A candidate depends on this many bytes before it: its window, and that of one a window before it.
 */
constexpr uint64_t dependence = 2 * gearWindow;
/** The same where the window is long: two segments, and what the first one's start depends on. */
constexpr uint64_t longDependence = 2 * ChunkCutter::segmentLimit + dependence;
/** The walk of profiles that cannot cut yet: longer than any file. */
constexpr uint64_t never = uint64_t{1} << 63U;

} // namespace

bool ChunkProfile::possible() const {
    constexpr uint64_t most = uint64_t{1} << 30U;
    return minBytes >= (longWindow ? longDependence : dependence) && minBytes <= maxBytes &&
           std::has_single_bit(maxBytes) && maxBytes <= most &&
           (runs == Runs::cutNowhere || std::has_single_bit(minBytes)) && limitBefore <= candidateLimit &&
           limitAfter <= candidateLimit && draw % 2 == 1;
}

ChunkCutter::ChunkCutter(std::span<const ChunkProfile> profiles, ChunkSink& sink, bool withAnchors)
    : sink_(sink), limit_(withAnchors ? anchorLimit : candidateLimit), hasher_(fastestBlockHasher()),
      zeroBytes_(headroom + zeroPiece) {
    for (const ChunkProfile& profile : profiles) {
        assert(profile.possible());
        Walk walk;
        walk.profile = profile;
        walk.index = walks_.size();
        walk.zeroChunk = zeroChunk(zeroChunkBytes(profile));
        wantsRuns_ = wantsRuns_ || profile.runs != ChunkProfile::Runs::cutNowhere;
        walks_.push_back(walk);
        zeroPeriod_ = std::max(zeroPeriod_, profile.maxBytes);
    }
    std::stable_sort(walks_.begin(), walks_.end(), [](const Walk& one, const Walk& other) {
        return one.profile.minBytes < other.profile.minBytes;
    });
    together_.profile.minBytes = never;
    together_.profile.maxBytes = never;
}

Hash128 ChunkCutter::zeroChunk(uint64_t bytes) const {
    SegmentSum sum;
    for (uint64_t start = 0; start < bytes; start += segmentLimit) {
        Hash128 zeros;
        hasher_(zeroBytes_.data(), std::min<uint64_t>(segmentLimit, bytes - start), 1, &zeros);
        sum.add(zeros);
    }
    return identityOf(sum, bytes);
}

void ChunkCutter::data(uint8_t* bytes, size_t length) {
    if (isZero(bytes, length)) {
        pendingZeros_ += length;
        return;
    }
    feedZeros();
    feed(bytes, length, length);
}

void ChunkCutter::finish() {
    feedZeros();
    window_ = kept_.data();
    windowAt_ = position_ - keptBytes_;
    segments_.clear();
    if (position_ > segmentStart_) addSegment(position_, 0, false);
    for (size_t i = 0; i < going_; ++i) {
        finishChunk(walks_[i]);
        if (position_ > walks_[i].chunkStart) close(walks_[i], segments_.size());
    }
    if (someWait() && position_ > 0) {
        finishChunk(together_);
        endSharing(together_, sumBefore(segments_.size()));
        sink_.wholeFile(identityOf(together_.sum, position_), static_cast<uint32_t>(position_));
    }
    resetWalks();
    gearState_ = 0;
    position_ = 0;
    segmentStart_ = 0;
    sum_ = {};
    lastDigest_ = 0;
    lastCandidate_ = {};
    runs_.clear();
    openRun_ = {};
    keptBytes_ = 0;
}

/** Adds what is left of the file to the walk's chunk. */
void ChunkCutter::finishChunk(Walk& walk) const {
    if (!segments_.empty() && walk.segmentStart == segments_.front().start) {
        share(walk, 0, 1);
    } else if (position_ > walk.segmentStart) {
        addOwn(walk, position_, digest(walk.segmentStart, position_), 0);
    }
}

void ChunkCutter::resetWalks() {
    const auto reset = [](Walk& walk) {
        walk.chunkStart = 0;
        walk.segmentStart = 0;
        walk.sum = {};
        walk.shares = false;
    };
    std::for_each_n(walks_.begin(), going_, reset);
    reset(together_);
    going_ = 0;
}

void ChunkCutter::feedZeros() {
    uint64_t left = std::exchange(pendingZeros_, 0);
    uint64_t fed = 0;
    while (left > 0) {
        // By now every profile is on its own and its chunk has begun in the run: what follows
        // repeats itself.
        if (fed >= 2 * zeroPeriod_ && left >= zeroPeriod_) {
            const uint64_t skipped = left / zeroPeriod_ * zeroPeriod_;
            skipZeros(skipped);
            left -= skipped;
            continue;
        }
        const size_t piece = std::min<uint64_t>(left, zeroPiece);
        // A window of zeros rolls on to itself and is not a candidate.
        feed(zeroBytes_.data() + headroom, piece, fed == 0 ? std::min(piece, gearWindow) : 0);
        fed += piece;
        left -= piece;
    }
}

void ChunkCutter::skipZeros(uint64_t bytes) {
    position_ += bytes;
    segmentStart_ += bytes;
    assert(!someWait());
    for (Walk& walk : walks_) {
        walk.chunkStart += bytes;
        walk.segmentStart += bytes;
        const uint64_t length = zeroChunkBytes(walk.profile);
        sink_.chunk(walk.index, walk.zeroChunk, static_cast<uint32_t>(length), bytes / length);
    }
    openRun_.end += bytes;
}

uint64_t ChunkCutter::zeroChunkBytes(const ChunkProfile& profile) {
    return profile.runs == ChunkProfile::Runs::cutNowhere ? profile.maxBytes : profile.minBytes;
}

/** The runs in the next bytes, which are at `from`; looks at every 32nd byte first. */
void ChunkCutter::findRuns(const uint8_t* bytes, size_t length, uint64_t from) {
    constexpr size_t step = gearWindow / 2;
    // Runs that ended before these bytes matter no more.
    runs_.clear();
    size_t at = 0;
    if (openRun_.end == from && from > 0) {
        while (at < length && bytes[at] == openValue_)
            ++at;
        openRun_.end += at;
        if (openRun_.end - openRun_.start >= gearWindow) runs_.push_back(openRun_);
        if (at == length) return;
    }
    // A run of 64 bytes holds two bytes in a row that are looked at here.
    for (size_t probe = at; probe < length;) {
        const size_t next = std::min(probe + step, length - 1);
        if (bytes[probe] != bytes[next]) {
            if (next == length - 1) break;
            probe = next;
            continue;
        }
        size_t runStart = probe;
        while (runStart > at && bytes[runStart - 1] == bytes[probe])
            --runStart;
        size_t end = probe + 1;
        while (end < length && bytes[end] == bytes[probe])
            ++end;
        if (end == length) break;
        if (end - runStart >= gearWindow) runs_.push_back({from + runStart, from + end, bytes[probe] == 0});
        at = end;
        probe = end;
    }
    // The last bytes' run may go on.
    size_t runStart = length - 1;
    while (runStart > at && bytes[runStart - 1] == bytes[length - 1])
        --runStart;
    openValue_ = bytes[length - 1];
    openRun_ = {from + runStart, from + length, openValue_ == 0};
    if (length - runStart >= gearWindow) runs_.push_back(openRun_);
}

/** The first place where a run cuts the profile's chunk, as far as the runs are known. */
uint64_t ChunkCutter::runCut(const Walk& walk) const {
    if (walk.profile.runs == ChunkProfile::Runs::cutNowhere) return UINT64_MAX;
    const uint64_t least = walk.chunkStart + walk.profile.minBytes;
    for (const Run& run : runs_) {
        const uint64_t place = std::max(least, run.start + gearWindow);
        if (place > run.end) continue;
        if (run.zeros || walk.profile.runs == ChunkProfile::Runs::cutInAny) return place;
    }
    return UINT64_MAX;
}

void ChunkCutter::feed(uint8_t* bytes, size_t length, size_t rolled) {
    std::memcpy(bytes - keptBytes_, kept_.data(), keptBytes_);
    window_ = bytes - keptBytes_;
    windowAt_ = position_ - keptBytes_;
    for (size_t at = 0; at < length; at += blockBytes) {
        const size_t count = std::min(blockBytes, length - at);
        candidates_.clear();
        if (at < rolled) {
            findIn(bytes + at, std::min(count, rolled - at));
        }
        if (wantsRuns_) findRuns(bytes + at, count, position_);
        position_ += count;
        divide(position_);
        advanceAll();
    }
    keepOpenSegments();
}

void ChunkCutter::advanceAll() {
    for (; someWait() && walks_[going_].profile.minBytes <= position_; ++going_) {
        Walk& walk = walks_[going_];
        walk.segmentStart = together_.segmentStart;
        walk.sum = together_.sum;
        walk.shares = together_.shares;
        walk.sharedFrom = together_.sharedFrom;
    }
    for (size_t i = 0; i < going_; ++i)
        advance(walks_[i]);
    if (someWait()) advance(together_);
}

void ChunkCutter::findIn(const uint8_t* bytes, size_t length) {
    findCandidates(bytes, length, position_, limit_, gearState_, candidates_);
    if (limit_ > candidateLimit) {
        sink_.anchors(candidates_);
        std::erase_if(candidates_,
                      [](const Candidate& candidate) { return candidate.hash >= candidateLimit; });
    }
    dropRepeated();
}

void ChunkCutter::dropRepeated() {
    const auto repeated = [this](const Candidate& candidate) {
        const Candidate before = std::exchange(lastCandidate_, candidate);
        return candidate.hash == before.hash && before.end > 0 && candidate.end - before.end <= gearWindow;
    };
    candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), repeated), candidates_.end());
}

void ChunkCutter::divide(uint64_t end) {
    segments_.clear();
    for (const Candidate& candidate : candidates_) {
        while (candidate.end - segmentStart_ > segmentLimit)
            addSegment(segmentStart_ + segmentLimit, 0, false);
        addSegment(candidate.end, candidate.hash, true);
    }
    while (end - segmentStart_ >= segmentLimit)
        addSegment(segmentStart_ + segmentLimit, 0, false);
}

void ChunkCutter::addSegment(uint64_t end, uint64_t gearHash, bool candidate) {
    const Hash128 own = digest(segmentStart_, end);
    const uint64_t longHash = gearHash + own.low + std::rotl(lastDigest_, 1);
    segments_.push_back({segmentStart_, end, gearHash, own, longHash, sum_, candidate});
    sum_.add(own);
    lastDigest_ = own.low;
    segmentStart_ = end;
}

const FileSum& ChunkCutter::sumBefore(size_t segment) const {
    return segment < segments_.size() ? segments_[segment].before : sum_;
}

void ChunkCutter::advance(Walk& walk) {
    for (size_t at = 0; at < segments_.size(); ++at) {
        const Segment& segment = segments_[at];
        if (walk.segmentStart == segment.start && segment.end - walk.chunkStart >= dependence) {
            const size_t cut = nextCut(walk, at);
            if (cut > at) {
                share(walk, at, cut);
                at = cut - 1;
                continue;
            }
        }
        advanceBefore(walk, segment.end, at);
        const bool shared = walk.segmentStart == segment.start;
        const uint64_t length = segment.end - walk.chunkStart;
        if (segment.candidate ? length >= dependence : shared) {
            if (shared) {
                share(walk, at, at + 1);
            } else {
                addOwn(walk, segment.end, digest(walk.segmentStart, segment.end), at);
            }
        }
        if (!cutsAt(walk, segment) && length < walk.profile.maxBytes && runCut(walk) != segment.end) continue;
        if (walk.segmentStart < segment.end) {
            addOwn(walk, segment.end, digest(walk.segmentStart, segment.end), at);
        }
        close(walk, at + 1);
    }
    advanceBefore(walk, position_ + 1, segments_.size());
}

/** True when the profile cuts at the candidate at the segment's end, if there is one. */
bool ChunkCutter::cutsAt(const Walk& walk, const Segment& segment) {
    const ChunkProfile& rule = walk.profile;
    const uint64_t length = segment.end - walk.chunkStart;
    const uint64_t hash = rule.longWindow ? segment.longHash : segment.gearHash;
    return segment.candidate && length >= rule.minBytes &&
           (hash * rule.draw) % candidateLimit <
               (length < rule.normalBytes ? rule.limitBefore : rule.limitAfter);
}

/** The first segment from this one on in which the profile cuts, or at whose end. */
size_t ChunkCutter::nextCut(const Walk& walk, size_t from) const {
    const uint64_t latest = std::min(walk.chunkStart + walk.profile.maxBytes, runCut(walk));
    const uint64_t earliest = std::min(latest, walk.chunkStart + walk.profile.minBytes);
    if (segments_.back().end < earliest) return segments_.size();
    while (from < segments_.size() && segments_[from].end < earliest)
        ++from;
    while (from < segments_.size() && segments_[from].end < latest && !cutsAt(walk, segments_[from]))
        ++from;
    return from;
}

/**
 * The segments and chunks that end before `bound` at places which are this profile's alone; what it
 * shares, it shares up to segment `at`.
 */
void ChunkCutter::advanceBefore(Walk& walk, uint64_t bound, size_t at) {
    for (;;) {
        const uint64_t longest = std::min(walk.chunkStart + walk.profile.maxBytes, runCut(walk));
        const uint64_t end = std::min(longest, walk.segmentStart + segmentLimit);
        if (end >= bound) return;
        addOwn(walk, end, digest(walk.segmentStart, end), at);
        if (end == longest) close(walk, at);
    }
}

/**
 * The segments `from` up to `end`, the first of which begins where the profile is, belong to its
 * chunk.
 */
void ChunkCutter::share(Walk& walk, size_t from, size_t end) const {
    if (!walk.shares) walk.sharedFrom = segments_[from].before;
    walk.shares = true;
    walk.segmentStart = segments_[end - 1].end;
}

void ChunkCutter::endSharing(Walk& walk, const FileSum& now) {
    if (walk.shares) now.appendSince(walk.sharedFrom, walk.sum);
    walk.shares = false;
}

/** A segment that is this profile's alone; those before segment `at` it may have shared. */
void ChunkCutter::addOwn(Walk& walk, uint64_t end, const Hash128& digest, size_t at) const {
    endSharing(walk, sumBefore(at));
    walk.sum.add(digest);
    walk.segmentStart = end;
}

void ChunkCutter::close(Walk& walk, size_t at) {
    endSharing(walk, sumBefore(at));
    const uint64_t length = walk.segmentStart - walk.chunkStart;
    sink_.chunk(walk.index, identityOf(walk.sum, length), static_cast<uint32_t>(length), 1);
    walk.chunkStart = walk.segmentStart;
    walk.sum = {};
}

Hash128 ChunkCutter::identityOf(const SegmentSum& sum, uint64_t bytes) {
    const Hash128 value{static_cast<uint64_t>(sum.sum), static_cast<uint64_t>(sum.sum >> 64U)};
    return hashPair(value, {bytes, 0}, chunkSeed);
}

void ChunkCutter::keepOpenSegments() {
    uint64_t oldest = segmentStart_;
    for (size_t i = 0; i < going_; ++i)
        oldest = std::min(oldest, walks_[i].segmentStart);
    if (someWait()) oldest = std::min(oldest, together_.segmentStart);
    keptBytes_ = position_ - oldest;
    assert(keptBytes_ <= kept_.size());
    std::memcpy(kept_.data(), window_ + (oldest - windowAt_), keptBytes_);
}

Hash128 ChunkCutter::digest(uint64_t start, uint64_t end) const {
    Hash128 hash;
    hasher_(window_ + (start - windowAt_), end - start, 1, &hash);
    return hash;
}

} // namespace stowage
