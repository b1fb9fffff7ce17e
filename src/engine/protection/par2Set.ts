import type { FilePart } from '../native/protection'
import { compareIdentities, par2Identity } from './par2Packets'

/** A file of a set: where it is read, and its name in the set. */
export interface SetFile extends FilePart {
  /** Below the folder that the set lies in, with `/`. */
  readonly name: string
}

/** The index of each file's first block, in the order of the identities. */
export function firstBlocks(
  files: readonly Pick<SetFile, 'name' | 'bytes'>[],
  startOf: (at: number) => Uint8Array,
  blockBytes: number,
): Float64Array {
  const ordered = files
    .map((file, at) => ({ at, identity: par2Identity({ ...file, md5OfStart: startOf(at) }) }))
    .toSorted((one, other) => compareIdentities(one.identity, other.identity))
  const first = new Float64Array(files.length)
  let block = 0
  for (const { at } of ordered) {
    first[at] = block
    block += Math.ceil((files[at] as Pick<SetFile, 'bytes'>).bytes / blockBytes)
  }
  return first
}
