#include "core/anchors/anchorIndex.h"

#include <algorithm>

namespace stowage {

namespace {

struct Hashed {
    uint64_t hash;
    uint32_t place;
};

/** How often a long task asks whether it is still wanted, in files. */
constexpr size_t filesBetween = 256;

/** Chooses stretches from a stream of bytes of which some count. */
class StretchSampler {
  public:
    explicit StretchSampler(const StretchRequest& request) : request_(request) {}

    void startFile(uint32_t number) { fileNumber_ = number; }
    /** Bytes of the file that count. */
    void count(uint64_t offset, uint64_t length) {
        while (length > 0 && !done()) {
            if (left_ == 0) {
                const uint64_t before = std::max(request_.places[next_], seen_) - seen_;
                if (length <= before) {
                    seen_ += length;
                    return;
                }
                seen_ += before;
                offset += before;
                length -= before;
                left_ = request_.pieceBytes;
                ++next_;
            }
            const uint64_t taken = std::min(length, left_);
            take(offset, taken);
            offset += taken;
            length -= taken;
            left_ -= taken;
            seen_ += taken;
        }
    }
    /** True when nothing more is wanted. */
    [[nodiscard]] bool done() const { return left_ == 0 && next_ == request_.places.size(); }
    std::vector<Stretch> chosen;

  private:
    void take(uint64_t offset, uint64_t length) {
        if (!chosen.empty() && chosen.back().fileNumber == fileNumber_ &&
            offset - (chosen.back().offset + chosen.back().length) <= request_.bridge) {
            chosen.back().length = offset + length - chosen.back().offset;
        } else {
            chosen.push_back({fileNumber_, offset, length});
        }
    }

    const StretchRequest& request_;
    /** An index into the places. */
    size_t next_ = 0;
    uint64_t seen_ = 0;
    uint64_t left_ = 0;
    uint32_t fileNumber_ = 0;
};

} // namespace

AnchorIndex::AnchorIndex(std::span<const std::unique_ptr<AnchorCollector>> threads, uint32_t fileNumbers,
                         unsigned shift)
    : shift_(shift), places_(fileNumbers, none) {
    size_t count = 0;
    for (const auto& thread : threads)
        count += thread->anchors().size();
    std::vector<Hashed> hashed;
    hashed.reserve(count);
    ends_.reserve(count);
    for (const auto& thread : threads) {
        size_t begin = ends_.size();
        const size_t first = begin;
        for (const AnchoredFile& file : thread->files()) {
            places_[file.fileNumber] = static_cast<uint32_t>(files_.size());
            files_.push_back({file.bytes, file.quietBytes, begin, first + file.anchorsEnd});
            begin = first + file.anchorsEnd;
        }
        thread->drain([this, &hashed](const Anchor& anchor) {
            hashed.push_back({anchor.hash, static_cast<uint32_t>(ends_.size())});
            ends_.push_back(anchor.end);
        });
    }
    std::sort(hashed.begin(), hashed.end(), [](const Hashed& a, const Hashed& b) { return a.hash < b.hash; });
    ids_.resize(count);
    for (size_t i = 0; i < hashed.size(); ++i) {
        if (i == 0 || hashed[i].hash != hashed[i - 1].hash) {
            for (unsigned thinner = 0; thinner < distinctAt_.size() - anchorBits - shift_; ++thinner) {
                if (!AnchorDensity::isKept(hashed[i].hash, shift_ + thinner)) break;
                ++distinctAt_[thinner];
            }
            ++distinct_;
        }
        ids_[hashed[i].place] = distinct_ - 1;
    }
}

const AnchorIndex::File* AnchorIndex::fileOf(uint32_t number) const {
    const uint32_t place = number < places_.size() ? places_[number] : none;
    return place == none ? nullptr : &files_[place];
}

Reuse AnchorIndex::reuse(const ReuseRequest& request, const std::atomic<bool>& cancelled) const {
    // Only as long as anchors are dense does a gap mean that nothing but patterns is in it.
    const bool gapsTell = shift_ + request.thinner == 0;
    ReuseMeter meter(request.dictionaries, request.groupCount, gapsTell ? quietGap : ReuseMeter::never);
    const uint32_t wanted = distinctAt_[std::min<size_t>(request.thinner, distinctAt_.size() - 1)];
    std::vector<uint64_t> last(distinct_, ReuseMeter::never);
    uint64_t base = 0;
    uint64_t archiveBase = 0;
    uint32_t archive = none;
    for (size_t i = 0; i < request.order.size(); ++i) {
        if (i % filesBetween == 0 && cancelled.load(std::memory_order_relaxed)) break;
        const File* const file = fileOf(request.order[i]);
        if (file == nullptr) continue;
        if (!request.archives.empty() && request.archives[i] != archive) {
            archive = request.archives[i];
            archiveBase = base;
        }
        meter.startFile(request.groups[i], file->bytes, gapsTell ? 0 : file->quietBytes);
        for (size_t at = file->anchorsBegin; at < file->anchorsEnd; ++at) {
            if (ids_[at] >= wanted) continue;
            const uint64_t position = base + ends_[at];
            uint64_t& before = last[ids_[at]];
            // An anchor's end is never 0: what is at the border or before it is another archive's.
            const bool isNew = before == ReuseMeter::never || before <= archiveBase;
            meter.anchor(ends_[at], isNew ? ReuseMeter::never : position - before);
            before = position;
        }
        meter.endFile();
        base += file->bytes;
    }
    return meter.result();
}

std::vector<Stretch> AnchorIndex::stretches(const StretchRequest& request,
                                            const std::atomic<bool>& cancelled) const {
    StretchSampler sampler(request);
    std::vector<bool> seen(distinct_);
    for (size_t i = 0; i < request.order.size() && !sampler.done(); ++i) {
        if (i % filesBetween == 0 && cancelled.load(std::memory_order_relaxed)) break;
        const File* const file = fileOf(request.order[i]);
        if (file == nullptr) continue;
        sampler.startFile(request.order[i]);
        uint64_t from = 0;
        bool novel = true;
        const auto upTo = [&](uint64_t end) {
            const bool quiet = shift_ == 0 && end - from > quietGap;
            if (!quiet && (novel || !request.novelOnly)) sampler.count(from, end - from);
            from = end;
        };
        for (size_t at = file->anchorsBegin; at < file->anchorsEnd; ++at) {
            novel = !seen[ids_[at]];
            seen[ids_[at]] = true;
            upTo(ends_[at]);
        }
        upTo(file->bytes);
    }
    return std::move(sampler.chosen);
}

} // namespace stowage
