#pragma once

#include "platform/fileSystem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/**
 * All that timing asks of an operating system: files whose requests bypass the page cache, and the
 * folder of a run. One implementation per system. A result of type `int` is 0 or an errno value, on
 * Windows too. Names and paths are bytes as in fileSystem.h.
 */
namespace stowage::platform {

enum class CacheMode : uint8_t { uncached, buffered };
enum class Access : uint8_t { create, write, read };

/**
 * An open file of a run, closed with the object. One thread at a time, but for `readAt` and
 * `writeAt`.
 */
class TimedFile {
  public:
    static constexpr intptr_t none = -1;

    TimedFile() = default;
    explicit TimedFile(intptr_t native) : native_(native) {}
    TimedFile(const TimedFile&) = delete;
    TimedFile& operator=(const TimedFile&) = delete;
    TimedFile(TimedFile&& other) noexcept : native_(other.native_) { other.native_ = none; }
    TimedFile& operator=(TimedFile&& other) noexcept;
    ~TimedFile() { close(); }
    explicit operator bool() const { return native_ != none; }

    /** Writes all of it. */
    int writeAt(uint64_t offset, const uint8_t* data, size_t length) const;
    /**
     * Reads up to `length` bytes: fewer only at the end of the file, where an uncached request
     * reaches beyond it.
     */
    int readAt(uint64_t offset, uint8_t* data, size_t length, size_t& got) const;
    /** Claims the space and sets the length; EOPNOTSUPP where the file system cannot. */
    [[nodiscard]] int preallocate(uint64_t bytes) const;
    /**
     * Returns when the system reports that the medium has it: its own caches and, where it can ask
     * for that, the drive's.
     */
    [[nodiscard]] int flush() const;
    int close();
    /** Asks the system to forget what it holds of the file; what was not flushed may stay. */
    void dropCache() const;
    /** How the next requests come: without read-ahead where they are at random places. */
    void expect(bool atRandom) const;
    /** How much of the first `bytes` the system's cache holds; false if this system cannot tell. */
    bool residentBytes(uint64_t bytes, uint64_t& resident) const;
    [[nodiscard]] uint64_t length() const;
    [[nodiscard]] intptr_t native() const { return native_; }

  private:
    intptr_t native_ = none;
};

/** The cache mode that was obtained: direct I/O or not. */
struct CacheProbe {
    CacheMode obtained = CacheMode::buffered;
    /** A sentence: how it was obtained, or why not. */
    std::string because;
    /**
     * Offsets and lengths must be multiples of this; memory is always given at multiples of
     * 4096 bytes.
     */
    uint32_t alignment = 1;
};

/** The result of `RunFolder::removeLeftOver`. */
enum class LeftOver : uint8_t { removed, absent, notOurs, inUse, foreignFilesLeft };

/**
 * The folder of one run: made fresh, never an existing one. Names inside lead to it through the
 * open folder, so that nothing renamed or linked on the way can lead elsewhere. A marker inside
 * says whose it is and is locked while the run lives; after a kill only a folder with that marker
 * is taken for a left-over.
 */
class RunFolder {
  public:
    /** Every run folder's name begins with this. */
    static constexpr const char* prefix = "stowage-measure-";
    /** Every file made inside ends with this; other names are never removed. */
    static constexpr const char* suffix = ".timed";
    /**
     * Sparse bundles made inside end with this; of them only what bundles consist of is removed.
     */
    static constexpr const char* bundleSuffix = ".sparsebundle";
    static constexpr const char* marker = ".stowage-run";

    /** True when a run may use this name for its folder. */
    static bool possibleName(const std::string& name);
    /** The text of the marker in a folder of this name. */
    static std::string markerText(const std::string& name);

    RunFolder() = default;
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;
    RunFolder(RunFolder&&) = delete;
    RunFolder& operator=(RunFolder&&) = delete;
    ~RunFolder();

    /** EEXIST if something has this name already. */
    int create(const std::string& directory, const std::string& name);
    /** `name` is without the suffix. `create` fails if it exists; no link is followed. */
    int open(const std::string& name, Access access, CacheMode mode, TimedFile& file) const;
    [[nodiscard]] int removeFile(const std::string& name) const;
    /** The bytes that may still be written there without special rights. */
    int freeBytes(uint64_t& bytes) const;
    /** Removes all that this class makes, then the folder. 0 if there is none. */
    int remove();
    /** The run is over, but its folder stays: from now on it is a left-over. */
    void leave();

    /**
     * Removes the folder of a run that no longer lives: what bears our names, and the folder if
     * nothing else is in it.
     */
    static int removeLeftOver(const std::string& directory, const std::string& name, LeftOver& found);

  private:
    Handle directory_;
    Handle folder_;
    Handle marker_;
    std::string name_;
};

/** Opens somebody's file, for reading only; a link at its end is not followed. */
int openForeign(const std::string& path, CacheMode mode, TimedFile& file);

/**
 * Opens a file, or a disc's device, to be read from one end to the other; a link at its end is not
 * followed. `alignment` is what offsets and lengths of uncached requests must be multiples of.
 * EINVAL where the file system has no uncached reading.
 */
int openToReadSectors(const std::string& path, CacheMode mode, TimedFile& file, uint32_t& alignment);

/** The size of huge pages on systems that have them in one size. */
inline constexpr size_t hugePageBytes = size_t{2} << 20U;
/**
 * Asks for huge pages, before the memory is first touched; both arguments are multiples of
 * `hugePageBytes`. Without them nothing changes.
 */
void preferHugePages(void* memory, size_t bytes);

/** Tries one direct transfer in a file of its own there, or in `foreign` by reading. */
CacheProbe probeUncached(const RunFolder& folder);
CacheProbe probeUncached(const std::string& foreign);

/**
 * How much a device has moved, by the system's own count, in sectors of 512 bytes whatever the
 * device's own are.
 */
struct DeviceCounters {
    uint64_t sectorsRead = 0;
    uint64_t sectorsWritten = 0;
};

/** The counters of the device under a path. */
class CounterSource {
  public:
    CounterSource() = default;
    CounterSource(const CounterSource&) = delete;
    CounterSource& operator=(const CounterSource&) = delete;
    CounterSource(CounterSource&&) = delete;
    CounterSource& operator=(CounterSource&&) = delete;
    ~CounterSource();
    /** False where the system keeps none or it cannot be known which device it is. */
    bool open(const std::string& path);
    bool read(DeviceCounters& counters) const;

  private:
    intptr_t native_ = TimedFile::none;
};

} // namespace stowage::platform
