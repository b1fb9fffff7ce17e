#include "platform/attributes.h"

#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"
#include "platform/windows/wideText.h"

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace stowage::platform {

namespace {

/** The content itself. */
constexpr const wchar_t* unnamedStream = L"::$DATA";

/** Names of alternate streams, as `:name`, from a list of FILE_STREAM_INFO. */
void namesOfStreams(const std::vector<char>& list, std::vector<std::string>& names) {
    for (size_t at = 0;;) {
        FILE_STREAM_INFO stream{};
        constexpr size_t nameAt = offsetof(FILE_STREAM_INFO, StreamName);
        std::memcpy(&stream, list.data() + at, nameAt);
        std::wstring name(stream.StreamNameLength / sizeof(wchar_t), L'\0');
        std::memcpy(name.data(), list.data() + at + nameAt, name.size() * sizeof(wchar_t));
        constexpr std::wstring_view kind = L":$DATA";
        if (!name.empty() && name != unnamedStream)
            names.push_back(narrow(name.ends_with(kind) ? name.substr(0, name.size() - kind.size()) : name));
        if (stream.NextEntryOffset == 0) return;
        at += stream.NextEntryOffset;
    }
}

int readStreams(HANDLE file, std::vector<std::string>& names) {
    constexpr size_t most = size_t{1} << 20U;
    std::vector<char> list(size_t{8} << 10U);
    while (
        !GetFileInformationByHandleEx(file, FileStreamInfo, list.data(), static_cast<DWORD>(list.size()))) {
        const DWORD error = GetLastError();
        if (error == ERROR_HANDLE_EOF) return 0; // none at all
        const int failure = errnoOf(error);
        if (error != ERROR_MORE_DATA && error != ERROR_BAD_LENGTH && error != ERROR_INSUFFICIENT_BUFFER)
            return failure == ENOTSUP || failure == EINVAL ? 0 : failure; // the file system has no streams
        if (list.size() >= most) return E2BIG;
        list.resize(list.size() * 2);
    }
    namesOfStreams(list, names);
    return 0;
}

} // namespace

int readAttributes(const std::string& path, FileAttributes& found) {
    Handle opened;
    const int error = openPath(path, FILE_READ_ATTRIBUTES,
                               FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, opened);
    if (error != 0) return error;
    FILE_BASIC_INFO basic{};
    if (!GetFileInformationByHandleEx(handleOf(opened), FileBasicInfo, &basic, sizeof basic))
        return lastErrno();
    if (basic.CreationTime.QuadPart != 0) {
        constexpr int64_t inASecond = 10'000'000;
        constexpr int64_t secondsTo1970 = 11'644'473'600;
        const int64_t ticks = basic.CreationTime.QuadPart;
        found.created = {ticks / inASecond - secondsTo1970, static_cast<uint32_t>(ticks % inASecond * 100)};
    }
    return readStreams(handleOf(opened), found.left);
}

/** Attributes of other systems have no place here. */
int setAttribute(const std::string& /*path*/, const Attribute& /*attribute*/) {
    return ENOTSUP;
}

/** Accounts have security identifiers here, no numbers. */
std::optional<std::string> accountName(AccountKind /*kind*/, uint32_t /*id*/) {
    return std::nullopt;
}

std::optional<uint32_t> accountId(AccountKind /*kind*/, const std::string& /*name*/) {
    return std::nullopt;
}

} // namespace stowage::platform
