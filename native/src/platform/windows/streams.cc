#include "platform/streams.h"

#include "platform/windows/errors.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>

namespace stowage::platform {

namespace {

// Numbers of open files belong to a C library, and Node has its own: these of libuv know them.
using GetOsHandle = HANDLE (*)(int);
using OpenOsHandle = int (*)(HANDLE);

template <typename Function> Function ofProgram(const char* name) {
    return reinterpret_cast<Function>(
        reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(nullptr), name)));
}

HANDLE handleOfNumber(int descriptor) {
    static const auto ofNode = ofProgram<GetOsHandle>("uv_get_osfhandle");
    return ofNode != nullptr ? ofNode(descriptor) : reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
}

int numberOf(HANDLE handle) {
    static const auto ofNode = ofProgram<OpenOsHandle>("uv_open_osfhandle");
    return ofNode != nullptr ? ofNode(handle)
                             : _open_osfhandle(reinterpret_cast<intptr_t>(handle), _O_BINARY);
}

/** One short wait; the usual clock wakes a thread every 16 ms only. */
void waitShortly() {
    struct Timer {
        HANDLE handle = CreateWaitableTimerExW(nullptr, nullptr, 0x2 /* high resolution */, TIMER_ALL_ACCESS);
        Timer() = default;
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;
        Timer(Timer&&) = delete;
        Timer& operator=(Timer&&) = delete;
        ~Timer() {
            if (handle != nullptr) CloseHandle(handle);
        }
    };
    thread_local const Timer timer;
    LARGE_INTEGER due{};
    due.QuadPart = -5'000; // 0.5 ms from now
    if (timer.handle != nullptr && SetWaitableTimer(timer.handle, &due, 0, nullptr, nullptr, FALSE)) {
        WaitForSingleObject(timer.handle, 100);
    } else {
        Sleep(1);
    }
}

/** Makes the call until it moves something, fails, or `streamWaitMs` are over. */
template <typename Call> int moved(Call call) {
    const ULONGLONG end = GetTickCount64() + streamWaitMs;
    for (;;) {
        const int error = call();
        if (error != EAGAIN) return error;
        if (GetTickCount64() >= end) return 0;
        waitShortly();
    }
}

/** A pipe may have been opened for overlapped requests, and then takes no other. */
class PipeRequest {
  public:
    PipeRequest() { request_.hEvent = CreateEventW(nullptr, TRUE, FALSE, nullptr); }
    PipeRequest(const PipeRequest&) = delete;
    PipeRequest& operator=(const PipeRequest&) = delete;
    PipeRequest(PipeRequest&&) = delete;
    PipeRequest& operator=(PipeRequest&&) = delete;
    ~PipeRequest() { CloseHandle(request_.hEvent); }

    OVERLAPPED* form() { return &request_; }
    /** The Win32 error, 0 for none. */
    DWORD finish(HANDLE handle, BOOL issued, DWORD& count) {
        if (!issued && GetLastError() != ERROR_IO_PENDING) return GetLastError();
        return GetOverlappedResult(handle, &request_, &count, TRUE) ? 0 : GetLastError();
    }

  private:
    OVERLAPPED request_{};
};

bool isPipe(HANDLE handle) {
    return GetFileType(handle) == FILE_TYPE_PIPE;
}

} // namespace

StreamInUse::StreamInUse(int descriptor) : descriptor_(descriptor) {
    HANDLE const handle = handleOfNumber(descriptor);
    DWORD mode = 0;
    if (!isPipe(handle) || !GetNamedPipeHandleStateW(handle, &mode, nullptr, nullptr, nullptr, nullptr, 0))
        return;
    returnsAtOnce_ = (mode & PIPE_NOWAIT) != 0;
    DWORD atOnce = mode | PIPE_NOWAIT;
    if (returnsAtOnce_ || !SetNamedPipeHandleState(handle, &atOnce, nullptr, nullptr)) return;
    // The system has no other way to write to a pipe that may be full without waiting for it.
    flagsBefore_ = static_cast<int>(mode);
    returnsAtOnce_ = true;
}

StreamInUse::~StreamInUse() {
    if (flagsBefore_ < 0) return;
    auto mode = static_cast<DWORD>(flagsBefore_);
    SetNamedPipeHandleState(handleOfNumber(descriptor_), &mode, nullptr, nullptr);
}

int StreamInUse::read(uint8_t* data, size_t length, size_t& got, bool& ended) const {
    got = 0;
    ended = false;
    HANDLE const handle = handleOfNumber(descriptor_);
    const bool pipe = isPipe(handle);
    const auto wanted = static_cast<DWORD>(std::min(length, size_t{1} << 30U));
    PipeRequest request;
    return moved([&] {
        DWORD waiting = 0;
        // Where a pipe cannot be asked (a socket), the reading itself waits.
        if (pipe && PeekNamedPipe(handle, nullptr, 0, nullptr, &waiting, nullptr) && waiting == 0)
            return EAGAIN;
        DWORD count = 0;
        const BOOL issued = ReadFile(handle, data, wanted, &count, pipe ? request.form() : nullptr);
        const DWORD error = pipe ? request.finish(handle, issued, count) : issued ? 0 : GetLastError();
        if (pipe && error == ERROR_NO_DATA) return EAGAIN;
        ended = error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF || (error == 0 && count == 0);
        got = count;
        return ended ? 0 : errnoOf(error);
    });
}

int StreamInUse::write(const uint8_t* data, size_t length, size_t& put) const {
    put = 0;
    HANDLE const handle = handleOfNumber(descriptor_);
    const bool pipe = isPipe(handle);
    const auto wanted = static_cast<DWORD>(std::min(length, size_t{1} << 30U));
    PipeRequest request;
    return moved([&] {
        DWORD count = 0;
        const BOOL issued = WriteFile(handle, data, wanted, &count, pipe ? request.form() : nullptr);
        const DWORD error = pipe ? request.finish(handle, issued, count) : issued ? 0 : GetLastError();
        put = count;
        if (error != 0) return errnoOf(error);
        return count == 0 && length > 0 ? EAGAIN : 0;
    });
}

int openPipe(int& readEnd, int& writeEnd) {
    // The most that Linux gives everybody.
    constexpr DWORD bytes = 1 << 20;
    HANDLE ends[2] = {};
    if (!CreatePipe(&ends[0], &ends[1], nullptr, bytes)) return lastErrno();
    readEnd = numberOf(ends[0]);
    writeEnd = numberOf(ends[1]);
    return readEnd >= 0 && writeEnd >= 0 ? 0 : EMFILE;
}

} // namespace stowage::platform
