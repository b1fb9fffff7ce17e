#include "platform/windows/opticalDrives.h"

#include "platform/windows/ntFile.h"
#include "platform/windows/wideText.h"

#include <winioctl.h>

namespace stowage::platform {

namespace {

/** Asks whether a disc is in the drive, which needs no access to it. */
bool hasMedium(const std::wstring& letter) {
    HANDLE const opened = CreateFileW((L"\\\\.\\" + letter).c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                      nullptr, OPEN_EXISTING, 0, nullptr);
    if (opened == INVALID_HANDLE_VALUE) return false;
    const Handle drive = handleFrom(opened);
    DWORD got = 0;
    return DeviceIoControl(opened, IOCTL_STORAGE_CHECK_VERIFY2, nullptr, 0, nullptr, 0, &got, nullptr) != 0;
}

OpticalDrive driveOf(const std::wstring& letter) {
    OpticalDrive drive;
    drive.device = narrow(letter);
    const std::wstring root = letter + L"\\";
    wchar_t label[MAX_PATH + 1] = L"";
    wchar_t system[MAX_PATH + 1] = L"";
    if (!GetVolumeInformationW(root.c_str(), label, MAX_PATH, nullptr, nullptr, nullptr, system, MAX_PATH)) {
        drive.hasDisc = hasMedium(letter);
        return drive;
    }
    drive.hasDisc = true;
    drive.fileSystem = narrow(system);
    drive.label = narrow(label);
    ULARGE_INTEGER total{};
    if (GetDiskFreeSpaceExW(root.c_str(), nullptr, &total, nullptr)) drive.bytes = total.QuadPart;
    return drive;
}

} // namespace

std::vector<OpticalDrive> opticalDrives() {
    std::vector<OpticalDrive> drives;
    const DWORD present = GetLogicalDrives();
    for (wchar_t letter = L'A'; letter <= L'Z'; ++letter) {
        if ((present >> (letter - L'A') & 1U) == 0) continue;
        const std::wstring name = {letter, L':'};
        if (GetDriveTypeW((name + L"\\").c_str()) == DRIVE_CDROM) drives.push_back(driveOf(name));
    }
    return drives;
}

} // namespace stowage::platform
