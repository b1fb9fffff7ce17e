import { pathToBytes } from '../../primitives/pathText'

/** A file of a family: where it is in the source, and the number of its family. */
export interface FamilyFile {
  readonly path: string
  readonly family: number
}

/** Without the ending of an archive and a number: no system keeps names of more than 255 bytes. */
const LONGEST_NAME = 240

/**
 * The place of each family's archive, without an ending: the name of the parent in the deepest
 * folder that all its files are below, or in the one above where that has this very name. Of
 * families with one place all but the first get a number.
 * @param names those of the parents, by the numbers of the families; without one there is no place
 */
export function familyPlaces(
  files: Iterable<FamilyFile>,
  names: readonly string[],
): ReadonlyMap<number, string> {
  const folders = new Map<number, string>()
  for (const { path, family } of files) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    folders.set(family, sharedFolder([folders.get(family) ?? folder, folder]))
  }
  const places = new Map<number, string>()
  const taken = new Set<string>()
  for (const [family, folder] of [...folders].toSorted(([one], [other]) => one - other)) {
    const name = names[family]
    if (name === undefined) continue
    const usable = usableName(name)
    const wanted = `/${folder}`.endsWith(`/${usable}/`) ? folder.slice(0, -1) : folder + usable
    let place = wanted
    // Some systems do not tell upper from lower case.
    for (let number = 2; taken.has(place.toLowerCase()); number++) place = `${wanted} ${number}`
    taken.add(place.toLowerCase())
    places.set(family, place)
  }
  return places
}

/** The deepest folder that all paths are below, with `/` at its end; empty for the top. */
export function sharedFolder([one = '', ...others]: readonly string[]): string {
  let shared = one.slice(0, one.lastIndexOf('/') + 1)
  for (const other of others)
    while (!other.startsWith(shared)) shared = shared.slice(0, shared.lastIndexOf('/', shared.length - 2) + 1)
  return shared
}

/** The name of a game as all systems keep it. */
function usableName(game: string): string {
  let name = game.replaceAll(/[<>:"/\\|?*\p{Cc}]/gu, '_').replace(/[. ]+$/, '')
  while (pathToBytes(name).length > LONGEST_NAME) name = name.replace(/.$/su, '')
  return name === '' ? '_' : name
}
