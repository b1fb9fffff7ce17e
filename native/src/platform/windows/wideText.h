#pragma once

#include <windows.h>

#include <string>
#include <vector>

namespace stowage::platform {

inline std::wstring wide(const std::string& text) {
    const int length =
        MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0);
    std::wstring result(static_cast<size_t>(length), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), result.data(), length);
    return result;
}

inline std::string narrow(const std::wstring& text) {
    const int length = WideCharToMultiByte(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0,
                                           nullptr, nullptr);
    std::string result(static_cast<size_t>(length), '\0');
    WideCharToMultiByte(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), result.data(), length,
                        nullptr, nullptr);
    return result;
}

/** The errno value for GetLastError's. */
int errnoOf(DWORD error);

/**
 * The volume that a path lies on, as `\\?\Volume{…}` without a last backslash; empty if there is
 * none.
 */
std::wstring volumeOf(const std::wstring& path);

} // namespace stowage::platform
