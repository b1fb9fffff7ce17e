/**
 * The archives that keep exactly these folders and files, by their paths on this computer. Equal
 * paths are a reason to ask, no proof: an archive is known by its ID.
 */
export function archivesOfSources<Of extends { readonly sources: readonly { readonly path: string }[] }>(
  archives: readonly Of[],
  paths: readonly string[],
): Of[] {
  const wanted = new Set(paths)
  return archives.filter(({ sources }) => {
    const kept = new Set(sources.map(({ path }) => path))
    return kept.size > 0 && kept.size === wanted.size && [...kept].every((path) => wanted.has(path))
  })
}
