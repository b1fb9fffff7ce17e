/** A path in at most so many columns: its end, which names the file, after `…`. */
export function elided(path: string, room: number): string {
  if (path.length <= room) return path
  // Signs of several parts, such as flags, are not cut.
  const start = new Intl.Segmenter().segment(path).containing(path.length - room)
  const end = path.slice(start ? start.index + start.segment.length : 0)
  const slash = end.indexOf('/')
  return `…${slash > 0 && slash < end.length / 2 ? end.slice(slash) : end}`
}
