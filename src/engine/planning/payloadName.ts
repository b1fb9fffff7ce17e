/** The first name of each path: what stands at the top of the volumes. */
export function topNames(entries: Iterable<{ readonly path: string }>): Set<string> {
  const names = new Set<string>()
  for (const { path } of entries) names.add(path.split('/', 1)[0] as string)
  return names
}

/** The folder that Stowage adds to every volume: `STOWAGE`, or with a number where the source has that name (in any case). */
export function payloadNameFor(taken: Iterable<string>): string {
  const names = new Set([...taken].map((name) => name.toUpperCase()))
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'STOWAGE' : `STOWAGE_${number}`
    if (!names.has(name)) return name
  }
}
