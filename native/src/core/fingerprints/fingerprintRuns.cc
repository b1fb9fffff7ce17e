#include "core/fingerprints/fingerprintRuns.h"

#include "platform/errorCause.h"
#include "platform/storage.h"

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

bool comesBefore(const Fingerprint& left, const Fingerprint& right) {
    return std::tuple(left.level(), left.hash, left.file) < std::tuple(right.level(), right.hash, right.file);
}

/** Rows of one content and file become one. */
void unite(std::vector<Fingerprint>& sorted) {
    size_t kept = 0;
    for (const Fingerprint& row : sorted) {
        if (kept > 0) {
            Fingerprint& last = sorted[kept - 1];
            if (last.level() == row.level() && last.hash == row.hash && last.file == row.file) {
                last.count = static_cast<uint32_t>(
                    std::min<uint64_t>(uint64_t{last.count} + row.count, uint64_t{mostCount}));
                continue;
            }
        }
        sorted[kept++] = row;
    }
    sorted.resize(kept);
}

} // namespace

FingerprintRuns::FingerprintRuns(const FingerprintTerms& terms)
    : scratch_(terms.scratch), mostRows_(std::max<size_t>(1, terms.bufferBytes / 2 / sizeof(Fingerprint))) {}

void FingerprintRuns::add(std::span<const Fingerprint> some) {
    std::unique_lock guard(lock_);
    while (!some.empty()) {
        if (!failure_.empty()) return;
        if (filling_.capacity() == 0) filling_.reserve(mostRows_);
        const size_t fits = std::min(some.size(), mostRows_ - filling_.size());
        filling_.insert(filling_.end(), some.begin(), some.begin() + static_cast<ptrdiff_t>(fits));
        some = some.subspan(fits);
        if (filling_.size() < mostRows_) return;
        if (writing_) {
            // Both halves are full.
            written_.wait(guard, [this] { return !writing_; });
            continue;
        }
        writing_ = true;
        std::vector<Fingerprint> full = std::exchange(filling_, std::move(spare_));
        spare_ = {};
        guard.unlock();
        std::string failure;
        try {
            sortAndWrite(full);
        } catch (const FingerprintError& error) {
            failure = error.what();
        }
        full.clear();
        guard.lock();
        spare_ = std::move(full);
        if (failure_.empty()) failure_ = failure;
        writing_ = false;
        written_.notify_all();
    }
}

/** By one thread at a time: the one that set `writing_`. */
void FingerprintRuns::sortAndWrite(std::vector<Fingerprint>& full) {
    std::sort(full.begin(), full.end(), comesBefore);
    unite(full);
    write(full);
    note(full, false, fileRows_);
    fileRows_ += full.size();
}

void FingerprintRuns::write(const std::vector<Fingerprint>& sorted) {
    if (!file_) {
        const int error = platform::createScratchFile(scratch_, file_);
        if (error != 0) throw FingerprintError(platform::errorCause(error));
    }
    const int error = platform::writeAt(file_, fileRows_ * sizeof(Fingerprint),
                                        reinterpret_cast<const uint8_t*>(sorted.data()),
                                        sorted.size() * sizeof(Fingerprint));
    if (error != 0) throw FingerprintError(platform::errorCause(error));
}

void FingerprintRuns::note(const std::vector<Fingerprint>& sorted, bool inMemory, uint64_t first) {
    for (size_t at = 0; at < sorted.size();) {
        const unsigned level = sorted[at].level();
        const auto end =
            std::partition_point(sorted.begin() + static_cast<ptrdiff_t>(at), sorted.end(),
                                 [level](const Fingerprint& row) { return row.level() <= level; });
        const auto next = static_cast<size_t>(end - sorted.begin());
        parts_.push_back({level, {inMemory, first + at, next - at}});
        at = next;
    }
}

void FingerprintRuns::finish() {
    if (finished_) return;
    finished_ = true;
    spare_ = {};
    std::sort(filling_.begin(), filling_.end(), comesBefore);
    unite(filling_);
    note(filling_, true, 0);
}

std::vector<FingerprintRuns::Part> FingerprintRuns::parts(unsigned level) {
    const std::scoped_lock guard(lock_);
    if (!failure_.empty()) throw FingerprintError(failure_);
    finish();
    std::vector<Part> found;
    for (const LevelPart& one : parts_) {
        if (one.level == level) found.push_back(one.part);
    }
    return found;
}

void FingerprintRuns::read(const Part& part, uint64_t from, std::span<Fingerprint> to) const {
    if (part.inMemory) {
        std::copy_n(filling_.begin() + static_cast<ptrdiff_t>(part.first + from), to.size(), to.begin());
        return;
    }
    size_t got = 0;
    const int error = platform::readAt(file_, (part.first + from) * sizeof(Fingerprint),
                                       reinterpret_cast<uint8_t*>(to.data()), to.size_bytes(), got);
    if (error != 0 || got != to.size_bytes())
        throw FingerprintError(platform::errorCause(error == 0 ? EIO : error));
}

} // namespace stowage
