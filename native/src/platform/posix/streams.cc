#include "platform/streams.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

} // namespace

int readStream(int descriptor, uint8_t* data, size_t length, size_t& got, bool& ended) {
    got = 0;
    ended = false;
    int error = awaitStream(descriptor, POLLIN);
    if (error == 0) {
        const ssize_t count = ::read(descriptor, data, length);
        error = count < 0 ? errno : 0;
        ended = count == 0;
        if (count > 0) got = static_cast<size_t>(count);
    }
    return isLater(error) ? 0 : error;
}

int writeStream(int descriptor, const uint8_t* data, size_t length, size_t& put) {
    put = 0;
    int error = awaitStream(descriptor, POLLOUT);
    if (error == 0) {
        const ssize_t count = ::write(descriptor, data, length);
        error = count < 0 ? errno : 0;
        if (count > 0) put = static_cast<size_t>(count);
    }
    return isLater(error) ? 0 : error;
}

StreamInUse::StreamInUse(int descriptor) : descriptor_(descriptor) {
    struct stat facts {};
    if (::fstat(descriptor, &facts) != 0 || !S_ISFIFO(facts.st_mode)) return;
#ifdef F_SETPIPE_SZ
    // What /proc/sys/fs/pipe-max-size allows everybody unless somebody changed it.
    constexpr int most = 1 << 20;
    ::fcntl(descriptor, F_SETPIPE_SZ, most);
#endif
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) == 0 && ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
        flagsBefore_ = flags;
}

StreamInUse::~StreamInUse() {
    if (flagsBefore_ >= 0) ::fcntl(descriptor_, F_SETFL, flagsBefore_);
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
    return ::mlock(data_, bytes_) == 0;
}

} // namespace stowage::platform
