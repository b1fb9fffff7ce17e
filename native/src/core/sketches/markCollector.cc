#include "core/sketches/markCollector.h"

#include <algorithm>

namespace stowage {

namespace {

uint32_t counted(uint64_t count) {
    return static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX));
}

} // namespace

MarkCollector::MarkCollector(MarkLevels& levels, FingerprintCollector* prints)
    : levels_(levels), prints_(prints), batches_(levels.terms().levels()) {
    ofFile_.reserve(mostOfFile);
    for (std::vector<Mark>& batch : batches_)
        batch.reserve(batchMarks);
}

void MarkCollector::keep(unsigned level, const Hash128& hash, uint64_t bytes, uint64_t count) {
    if (ofFile_.size() == mostOfFile) {
        const std::scoped_lock guard(lock_);
        handOver();
    }
    ofFile_.push_back({level, {hash, bytes, record_.file, counted(count)}});
}

void MarkCollector::finishFile(uint64_t bytes, const Hash128& digest, bool whole) {
    record_.bytes = bytes;
    record_.whole = whole;
    if (bytes <= levels_.terms().singleChunkBytes()) record_.chunks.clear();
    if (whole && bytes > 0) mark(levels_.terms().fileLevel(), digest, bytes, 1);
    {
        const std::scoped_lock guard(lock_);
        handOver();
        appendRecord(records_, record_);
    }
    record_.chunks.clear();
    record_.zeros.clear();
}

void MarkCollector::handOver() {
    for (const Pending& pending : ofFile_) {
        std::vector<Mark>& batch = batches_[pending.level];
        batch.push_back(pending.mark);
        if (batch.size() == batchMarks) flushLevel(pending.level);
    }
    ofFile_.clear();
}

void MarkCollector::flushLevel(unsigned level) {
    levels_.table(level).insert(batches_[level]);
    batches_[level].clear();
}

void MarkCollector::flushStopped(std::string& records) {
    for (unsigned level = 0; level < batches_.size(); ++level) {
        if (!batches_[level].empty()) flushLevel(level);
    }
    records += records_;
}

} // namespace stowage
