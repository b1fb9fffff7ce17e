import type { PlanVolume } from '../../contract/dto/plan'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount } from '../../primitives/quantity'

/** Folders of a disc that are named. */
const NAMED = 3
/** A name shorter than this is not worth a cut. */
const LEAST_NAME = 8

/**
 * The largest folders of a disc in so many columns: `2003, Scans, Films and 4 more`. As many of the
 * first three as fit; a name that alone is too long loses its end.
 */
export function discFolders({ shares }: Pick<PlanVolume, 'shares'>, room: number): string {
  const named = shares.filter(({ path }) => path !== '')
  const isMore = named.length < shares.length
  for (let count = Math.min(NAMED, named.length); count > 0; count--) {
    const left = named.length - count
    // Behind the rest there may be any number of folders.
    const more = isMore ? ' and more' : left > 0 ? ` and ${formatCount(left)} more` : ''
    const names = named
      .slice(0, count)
      .map(({ path }) => pathForDisplay(path.slice(path.lastIndexOf('/') + 1)))
    const text = names.join(', ') + more
    if (text.length <= room) return text
    if (count > 1) continue
    const most = Math.max(LEAST_NAME, room - more.length)
    const start = Array.from(names[0] ?? '').slice(0, most - 1)
    return `${start.join('').trimEnd()}…${more}`
  }
  return ''
}
