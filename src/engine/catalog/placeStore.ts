import type { Database } from 'better-sqlite3'
import { pathFromBytes, pathToBytes } from '../../primitives/pathText'
import { ownIdentity } from '../files/processIdentity'

/** Something outside of the data folder that a job takes away again, as noted before it is made. */
export type PlaceNote =
  /** Made by us, of no use to anybody once its process has ended. */
  | { readonly kind: 'scratch'; readonly path: string }
  /**
   * A file or folder that was at `target` and is set aside at `path`, until what is at `made` has taken its place. Of a plan's
   * folder (`replaced-plan`) what is not part of the plan goes into the new one then.
   */
  | {
      readonly kind: 'replaced' | 'replaced-plan'
      readonly path: string
      readonly target: string
      readonly made: string
      /** Tells what was made from anything else that may be at `target` later. */
      readonly madeIdentity: string
    }

export type NotedPlace = PlaceNote & {
  readonly number: number
  /** The process that made the note: see `mayBeAlive`. */
  readonly owner: string
}

/** The catalog's journal of what jobs leave behind when their process is killed. */
export interface PlaceStore {
  /** Returns when the note is on the disk: only then may the place be made. */
  notePlace(note: PlaceNote): NotedPlace
  notedPlaces(): NotedPlace[]
  /** Strikes out a place where nothing is left to do. */
  placeGone(noted: NotedPlace): void
}

interface Row {
  readonly number: number
  readonly kind: string
  readonly path: Uint8Array
  readonly target: Uint8Array | null
  readonly made: Uint8Array | null
  readonly madeIdentity: string | null
  readonly owner: string
}

export function placeStore(writer: Database): PlaceStore {
  return {
    notePlace(note) {
      const [target, made, identity] =
        note.kind === 'scratch'
          ? [null, null, null]
          : [pathToBytes(note.target), pathToBytes(note.made), note.madeIdentity]
      const owner = ownIdentity()
      const { lastInsertRowid } = writer
        .prepare(
          'INSERT INTO noted_places (kind, path, target, made, made_identity, owner) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(note.kind, pathToBytes(note.path), target, made, identity, owner)
      return { ...note, number: Number(lastInsertRowid), owner }
    },
    notedPlaces: () =>
      writer
        .prepare<[], Row>(
          'SELECT number, kind, path, target, made, made_identity AS madeIdentity, owner FROM noted_places ORDER BY number',
        )
        .all()
        .map(notedPlace),
    placeGone({ number }) {
      writer.prepare('DELETE FROM noted_places WHERE number = ?').run(number)
    },
  }
}

function notedPlace({ number, kind, owner, ...row }: Row): NotedPlace {
  const path = pathFromBytes(row.path)
  if (row.target === null || row.made === null || row.madeIdentity === null)
    return { kind: 'scratch', path, number, owner }
  return {
    kind: kind === 'replaced-plan' ? kind : 'replaced',
    path,
    target: pathFromBytes(row.target),
    made: pathFromBytes(row.made),
    madeIdentity: row.madeIdentity,
    number,
    owner,
  }
}
