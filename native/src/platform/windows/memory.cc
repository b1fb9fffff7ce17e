#include "platform/fileSystem.h"
#include "platform/storage.h"
#include "platform/streams.h"
#include "platform/timedFile.h"

#include <malloc.h>
#include <psapi.h>
#include <windows.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace stowage::platform {

namespace {

/** The header of every allocation. */
struct PagesHeader {
    void* base;
    bool isFromSystem;
};

/** From the base to the allocation: a cache line. */
constexpr size_t headerBytes = 64;
static_assert(headerBytes >= sizeof(PagesHeader));

void* systemPages(size_t bytes) {
    return VirtualAlloc(nullptr, bytes, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
}

/** Keeps pages in memory; the process may have as many as its smallest working set holds. */
bool lockPages(void* pages, size_t bytes) {
    if (VirtualLock(pages, bytes)) return true;
    SIZE_T least = 0;
    SIZE_T most = 0;
    HANDLE const process = GetCurrentProcess();
    // The system keeps some pages of the set for itself.
    constexpr SIZE_T others = SIZE_T{64} << 10U;
    if (!GetProcessWorkingSetSize(process, &least, &most)) return false;
    if (!SetProcessWorkingSetSize(process, least + bytes + others, most + bytes + others)) return false;
    return VirtualLock(pages, bytes) != 0;
}

} // namespace

uint64_t peakResidentBytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    if (!K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)) return 0;
    return counters.PeakWorkingSetSize;
}

void* allocateZeroedPages(size_t bytes, PagesUse /*use*/) {
    /** The system gives addresses in steps of this. */
    constexpr size_t leastFromSystem = size_t{64} << 10U;
    const bool isFromSystem = bytes >= leastFromSystem;
    void* const base = isFromSystem ? systemPages(headerBytes + bytes) : std::calloc(1, headerBytes + bytes);
    if (base == nullptr) return nullptr;
    char* const pages = static_cast<char*>(base) + headerBytes;
    *(reinterpret_cast<PagesHeader*>(pages) - 1) = {base, isFromSystem};
    return pages;
}

void freePages(void* pages) {
    if (pages == nullptr) return;
    const PagesHeader header = *(static_cast<PagesHeader*>(pages) - 1);
    if (header.isFromSystem) {
        VirtualFree(header.base, 0, MEM_RELEASE);
    } else {
        std::free(header.base);
    }
}

void shareHeaps() {
    // All threads have one heap.
}

void trimHeaps() {
    HeapCompact(reinterpret_cast<HANDLE>(_get_heap_handle()), 0);
}

void* allocateSecretPages(size_t bytes, bool& locked) {
    void* const pages = systemPages(bytes);
    locked = pages != nullptr && lockPages(pages, bytes);
    return pages;
}

void freeSecretPages(void* pages, size_t bytes) {
    wipe(pages, bytes);
    VirtualFree(pages, 0, MEM_RELEASE);
}

void wipe(void* bytes, size_t length) {
    std::memset(bytes, 0, length);
    // The compiler must assume that this reads the memory.
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

RingMemory::~RingMemory() {
    if (data_ != nullptr) VirtualFree(data_, 0, MEM_RELEASE);
}

int RingMemory::allocate(size_t bytes) {
    data_ = static_cast<uint8_t*>(systemPages(bytes));
    bytes_ = data_ == nullptr ? 0 : bytes;
    return data_ == nullptr ? ENOMEM : 0;
}

bool RingMemory::lock() const {
    return lockPages(data_, bytes_);
}

/** Large pages need a privilege that people do not have. */
void preferHugePages(void* /*memory*/, size_t /*bytes*/) {}

} // namespace stowage::platform
