import type { SurveyDocument } from '../../src/contract/dto/survey'
import type { NewEntry } from '../../src/engine/catalog/entry'
import type { Bytes } from '../../src/primitives/bytes'
import { pathToBytes } from '../../src/primitives/pathText'

/** What a survey's document says besides what is tested here: nothing. */
export const EMPTY_DOCUMENT = {
  schema: 'stowage.survey/1',
  createdWallMs: 1,
  totals: {
    files: 0,
    folders: 0,
    bytes: 0,
    allocatedBytes: 0,
    symlinks: 0,
    hardLinks: 0,
    hardLinkedBytes: 0,
    sparseBytes: 0,
    slackBytes: null,
    clonedBytes: null,
    emptyFiles: 0,
    skipped: 0,
  },
  fixedBlocks: [],
  chunked: [],
  compression: [],
  combined: [],
  solid: [],
  duplicateFiles: { groups: 0, files: 0, bytes: 0 },
  types: [],
  sizeHistogram: [],
  skipped: [],
  sha256: false,
  timing: { passMs: 1, wallMs: 1, peakRssBytes: 1, threads: 1, reading: null },
  partial: false,
} satisfies Omit<SurveyDocument, 'id' | 'roots'>

/** A file of a survey, whose content is identified by a number. */
export function fileEntry(id: number, path: string, content: number, bytes: number): NewEntry {
  const digest = new Uint8Array(16)
  new DataView(digest.buffer).setUint32(4, content)
  return {
    id,
    kind: 'file',
    rootIndex: 0,
    path: pathToBytes(path),
    bytes: bytes as Bytes,
    allocatedBytes: bytes as Bytes,
    mtimeNs: 0n,
    ctimeNs: 0n,
    device: 1n,
    inode: BigInt(id),
    mode: 0o100644,
    digest,
    sha256: null,
    linkTarget: null,
  }
}
