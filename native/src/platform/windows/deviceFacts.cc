// From Microsoft's documentation (IOCTL_STORAGE_QUERY_PROPERTY, IOCTL_DISK_PERFORMANCE).
#include "platform/deviceFacts.h"

#include "platform/timedFile.h"
#include "platform/windows/errors.h"
#include "platform/windows/wideText.h"

#include <winioctl.h>

#include <cerrno>
#include <cstring>
#include <iterator>

namespace stowage::platform {

namespace {

/** Names of STORAGE_BUS_TYPE by number. */
constexpr const char* busNames[] = {
    "",    "scsi", "atapi", "ata", "firewire", "ssa",     "fibre channel",  "usb", "raid", "iscsi",
    "sas", "sata", "sd",    "mmc", "virtual",  "virtual", "storage spaces", "nvme"};
constexpr unsigned busUsb = 7;
constexpr unsigned busIscsi = 9;
constexpr unsigned busVirtual = 14;
constexpr unsigned busFileBackedVirtual = 15;

HANDLE openVolume(const std::wstring& volume) {
    // No access rights are asked for: these questions need none.
    return CreateFileW(volume.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0,
                       nullptr);
}

template <typename Answer>
bool query(HANDLE volume, STORAGE_PROPERTY_ID property, Answer* answer, DWORD bytes) {
    STORAGE_PROPERTY_QUERY question{};
    question.PropertyId = property;
    question.QueryType = PropertyStandardQuery;
    DWORD got = 0;
    return DeviceIoControl(volume, IOCTL_STORAGE_QUERY_PROPERTY, &question, sizeof question, answer, bytes,
                           &got, nullptr) != 0;
}

std::string textAt(const std::vector<char>& answer, DWORD offset) {
    if (offset == 0 || offset >= answer.size()) return "";
    std::string text(answer.data() + offset, strnlen(answer.data() + offset, answer.size() - offset));
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

void describe(HANDLE volume, DeviceFacts& facts) {
    std::vector<char> answer(1024);
    unsigned bus = 0;
    if (query(volume, StorageDeviceProperty, answer.data(), static_cast<DWORD>(answer.size()))) {
        STORAGE_DEVICE_DESCRIPTOR device{};
        std::memcpy(&device, answer.data(), sizeof device);
        const std::string vendor = textAt(answer, device.VendorIdOffset);
        const std::string product = textAt(answer, device.ProductIdOffset);
        facts.model = vendor.empty() ? product : vendor + " " + product;
        bus = static_cast<unsigned>(device.BusType);
        if (bus < std::size(busNames)) facts.bus = busNames[bus];
    }
    DEVICE_SEEK_PENALTY_DESCRIPTOR seek{};
    const bool answered = query(volume, StorageDeviceSeekPenaltyProperty, &seek, sizeof seek);
    if (bus == busUsb) {
        facts.kind = StorageKind::usb;
    } else if (bus == busVirtual || bus == busFileBackedVirtual) {
        facts.kind = StorageKind::virtualDisk;
    } else if (bus == busIscsi) {
        facts.kind = StorageKind::network;
    } else if (answered) {
        facts.kind = seek.IncursSeekPenalty ? StorageKind::hdd : StorageKind::ssd;
    }
}

/** As people write it. */
std::string shownPath(const std::wstring& path) {
    constexpr std::wstring_view share = L"\\\\?\\UNC\\";
    constexpr std::wstring_view other = L"\\\\?\\";
    if (path.starts_with(share)) return "\\\\" + narrow(path.substr(share.size()));
    return narrow(path.starts_with(other) ? path.substr(other.size()) : path);
}

std::wstring mountPointOf(const std::wstring& path) {
    std::wstring place(MAX_PATH + path.size(), L'\0');
    if (!GetVolumePathNameW(path.c_str(), place.data(), static_cast<DWORD>(place.size()))) return L"";
    place.resize(std::wcslen(place.c_str()));
    return place;
}

} // namespace

std::wstring volumeOf(const std::wstring& path) {
    wchar_t name[64] = L"";
    if (!GetVolumeNameForVolumeMountPointW(mountPointOf(path).c_str(), name,
                                           static_cast<DWORD>(std::size(name)))) {
        return L"";
    }
    std::wstring volume = name;
    while (!volume.empty() && volume.back() == L'\\')
        volume.pop_back();
    return volume;
}

int deviceFacts(const std::string& path, DeviceFacts& facts) {
    const std::wstring place = mountPointOf(systemPath(path));
    if (place.empty()) return lastErrno();
    ULARGE_INTEGER free{};
    ULARGE_INTEGER total{};
    if (!GetDiskFreeSpaceExW(systemPath(path).c_str(), &free, &total, nullptr)) return lastErrno();
    facts.mountPoint = shownPath(place);
    facts.totalBytes = total.QuadPart;
    facts.freeBytes = free.QuadPart;
    wchar_t system[MAX_PATH + 1] = L"";
    if (GetVolumeInformationW(place.c_str(), nullptr, 0, nullptr, nullptr, nullptr, system, MAX_PATH)) {
        facts.fileSystem = narrow(system);
    }
    facts.source = "GetVolumeInformation, GetDriveType";
    switch (GetDriveTypeW(place.c_str())) {
    case DRIVE_REMOTE:
        facts.kind = StorageKind::network;
        return 0;
    case DRIVE_CDROM:
        facts.kind = StorageKind::optical;
        break;
    case DRIVE_RAMDISK:
        facts.kind = StorageKind::memory;
        break;
    default:
        break;
    }
    const std::wstring volume = volumeOf(systemPath(path));
    facts.device = narrow(volume);
    HANDLE opened = openVolume(volume);
    if (opened == INVALID_HANDLE_VALUE) return 0;
    const StorageKind known = facts.kind;
    describe(opened, facts);
    if (known != StorageKind::unknown) facts.kind = known;
    facts.source += ", IOCTL_STORAGE_QUERY_PROPERTY";
    CloseHandle(opened);
    return 0;
}

CounterSource::~CounterSource() {
    if (native_ != TimedFile::none) CloseHandle(reinterpret_cast<HANDLE>(native_));
}

bool CounterSource::open(const std::string& path) {
    HANDLE opened = openVolume(volumeOf(systemPath(path)));
    if (opened == INVALID_HANDLE_VALUE) return false;
    native_ = reinterpret_cast<intptr_t>(opened);
    return true;
}

bool CounterSource::read(DeviceCounters& counters) const {
    DISK_PERFORMANCE found{};
    DWORD got = 0;
    if (native_ == TimedFile::none ||
        !DeviceIoControl(reinterpret_cast<HANDLE>(native_), IOCTL_DISK_PERFORMANCE, nullptr, 0, &found,
                         sizeof found, &got, nullptr)) {
        return false;
    }
    constexpr uint64_t sector = 512;
    counters = {static_cast<uint64_t>(found.BytesRead.QuadPart) / sector,
                static_cast<uint64_t>(found.BytesWritten.QuadPart) / sector};
    return true;
}

} // namespace stowage::platform
