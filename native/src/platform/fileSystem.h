/**
 * The room `platform` has all that the core asks of an operating system.
 * How: one header for each subject, and one folder for each system that implements it.
 * Not here: decisions, which the core makes.
 */

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/**
 * All that the survey asks of an operating system. One folder next to this file per system; no
 * other file of the core may call it directly. Names and paths are bytes in the system's own form;
 * on Windows UTF-16 as WTF-8, so that lone surrogates are kept. A result of type `int` is 0 or an
 * errno value.
 */
namespace stowage::platform {

#ifdef _WIN32
/** A HANDLE, whose headers the core does without. */
using Descriptor = intptr_t;
#else
using Descriptor = int;
#endif

/** An open file or folder, closed with the object. */
class Handle {
  public:
    Handle() = default;
    explicit Handle(Descriptor descriptor) : descriptor_(descriptor) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
    Handle& operator=(Handle&& other) noexcept;
    ~Handle();
    [[nodiscard]] Descriptor descriptor() const { return descriptor_; }
    /** Leaves the closing to the caller. */
    Descriptor release() { return std::exchange(descriptor_, none); }
    explicit operator bool() const { return descriptor_ != none; }

  private:
    static constexpr Descriptor none = -1;
    Descriptor descriptor_ = none;
};

/** A path's last name and the folder that it is in. */
struct PathParts {
    std::string folder;
    std::string name;
};

/**
 * Splits a path; separators at its end do not count. The name of a root is `.`, the folder of a
 * mere name too.
 */
PathParts partsOf(const std::string& path);

/** The path as the standard library takes it. */
std::filesystem::path standardPath(const std::string& path);

enum class FileKind : uint8_t { file, folder, symlink, special };

/**
 * Nanoseconds since 1970 in 64 bits: exact from 1677 to 2262, modulo 2^64 for the times beyond that
 * file systems also hold, so that a file that did not change always has the same.
 */
inline int64_t wrappedNanoseconds(int64_t seconds, int64_t nanoseconds) {
    constexpr uint64_t inASecond = 1'000'000'000;
    return static_cast<int64_t>(static_cast<uint64_t>(seconds) * inASecond +
                                static_cast<uint64_t>(nanoseconds));
}

struct FileFacts {
    FileKind kind = FileKind::special;
    uint64_t bytes = 0;
    uint64_t allocatedBytes = 0;
    /** Times by `wrappedNanoseconds`. */
    int64_t mtimeNs = 0;
    int64_t ctimeNs = 0;
    uint64_t device = 0;
    uint64_t inode = 0;
    uint32_t mode = 0;
    uint32_t links = 1;
    /** The content is not on this machine: opening the file would fetch it. */
    bool onlyInCloud = false;
    /** Windows: the kind of reparse point that this is, where it is `special`. */
    uint32_t reparseTag = 0;

    /** True when nothing points to a change of content between two looks. */
    [[nodiscard]] bool sameContent(const FileFacts& other) const {
        return kind == other.kind && bytes == other.bytes && mtimeNs == other.mtimeNs &&
               ctimeNs == other.ctimeNs && device == other.device && inode == other.inode;
    }
    /** Fewer bytes allocated than the length needs: a hole, or compression below us. */
    [[nodiscard]] bool maybeSparse() const { return allocatedBytes < bytes; }
};

/**
 * Opens a folder by an absolute path of any length, following links on the way but not at its end.
 */
int openFolder(const std::string& path, Handle& folder);

/**
 * Opens a folder by the names that lead to it from `base`, following no link at all. Any number of
 * names.
 */
int openFolderBelow(const Handle& base, const std::vector<const std::string*>& names, Handle& folder);

/**
 * Opens a regular file for reading, without touching its access time where the system lets us;
 * never waits for a FIFO.
 */
int openFile(const Handle& folder, const char* name, Handle& file);

int factsAt(const Handle& folder, const char* name, FileFacts& found);
int factsOf(const Handle& file, FileFacts& found);

int linkTarget(const Handle& folder, const char* name, std::string& target);

/** The names in a folder with their inode numbers, without `.` and `..`, piecewise. */
class FolderListing {
  public:
    struct Name {
        uint64_t inode;
        uint32_t offset;
        /** A look at its facts alone would fetch it (`FileFacts::onlyInCloud`). */
        bool onlyInCloud = false;
    };
    explicit FolderListing(const Handle& folder);
    /**
     * Reads the next piece; `names` is empty at the end. Offsets lead to terminated strings in
     * `text`.
     */
    int next(std::string& text, std::vector<Name>& names);

  private:
    Descriptor descriptor_;
    std::vector<char> buffer_;
};

/**
 * Waits until the device has what was written to this file or to the names of this folder. Gives
 * errno or 0.
 */
int syncToDevice(const std::string& path);

/**
 * True when this folder is on a file system that shows the kernel's state instead of files (such as
 * /proc).
 */
bool isPseudoFileSystem(const Handle& folder);

/**
 * Reads up to `length` bytes at `offset`: fewer only at the end of the file, or once at least
 * `enough` are there.
 */
int readAt(const Handle& file, uint64_t offset, uint8_t* buffer, size_t length, size_t& got,
           size_t enough = SIZE_MAX);

/** The file will be read from one end to the other. */
void expectSequentialReading(const Handle& file);

/**
 * The first extent of data at or after `offset`; `dataStart == dataEnd == fileBytes` if there is
 * none.
 */
int nextData(const Handle& file, uint64_t offset, uint64_t fileBytes, uint64_t& dataStart, uint64_t& dataEnd);

/** How many open files the process may have. */
size_t openFileLimit();

/** The largest resident size that the process has had. */
uint64_t peakResidentBytes();

/**
 * Which of the pages will be written soon. Those of which it is known come at once: one after
 * another they cost two interruptions each, the first for a look at them.
 */
enum class PagesUse : uint8_t { some, all };

/**
 * Zeroed memory straight from the system, in huge pages where that helps; null if there is none.
 */
void* allocateZeroedPages(size_t bytes, PagesUse use = PagesUse::some);
void freePages(void* pages);

/**
 * Lets all threads allocate from few heaps, where each would have one of its own that keeps what it
 * once needed. For the whole process, once; does nothing where the system's allocator has no such
 * heaps.
 */
void shareHeaps();

/**
 * Gives memory that was freed in the heaps, between blocks still in use, back to the system: of
 * itself the allocator gives back only what lies at their ends. Does nothing where it keeps no such
 * memory.
 */
void trimHeaps();

} // namespace stowage::platform
