/**
 * The places of the archives of several parts in one folder: none is that of another archive or of
 * a folder, also where upper and lower case are one.
 */
export function freePlaces(parts: readonly (readonly string[])[]): string[][] {
  const taken = new Set<string>()
  for (const path of parts.flat())
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      taken.add(path.slice(0, end).toLowerCase())
  return parts.map((paths) =>
    paths.map((path) => {
      let place = path
      for (let number = 2; taken.has(place.toLowerCase()); number++)
        place = path.replace(/(\.[^./]*)?$/, ` ${number}$1`)
      taken.add(place.toLowerCase())
      return place
    }),
  )
}
