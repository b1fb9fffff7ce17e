/** A path in at most so many columns: its end, which names the file, after `…`. */
export function elided(path: string, room: number): string {
  if (path.length <= room) return path
  const end = path.slice(-(room - 1))
  const slash = end.indexOf('/')
  return `…${slash > 0 && slash < end.length / 2 ? end.slice(slash) : end}`
}
