import type { PlanEntry, PlanVolume } from '../../contract/dto/plan'

/** More top folders than this are told as one. */
const SHARES = 12

/** What the top folders hold of a volume, largest first; files at the top and small folders are the rest (empty path). */
export function volumeShares(entries: Iterable<PlanEntry>): PlanVolume['shares'] {
  const byTop = new Map<string, { bytes: number; files: number }>()
  for (const entry of entries) {
    if (entry.kind !== 'file' && entry.kind !== 'part') continue
    const slash = entry.path.indexOf('/')
    const top = slash < 0 ? '' : entry.path.slice(0, slash)
    const share = byTop.get(top) ?? { bytes: 0, files: 0 }
    share.bytes += entry.bytes
    share.files += 1
    byTop.set(top, share)
  }
  const rest = byTop.get('') ?? { bytes: 0, files: 0 }
  byTop.delete('')
  const sorted = [...byTop].toSorted(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1))
  for (const [, { bytes, files }] of sorted.slice(SHARES)) {
    rest.bytes += bytes
    rest.files += files
  }
  const shares = sorted.slice(0, SHARES).map(([path, { bytes, files }]) => ({ path, bytes, files }))
  return rest.files === 0 ? shares : [...shares, { path: '', ...rest }]
}
