/**
 * The room `timing` carries out timed steps on files, and collects proof that the device answered.
 * How: each step is timed with the monotonic clock, direct where the system can; the run has a
 * folder of its own, which it removes.
 * Not here: choosing steps, and statistics (`src/domain/devices`).
 */

#pragma once

#include "core/timing/timedTransfer.h"

#include <condition_variable>
#include <string>

namespace stowage {

enum class StepKind : uint8_t {
    create,
    write,
    read,
    randomRead,
    randomWrite,
    stream,
    cachedRead,
    verify,
    remove,
    pause
};
inline constexpr const char* stepKindNames[] = {"create", "write",      "read",   "randomRead", "randomWrite",
                                                "stream", "cachedRead", "verify", "remove",     "pause"};

struct TimedStep {
    StepKind kind = StepKind::pause;
    uint32_t file = 0;
    /** `stream` reads `file` and writes this one. */
    uint32_t writeFile = 0;
    uint64_t requestBytes = 1;
    unsigned depth = 1;
    /** At random: how many requests, and the seed of their places. */
    uint64_t count = 0;
    uint64_t seed = 0;
    uint64_t milliseconds = 0;
    /** A buffered read may come from the cache: it is not emptied before. */
    bool keepCache = false;
};

struct TimedFileSpec {
    /**
     * Inside the run's folder without suffix; or the path of somebody's file, which is only read.
     */
    std::string name;
    bool foreign = false;
    uint64_t bytes = 0;
    uint64_t seed = 0;
};

enum class FlushPolicy : uint8_t { none, each, end };

struct TimedRunOptions {
    std::string directory;
    /** Empty for a run that only reads foreign files. */
    std::string runFolder;
    std::vector<TimedFileSpec> files;
    std::vector<TimedStep> steps;
    platform::CacheMode cacheMode = platform::CacheMode::uncached;
    FlushPolicy flush = FlushPolicy::each;
    bool preallocate = false;
    bool keepFolder = false;
    uint64_t minimumFreeBytes = 0;

    /** The first step that cannot be carried out, whatever the files hold; none if all can. */
    [[nodiscard]] bool possible(size_t& badStep) const;
};

struct TimedProgress {
    uint64_t stepsDone = 0;
    uint64_t stepsTotal = 0;
    uint64_t bytesDone = 0;
    uint64_t bytesTotal = 0;
    /** The file under way, by its number; -1 if there is none. */
    int64_t current = -1;
};

/** Why a run ended early. */
struct TimedFailure {
    int error = 0;
    /** The action, as a verb: "write". */
    const char* action = "";
    /** -1: the run's folder. */
    int64_t file = -1;
    bool margin = false; // the free space asked for would not have been left
    bool verification = false;
};

/** The bytes that one kind of steps asked of the device, and those of the device's own count. */
struct DeviceShare {
    uint64_t issuedBytes = 0;
    uint64_t deviceBytes = 0;
};

/** The evidence that the page cache was bypassed, or was not. */
struct CacheEvidence {
    platform::CacheProbe probe;
    bool residencyKnown = false;
    /** The cached bytes of the files read (but cached reads), right before and right after. */
    uint64_t residentBeforeBytes = 0;
    uint64_t residentAfterBytes = 0;
    uint64_t checkedBytes = 0;
    bool countersKnown = false;
    DeviceShare reading;
    DeviceShare writing; // flushes included
};

/**
 * One run of timed steps in a folder of its own, which is removed at its end. Every method but
 * `run` may be called from any thread at any time; `evidence`, `failure` and the like are
 * meaningful once `run` has returned.
 */
class TimedRun {
  public:
    explicit TimedRun(TimedRunOptions options);

    /**
     * Does all steps, or those before the first failure or the cancelling. Throws std::bad_alloc.
     * Call it once.
     */
    void run();

    TimedColumns takeSamples() { return samples_.take(); }
    [[nodiscard]] TimedProgress progress() const;
    /** Takes effect before the next step: a pause within one would be in its time. */
    void pause();
    void resume();
    /** Ends before the next request. */
    void cancel();
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }

    [[nodiscard]] const TimedRunOptions& options() const { return options_; }
    [[nodiscard]] const CacheEvidence& evidence() const { return evidence_; }
    [[nodiscard]] const TimedFailure& failure() const { return failure_; }
    [[nodiscard]] bool preallocated() const { return preallocated_; }
    [[nodiscard]] uint64_t verifiedBytes() const { return verifiedBytes_; }
    /** 0, or why the run's folder could not be removed. */
    [[nodiscard]] int removeError() const { return removeError_; }

  private:
    struct FileState {
        platform::TimedFile open;
        bool exists = false;
        uint64_t length = 0;
        uint64_t requestBytes = 0; // of the last whole write; 0: unknown
        uint64_t seed = 0;         // of its data
        unsigned depth = 1;        // with which it was written
        uint64_t writes = 0;       // how often it was written
    };

    bool prepareFolder();
    bool perform(uint32_t index);
    bool create(uint32_t step, uint32_t file);
    bool write(uint32_t index);
    bool read(uint32_t index);
    bool random(uint32_t index);
    bool stream(uint32_t index);
    bool cachedRead(uint32_t index);
    bool verify(uint32_t index);
    bool remove(uint32_t index);
    bool flushAll(uint32_t index);
    void wait(uint64_t milliseconds);
    void waitWhilePaused();

    /** The parts of a step, each timed apart. */
    bool openFor(uint32_t step, uint32_t file, platform::Access access, platform::CacheMode mode);
    bool preallocate(uint32_t step, uint32_t file);
    bool flushFile(uint32_t step, uint32_t file);
    bool closeFile(uint32_t step, uint32_t file);
    bool transfer(uint32_t step, uint32_t file, const Transfer& work, TimedPhase whole);
    void prepareData(uint32_t file, uint64_t bytes, const TimedStep& step);
    void coolFile(uint32_t file, bool keepCache);
    void checkAfterReading(uint32_t file);
    bool checkMargin(uint32_t file, uint64_t more);
    bool fail(int error, const char* action, int64_t file);

    [[nodiscard]] platform::CacheMode mode() const { return evidence_.probe.obtained; }
    /** The bytes moved of a file: its length, rounded up to the alignment of uncached requests. */
    [[nodiscard]] uint64_t movedBytes(uint64_t bytes) const;
    [[nodiscard]] uint64_t bytesOf(const TimedStep& step) const;

    TimedRunOptions options_;
    TimedSamples samples_;
    TestData data_;
    platform::RunFolder folder_;
    platform::CounterSource counters_;
    std::vector<FileState> files_;
    CacheEvidence evidence_;
    TimedFailure failure_;
    uint32_t lastWriteStep_ = 0;
    bool preallocated_ = false;
    uint64_t verifiedBytes_ = 0;
    int removeError_ = 0;

    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> stepsDone_{0};
    std::atomic<uint64_t> bytesDone_{0};
    std::atomic<uint64_t> bytesTotal_{0};
    std::atomic<int64_t> current_{-1};
    std::mutex pauseLock_;
    std::condition_variable pauseChanged_;
    bool paused_ = false;
};

/** The application's code for an error number. */
const char* timedErrorCode(int error);
/** A few plain words for it. */
std::string timedErrorCause(int error);

} // namespace stowage
