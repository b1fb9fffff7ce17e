/**
 * The room `survey` is the pass: it lists folders and reads each file once, on several threads.
 * How: a queue of folders and files; each thread gives every piece it reads to all collectors while
 * it is in the cache; the number of readers follows their rate (`readers`).
 * Not here: counting (`blocks`, `chunks`, `anchors`), storing entries (`src/engine/survey`).
 */

#pragma once

#include "core/anchors/anchorIndex.h"
#include "core/fingerprints/fingerprintMerge.h"
#include "core/survey/surveyWorker.h"

#include <exception>
#include <thread>

namespace stowage {

struct SurveyProgress {
    uint64_t foldersFound = 0;
    uint64_t filesFound = 0;
    uint64_t bytesFound = 0;
    bool walkFinished = false;
    uint64_t filesDone = 0;
    /** All that `takeEntries` has given and will give so far. */
    uint64_t entries = 0;
    uint64_t bytesDone = 0;
    /** Below its root; empty while no file is read. */
    std::string current;
};

/** How many threads read, and why. */
struct SurveyReading {
    platform::DeviceKind deviceKind = platform::DeviceKind::unknown;
    /** The caller gave the number: nothing was tried. */
    bool asked = false;
    unsigned first = 0;
    /** The number that was kept last. */
    unsigned threads = 0;
    unsigned most = 0;
    std::vector<Readers::Trial> trials;
};

/**
 * One pass over some folders and files: walks them, reads every file once but those that are known
 * to be unchanged, and knows the blocks of every size. Its own threads do the work; every method
 * but `run` may be called from any thread at any time and returns at once.
 */
class Survey {
  public:
    explicit Survey(SurveyOptions options);

    /**
     * Does all of it and returns when it is finished or cancelled. Throws std::bad_alloc. Call it
     * once.
     */
    void run();

    /**
     * Some entries not yet taken; empty if there are none at present, for good once `run` has
     * returned.
     */
    EntryColumns takeEntries();
    /**
     * With `SurveyOptions::listFirst`: some names that were listed and not yet taken, as entries of
     * a pass that only lists; empty if there are none at present. Of some files `takeEntries` gives
     * the entry later, with what was read.
     */
    EntryColumns takeListed();
    /** Lets files be read that waited for it. */
    void startReading() { state_.queue.releaseFiles(); }
    SurveyProgress progress();
    /** Those of `SurveyOptions::leaveOut` that were met so far. */
    std::vector<LeftOutFolder> leftOut() { return state_.leftOut.met(); }
    /** The rules, in a fixed order; those of files are added at the end as they are met. */
    std::vector<RuleCount> ruleCounts() { return state_.rules.counts(); }
    /** In the order of `RuleSettings::trials`, as far as the walk has come. */
    std::vector<TrialCount> trialCounts() { return state_.rules.trials().counts(); }
    std::vector<RuleFileFault> ruleFaults() { return state_.rules.faults(); }
    /** Files that rules left out and that were not yet taken. */
    ExcludedFiles takeExcludedFiles() { return state_.excluded.takeFiles(); }
    /** Folders that rules left out, as far as they have been met and counted. */
    std::vector<ExcludedFolder> excludedFolders() { return state_.excluded.folders(); }
    /**
     * The smallest block first, then the sizes asked for by themselves in their order. While the
     * pass runs the distinct blocks lag behind by what is in batches.
     */
    std::vector<BlockLevel> blockLevels();
    /** In the order of the profiles, on the same terms. */
    std::vector<ChunkLevel> chunkLevels();
    /** Meaningful once `run` has returned. */
    Samples& samples() { return state_.samples; }

    /**
     * Saves the sketch of all files whose entries could have been taken by now, and some finished
     * since. Throws SketchError, also if no sketch is kept.
     */
    void saveSketch(const std::string& path);
    /**
     * Adds rows of unchanged files before the first is taken, see `addEarlier`. Once `run` has
     * returned.
     */
    void addFingerprints(unsigned level, const FingerprintColumns& rows);
    /**
     * The next fingerprints of a level, see FingerprintMerge. Once `run` has returned, from one
     * thread at a time. Throws FingerprintError, also if none are kept.
     */
    FingerprintColumns takeFingerprints(unsigned level, size_t most);
    /**
     * Takes the anchors of all files; empty if none were wanted or they were taken before. Once
     * `run` has returned.
     */
    AnchorIndex takeAnchors();

    /**
     * Gives the tables' memory back, once `run` has returned and the sketch has been saved: the
     * figures stay, the rest is lost.
     */
    void freeTables();

    void pause() { state_.queue.pause(); }
    void resume() { state_.queue.resume(); }
    void cancel() { state_.queue.cancel(); }
    [[nodiscard]] bool cancelled() const { return state_.queue.cancelled(); }
    SurveyReading reading();
    /** The cloned bytes of the files read so far, see `Clones::bytes`. */
    [[nodiscard]] std::optional<uint64_t> clonedBytes() const { return state_.clones.bytes(); }
    [[nodiscard]] bool withSha256() const { return state_.options.sha256; }

  private:
    void hireWorkers();
    EntryColumns takeFrom(std::deque<EntryColumns>& filled, EntryColumns (SurveyWorker::*take)());

    SurveyState state_;
    /**
     * Guards the lists, which are filled when the pass begins and stay as they are from then on.
     */
    std::mutex workersLock_;
    platform::DeviceKind deviceKind_ = platform::DeviceKind::unknown;
    std::vector<std::unique_ptr<BlockCollector>> collectors_;
    std::vector<std::unique_ptr<LinearCollector>> linearCollectors_;
    std::vector<std::unique_ptr<AnchorCollector>> anchorCollectors_;
    std::vector<std::unique_ptr<ChunkCollector>> chunkCollectors_;
    std::vector<std::unique_ptr<FingerprintCollector>> fingerprintCollectors_;
    std::vector<std::unique_ptr<MarkCollector>> markCollectors_;
    std::vector<std::unique_ptr<SurveyWorker>> workers_;
    std::optional<FingerprintMerge> fingerprints_;
};

} // namespace stowage
