import { said } from '../../../primitives/said'
import type { ImageContents } from '../../discImages/imageEntries'
import { cannot } from '../../files/fileSystem'
import type { RawImageLayout, RawImagePlaces } from '../../native/discImage'

const SECTOR = 2048

/**
 * The places of files on an image from which others are left out: each keeps its planned one, which
 * the index of every volume names. What is new or has grown, of Stowage's own files, goes where
 * there is room.
 * @param planned the layout with all files
 * @throws AppError `cannot-fit` where there is none
 */
export function keptPlaces(
  planned: { readonly layout: RawImageLayout; readonly contents: ImageContents },
  contents: ImageContents,
  label: string,
): RawImagePlaces {
  const { bytes, contents: firsts } = contents.entries
  const before = planned.layout.firstSectors()
  const plannedBytes = planned.contents.entries.bytes
  const sectors = planned.layout.sectors()
  const places = new Float64Array(bytes.length)
  // Names of one content have one place.
  const taken = new Map<number, number>()
  const unplaced: number[] = []
  let first = sectors
  for (const sector of before) if (sector > 0) first = Math.min(first, sector)
  for (const [path, number] of contents.numbers) {
    const length = sectorsOf(bytes[number] ?? 0)
    if (length === 0) continue
    const old = planned.contents.numbers.get(path) ?? 0
    const start = before[old] ?? 0
    if (start > 0 && length <= sectorsOf(plannedBytes[old] ?? 0)) {
      places[number] = start
      taken.set(start, start + length)
    } else if (firsts[number] === number) unplaced.push(number)
  }
  // The last sector of the image is not for files.
  taken.set(sectors - 1, sectors)
  const used = [...taken].map(([start, end]) => ({ start, end }))
  for (const number of unplaced) {
    const length = sectorsOf(bytes[number] ?? 0)
    used.sort((one, other) => one.start - other.start)
    const at = used.findIndex(({ start }, next) => start - (used[next - 1]?.end ?? first) >= length)
    if (at < 0)
      throw cannot('cannot-fit', 'build', label, said`there is no room for the list of files left out`)
    const start = used[at - 1]?.end ?? first
    places[number] = start
    used.push({ start, end: start + length })
  }
  return { sectors, firstSectors: places }
}

function sectorsOf(bytes: number): number {
  return Math.ceil(bytes / SECTOR)
}
