import type { SurveyEntry } from '../../src/engine/catalog/entry'
import { type SourceEntries, sourceEntries } from '../../src/engine/survey/sourceEntries'
import { bytes } from '../../src/primitives/bytes'

/** A file of a source that is on no disk. */
export interface FileInMemory {
  readonly path: string
  readonly bytes: number
}

/** A source of files below `/source`, by their names and sizes alone. */
export function sourceInMemory(files: readonly FileInMemory[]): SourceEntries {
  const entryOf = (path: string, size: number, kind: 'file' | 'folder', id: number): SurveyEntry => ({
    id,
    kind,
    rootIndex: 0,
    path,
    bytes: bytes(size),
    allocatedBytes: bytes(size),
    mtimeNs: 1_700_000_000_000_000_000n,
    ctimeNs: 1_700_000_000_000_000_000n,
    device: 0n,
    inode: 0n,
    mode: kind === 'folder' ? 0o755 : 0o644,
    digest: null,
    sha256: null,
    linkOf: null,
    linkTarget: null,
  })
  const parents = ({ path }: FileInMemory): string[] =>
    path.split('/').flatMap((_, at, names) => (at === 0 ? [] : [names.slice(0, at).join('/')]))
  const folders = ['', ...new Set(files.flatMap(parents))]
  return sourceEntries(
    ['/source'],
    [
      ...folders.map((path, at) => entryOf(path, 0, 'folder', at + 1)),
      ...files.map(({ path, bytes: size }, at) => entryOf(path, size, 'file', folders.length + at + 1)),
    ],
  )
}
