#pragma once

#include "platform/storage.h"

#include <string>

namespace stowage::containers {

/** Where a container is: the open folder above it and its name there. */
struct Place {
    platform::Handle parent;
    std::string name;
};

/** @throws ContainerError when the folder above cannot be opened or the path has no last name. */
Place placeOf(const std::string& path);

/** A container while it is made: removed again unless it is kept. */
class Unfinished {
  public:
    /** Nothing is made yet. @throws ContainerError `exists` when the place is taken */
    explicit Unfinished(const Place& place);
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    Unfinished(Unfinished&&) = delete;
    Unfinished& operator=(Unfinished&&) = delete;
    ~Unfinished();
    /** It is whole: returns when its name is on the medium. */
    void keep();
    /**
     * Lets it and another one of the same folder change names. What was there before is then
     * removed with this object.
     */
    void exchange(const Place& other);

  private:
    const Place& place_;
    std::string name_;
    bool isKept_ = false;
};

/**
 * Removes a bundle or a file, whatever bundles consist of. Other files in it are not touched and
 * then it stays.
 */
void removeContainer(const platform::Handle& parent, const std::string& name);

} // namespace stowage::containers
