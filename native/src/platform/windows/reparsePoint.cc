#include "platform/fileSystem.h"
#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"
#include "platform/windows/wideText.h"

#include <winioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace stowage::platform {

namespace {

/** The content of a reparse point ([MS-FSCC] 2.1.2). */
class ReparseData {
  public:
    int read(HANDLE file) {
        DWORD bytes = 0;
        if (!DeviceIoControl(file, FSCTL_GET_REPARSE_POINT, nullptr, 0, data_, sizeof data_, &bytes, nullptr))
            return lastErrno();
        bytes_ = bytes;
        return 0;
    }

    [[nodiscard]] DWORD tag() const { return number<DWORD>(0); }

    /** Both names of a link: as the system follows it, and as people should see it. */
    [[nodiscard]] std::wstring target() const {
        const size_t texts = tag() == IO_REPARSE_TAG_SYMLINK ? 20 : 16;
        const std::wstring shown = text(texts + number<USHORT>(12), number<USHORT>(14));
        if (!shown.empty()) return shown;
        const std::wstring followed = text(texts + number<USHORT>(8), number<USHORT>(10));
        return followed.starts_with(L"\\??\\") ? followed.substr(4) : followed;
    }

    /** That of a link made by WSL is UTF-8, after a version. */
    [[nodiscard]] std::string linuxTarget() const {
        constexpr size_t start = 12;
        const size_t end = std::min<size_t>(bytes_, size_t{8} + number<USHORT>(4));
        return end <= start ? std::string() : std::string(data_ + start, end - start);
    }

  private:
    template <typename Number> [[nodiscard]] Number number(size_t at) const {
        Number value{};
        if (at + sizeof value <= bytes_) std::memcpy(&value, data_ + at, sizeof value);
        return value;
    }
    [[nodiscard]] std::wstring text(size_t at, size_t bytes) const {
        std::wstring result(at + bytes <= bytes_ ? bytes / sizeof(wchar_t) : 0, L'\0');
        std::memcpy(result.data(), data_ + at, result.size() * sizeof(wchar_t));
        return result;
    }

    size_t bytes_ = 0;
    alignas(8) char data_[MAXIMUM_REPARSE_DATA_BUFFER_SIZE] = {};
};

} // namespace

int linkTarget(const Handle& folder, const char* name, std::string& target) {
    NtOpening how;
    how.access = FILE_READ_ATTRIBUTES;
    how.options = nt::reparsePointItself;
    Handle opened;
    int error = openBelow(handleOf(folder), nameBelow(name), how, opened);
    if (error != 0) return error;
    ReparseData data;
    error = data.read(handleOf(opened));
    if (error != 0) return error;
    const bool isWindows = data.tag() == IO_REPARSE_TAG_SYMLINK || data.tag() == IO_REPARSE_TAG_MOUNT_POINT;
    target = isWindows ? narrow(data.target()) : data.linuxTarget();
    // As in all paths of the core: images are read on other systems too.
    if (isWindows) std::replace(target.begin(), target.end(), '\\', '/');
    return target.empty() ? EIO : 0;
}

} // namespace stowage::platform
