import { RESTORE_SCHEMA, type RestoreDocument, type RestoreRequest } from '../../../contract/dto/restore'

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

/** The document of a restore while it runs. */
export type BegunDocument = Mutable<RestoreDocument>

/** The document of a restore of which nothing is done yet. */
export function begunDocument(
  { volumes, to }: RestoreRequest,
  begun: { readonly id: string; readonly startedWallMs: number },
): BegunDocument {
  return {
    schema: RESTORE_SCHEMA,
    id: begun.id,
    volumes: [...volumes],
    directory: to,
    startedWallMs: begun.startedWallMs,
    elapsedMs: 0,
    outcome: 'done',
    files: 0,
    bytes: 0,
    restored: 0,
    restoredBytes: 0,
    kept: 0,
    folders: 0,
    symlinks: 0,
    damaged: [],
    missing: [],
    differing: [],
    repaired: 0,
    volumesNeeded: [],
    damagedLists: [],
    notes: [],
    renamed: 0,
    linksLeft: 0,
    ownersLeft: 0,
    notPutBack: [],
    untrusted: 0,
  }
}
