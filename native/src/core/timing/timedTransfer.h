#pragma once

#include "core/timing/testData.h"
#include "core/timing/timedSamples.h"
#include "platform/timedFile.h"

#include <atomic>

namespace stowage {

/**
 * The requests of one transfer: one after another through the file, or at random places, `depth` at
 * once.
 */
struct Transfer {
    const platform::TimedFile* file = nullptr;
    bool writing = false;
    /** Sequential: of the file. At random: of all requests together. */
    uint64_t bytes = 0;
    uint64_t requestBytes = 1;
    /**
     * The alignment of requests; reading goes beyond the end of a file whose length is no multiple.
     */
    uint64_t alignment = 1;
    unsigned depth = 1;
    /** Places in requests, one for each; empty for a sequential transfer. */
    std::vector<uint64_t> places;
    /** Prepared for the file; for writing. */
    TestData* data = nullptr;

    [[nodiscard]] size_t requests() const {
        return static_cast<size_t>((bytes + requestBytes - 1) / requestBytes);
    }
};

/**
 * Carries out one transfer, timing every request. Threads, buffers and data are ready before the
 * first request; in the loop there is no allocation, no lock and no system call but the request's
 * own and the clock.
 */
class TransferRun {
  public:
    TransferRun(const Transfer& transfer, RequestTimes& times, std::atomic<uint64_t>& bytesDone,
                const std::atomic<bool>& cancelled);

    /**
     * Call it once. 0, or the first error number; EIO if the file ended early. On cancelling, 0
     * with `complete()` false.
     */
    int run();
    [[nodiscard]] bool complete() const { return done_.load() == transfer_.requests(); }

  private:
    void lane(uint8_t* buffer);

    const Transfer& transfer_;
    unsigned lanes_;
    std::vector<AlignedMemory> buffers_;
    RequestTimes& times_;
    std::atomic<uint64_t>& bytesDone_;
    const std::atomic<bool>& cancelled_;
    std::atomic<size_t> next_{0};
    std::atomic<size_t> done_{0};
    std::atomic<int> error_{0};
};

} // namespace stowage
