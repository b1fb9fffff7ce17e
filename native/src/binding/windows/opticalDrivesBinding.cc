#include "binding/windows/opticalDrivesBinding.h"

#include "binding/asyncJob.h"
#include "platform/windows/opticalDrives.h"

namespace stowage::binding {

namespace {

struct DriveSearch {
    std::vector<platform::OpticalDrive> found;
    void run() { found = platform::opticalDrives(); }
    /** The system's calls cannot be ended; each takes seconds at most. */
    void cancel() {}
};

Napi::Value drivesValue(Napi::Env env, DriveSearch& search) {
    Napi::Array drives = Napi::Array::New(env);
    for (const platform::OpticalDrive& drive : search.found) {
        Napi::Object value = Napi::Object::New(env);
        value["device"] = drive.device;
        value["hasDisc"] = drive.hasDisc;
        value["fileSystem"] = drive.fileSystem;
        value["label"] = drive.label;
        value["bytes"] = static_cast<double>(drive.bytes);
        drives[drives.Length()] = value;
    }
    return drives;
}

} // namespace

Napi::Value opticalDrives(const Napi::CallbackInfo& info) {
    return AsyncJob<DriveSearch>::start(info.Env(), "stowage drives", std::make_shared<DriveSearch>(),
                                        drivesValue);
}

} // namespace stowage::binding
