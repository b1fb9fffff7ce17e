#include "platform/streams.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace stowage::platform {

namespace {

/** 0 when the stream can be used at once, EAGAIN when not within `streamWaitMs`. */
int awaitStream(int descriptor, int16_t events) {
    pollfd wait{descriptor, events, 0};
    const int ready = ::poll(&wait, 1, streamWaitMs);
    if (ready > 0) return 0; // an error of the stream too: the call itself names it
    return ready == 0 || errno == EINTR ? EAGAIN : errno;
}

bool isLater(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/**
 * Makes the call, after a wait where it would wait itself or had nothing to move; its errno or 0.
 */
template <typename Call> int moved(int descriptor, int16_t events, bool returnsAtOnce, Call call) {
    int error = returnsAtOnce ? call() : EAGAIN;
    if (isLater(error))
        error = awaitStream(descriptor, events);
    else
        return error;
    if (error == 0) error = call();
    return isLater(error) ? 0 : error;
}

} // namespace

StreamInUse::StreamInUse(int descriptor) : descriptor_(descriptor) {
    struct stat facts {};
    if (::fstat(descriptor, &facts) != 0 || !S_ISFIFO(facts.st_mode)) return;
#ifdef F_SETPIPE_SZ
    // The size that /proc/sys/fs/pipe-max-size allows everybody unless somebody changed it.
    constexpr int most = 1 << 20;
    ::fcntl(descriptor, F_SETPIPE_SZ, most);
#endif
    const int flags = ::fcntl(descriptor, F_GETFL);
    returnsAtOnce_ = flags >= 0 && (flags & O_NONBLOCK) != 0;
    if (flags < 0 || returnsAtOnce_ || ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) return;
    flagsBefore_ = flags;
    returnsAtOnce_ = true;
}

StreamInUse::~StreamInUse() {
    if (flagsBefore_ >= 0) ::fcntl(descriptor_, F_SETFL, flagsBefore_);
}

int StreamInUse::read(uint8_t* data, size_t length, size_t& got, bool& ended) const {
    got = 0;
    ended = false;
    return moved(descriptor_, POLLIN, returnsAtOnce_, [&] {
        const ssize_t count = ::read(descriptor_, data, length);
        if (count < 0) return errno;
        ended = count == 0;
        got = static_cast<size_t>(count);
        return 0;
    });
}

int StreamInUse::write(const uint8_t* data, size_t length, size_t& put) const {
    put = 0;
    return moved(descriptor_, POLLOUT, returnsAtOnce_, [&] {
        const ssize_t count = ::write(descriptor_, data, length);
        if (count < 0) return errno;
        put = static_cast<size_t>(count);
        return 0;
    });
}

int openPipe(int& readEnd, int& writeEnd) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return errno;
    for (const int end : ends)
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    readEnd = ends[0];
    writeEnd = ends[1];
    return 0;
}

RingMemory::~RingMemory() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
}

int RingMemory::allocate(size_t bytes) {
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    data_ = static_cast<uint8_t*>(memory);
    bytes_ = bytes;
#ifdef MADV_HUGEPAGE
    ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return 0;
}

bool RingMemory::lock() const {
#ifdef MLOCK_ONFAULT
    // Page by page as they are first used: mlock clears all of them before the stream begins.
    if (::mlock2(data_, bytes_, MLOCK_ONFAULT) == 0) return true;
    if (errno != ENOSYS) return false;
#endif
    return ::mlock(data_, bytes_) == 0;
}

} // namespace stowage::platform
