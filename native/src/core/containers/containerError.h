#pragma once

#include <stdexcept>
#include <string>

namespace stowage::containers {

/** The faults of a container; `faultName` gives the codes of the application's closed list. */
enum class Fault : unsigned char {
    usage,
    notFound,
    exists,
    permissionDenied,
    io,
    noSpace,
    badInput,
    refused,
    cannotFit,
    wrongPassword,
    cancelled,
    verificationFailed,
};

const char* faultName(Fault fault);

/**
 * An expected failure. The text is one line that names the part concerned and the cause, without
 * the container's path.
 */
class ContainerError : public std::runtime_error {
  public:
    ContainerError(Fault fault, const std::string& cause) : std::runtime_error(cause), fault_(fault) {}
    [[nodiscard]] Fault fault() const { return fault_; }

  private:
    Fault fault_;
};

[[noreturn]] void fail(Fault fault, const std::string& cause);
/** Foreign bytes that do not make sense. */
[[noreturn]] void damaged(const std::string& cause);
/**
 * Throws the failure of an errno value other than 0. @param part such as "band 1f"; empty for the
 * container itself
 */
void checkSystem(int error, const std::string& part);

} // namespace stowage::containers
