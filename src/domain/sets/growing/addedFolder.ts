/**
 * The folder of all containers of a plan that adds to others, so that no earlier one has their
 * names: `added-2` for the second plan of an archive, with a further number where an earlier volume
 * has something of that name.
 * @param before the paths on earlier volumes
 */
export function addedFolder(generation: number, before: Iterable<string>): string {
  const base = `added-${generation}`
  const taken = new Set<string>()
  for (const path of before) {
    const [top = ''] = path.split('/', 1)
    // Some systems do not tell upper from lower case.
    taken.add(top.toLowerCase())
  }
  let folder = base
  for (let number = 2; taken.has(folder); number++) folder = `${base}-${number}`
  return folder
}
