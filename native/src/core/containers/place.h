#pragma once

#include "platform/storage.h"

#include <string>

namespace stowage::containers {

/** Where a container stands: the open folder above it and its name there. */
struct Place {
    platform::Handle parent;
    std::string name;
};

/** @throws ContainerError when the folder above cannot be opened or the path has no last name. */
Place placeOf(const std::string& path);

/** A file or folder made beside its place, removed again unless it was renamed into it. */
class Beside {
  public:
    /** Chooses a free name; nothing is made yet. */
    explicit Beside(const Place& place);
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;
    Beside(Beside&&) = delete;
    Beside& operator=(Beside&&) = delete;
    ~Beside();
    [[nodiscard]] const std::string& name() const { return name_; }
    /** Gives it the place's name. @throws `exists` when that is taken. */
    void moveIn();
    /** Lets it and what has the place's name change names. What was there before is then removed with this
     * object. */
    void exchange();

  private:
    const Place& place_;
    std::string name_;
    bool isMoved_ = false;
};

/** Removes a bundle or a file, whatever bundles consist of. Other files in it are not touched and then it
 * stays. */
void removeContainer(const platform::Handle& parent, const std::string& name);

} // namespace stowage::containers
