import type { FileRow, PartRow } from '../../src/engine/sets/volume/lists/setIndex'

const FACTS = {
  mode: null,
  mtimeNs: null,
  owner: null,
  attributes: [],
  method: null,
  sector: null,
  holes: false,
} as const

/** A file of three bytes as an index lists it; its path is its digest too. */
export function fileRow(path: string, volume: number, more: Partial<FileRow> = {}): FileRow {
  const own = {
    kind: 'file',
    path,
    volume,
    label: `D_${volume}`,
    bytes: 3,
    sha256: path,
    linkOf: null,
  } as const
  return { ...FACTS, ...own, packed: null, ...more }
}

/** A part of three bytes of a file, on the volume with its number. */
export function partRow(whole: string, number: number, offset = 3 * number): PartRow {
  const own = { kind: 'part', path: `${whole}.00${number}`, volume: number, label: `D_${number}` } as const
  return { ...FACTS, ...own, bytes: 3, sha256: `${number}`, whole, offset, wholeSha256: whole }
}
