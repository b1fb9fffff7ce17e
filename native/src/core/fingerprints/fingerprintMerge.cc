#include "core/fingerprints/fingerprintMerge.h"

#include "core/fingerprints/fingerprintCollector.h"

#include <algorithm>
#include <tuple>

namespace stowage {

namespace {

/** Read buffers of all runs together have about this many rows (48 MiB). */
constexpr size_t bufferRows = size_t{2} << 20U;
constexpr size_t leastRows = 256;
constexpr size_t mostRows = size_t{64} << 10U;
constexpr int64_t highestBit = INT64_MIN;

uint32_t added(uint32_t count, uint32_t more) {
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{count} + more, mostCount));
}

} // namespace

void addEarlier(FingerprintRuns& runs, const FingerprintTerms& terms, unsigned level,
                const FingerprintColumns& rows) {
    const bool areZeros = level >= terms.shifts.size();
    std::vector<Fingerprint> some;
    some.reserve(rows.rows());
    for (size_t at = 0; at < rows.rows(); ++at) {
        const auto file = static_cast<uint32_t>(rows.file[at]);
        const auto bytes = static_cast<uint64_t>(rows.bytes[at]);
        if (areZeros) {
            some.push_back(ZerosRow::make(level, file, static_cast<uint64_t>(rows.hash[at]), bytes));
            continue;
        }
        some.push_back({static_cast<uint64_t>(rows.hash[at] ^ highestBit),
                        uint64_t{level} << Fingerprint::levelBit | std::min(bytes, Fingerprint::mostBytes),
                        file, static_cast<uint32_t>(rows.count[at])});
    }
    runs.add(some);
}

FingerprintMerge::FingerprintMerge(FingerprintTerms terms, std::shared_ptr<FingerprintRuns> runs)
    : terms_(std::move(terms)), runs_(std::move(runs)) {}

void FingerprintMerge::start(unsigned level) {
    level_ = level;
    cursors_.clear();
    heap_.clear();
    content_.clear();
    given_ = 0;
    ahead_.reset();
    for (const FingerprintRuns::Part& part : runs_->parts(level))
        cursors_.push_back({part, 0, {}, 0});
    for (size_t index = 0; index < cursors_.size(); ++index) {
        if (fill(cursors_[index])) heap_.push_back(index);
    }
    std::make_heap(heap_.begin(), heap_.end(),
                   [this](size_t left, size_t right) { return later(left, right); });
}

bool FingerprintMerge::fill(Cursor& cursor) const {
    const size_t each = std::clamp(bufferRows / cursors_.size(), leastRows, mostRows);
    const auto rows = static_cast<size_t>(std::min<uint64_t>(each, cursor.part.count - cursor.read));
    if (rows == 0) return false;
    cursor.rows.resize(rows);
    cursor.at = 0;
    runs_->read(cursor.part, cursor.read, cursor.rows);
    cursor.read += rows;
    return true;
}

bool FingerprintMerge::later(size_t left, size_t right) const {
    const Fingerprint& one = cursors_[left].rows[cursors_[left].at];
    const Fingerprint& other = cursors_[right].rows[cursors_[right].at];
    return std::tuple(one.hash, one.file, left) > std::tuple(other.hash, other.file, right);
}

bool FingerprintMerge::take(Fingerprint& row) {
    if (heap_.empty()) return false;
    const auto compare = [this](size_t left, size_t right) { return later(left, right); };
    std::pop_heap(heap_.begin(), heap_.end(), compare);
    Cursor& cursor = cursors_[heap_.back()];
    row = cursor.rows[cursor.at++];
    if (cursor.at < cursor.rows.size() || fill(cursor))
        std::push_heap(heap_.begin(), heap_.end(), compare);
    else
        heap_.pop_back();
    return true;
}

bool FingerprintMerge::takeContent() {
    content_.clear();
    given_ = 0;
    Fingerprint row;
    if (!ahead_ && take(row)) ahead_ = row;
    if (!ahead_) return false;
    const uint64_t hash = ahead_->hash;
    uint32_t all = 0;
    bool isOfMany = false;
    while (ahead_ && ahead_->hash == hash) {
        const Fingerprint& one = *ahead_;
        all = added(all, one.count);
        isOfMany = isOfMany || one.file == manyFiles;
        if (!content_.empty() && content_.back().file == one.file)
            content_.back().count = added(content_.back().count, one.count);
        else if (content_.size() <= mostFilesOfContent)
            content_.push_back(one);
        ahead_.reset();
        if (take(row)) ahead_ = row;
    }
    if (content_.size() <= mostFilesOfContent && !isOfMany) return true;
    content_.resize(1);
    content_.front().file = manyFiles;
    content_.front().count = all;
    return true;
}

FingerprintColumns FingerprintMerge::next(unsigned level, size_t most) {
    if (level_ != level) start(level);
    const bool areZeros = level >= terms_.shifts.size();
    FingerprintColumns columns;
    while (columns.rows() < most) {
        if (given_ == content_.size() && !takeContent()) break;
        const Fingerprint& row = content_[given_++];
        const auto bytes = static_cast<int64_t>(row.bytes());
        columns.bytes.push_back(bytes);
        columns.file.push_back(static_cast<int32_t>(row.file));
        if (areZeros) {
            columns.hash.push_back(static_cast<int64_t>(ZerosRow::blocks(row)));
            continue;
        }
        columns.hash.push_back(static_cast<int64_t>(row.hash) ^ highestBit);
        columns.count.push_back(static_cast<int32_t>(row.count));
    }
    return columns;
}

} // namespace stowage
