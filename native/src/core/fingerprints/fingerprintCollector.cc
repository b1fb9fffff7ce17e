#include "core/fingerprints/fingerprintCollector.h"

namespace stowage {

FingerprintCollector::FingerprintCollector(const FingerprintTerms& terms, size_t furtherSizes,
                                           FingerprintRuns& runs)
    : terms_(terms), runs_(runs), firstFurther_(static_cast<unsigned>(terms.shifts.size() - furtherSizes)) {
    for (const uint8_t shift : terms.shifts) {
        const bool kept = shift <= FingerprintTerms::mostShift;
        thresholds_.push_back({kept, kept ? UINT64_MAX >> shift : 0});
    }
    batch_.reserve(batchRows);
}

void FingerprintCollector::keep(unsigned level, uint64_t hash, uint64_t bytes, uint64_t count) {
    push({hash, uint64_t{level} << Fingerprint::levelBit | std::min(bytes, Fingerprint::mostBytes), file_,
          static_cast<uint32_t>(std::min<uint64_t>(count, mostCount))});
}

void FingerprintCollector::noteZeros(unsigned level, uint64_t blocks, uint64_t bytes) {
    push(ZerosRow::make(terms_.zerosLevel(level), file_, blocks, bytes));
}

void FingerprintCollector::push(const Fingerprint& row) {
    batch_.push_back(row);
    if (batch_.size() == batchRows) flush();
}

void FingerprintCollector::flush() {
    runs_.add(batch_);
    batch_.clear();
}

} // namespace stowage
