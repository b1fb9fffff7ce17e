/** Something outside of the data folder that a job takes away again, as noted before it is made. */
type PlaceNote =
  /** Made by us, of no use to anybody once its process has ended. */
  | { readonly kind: 'scratch'; readonly path: string }
  /**
   * A file or folder that was at `target` and is set aside at `path`, until what is at `made` has
   * taken its place. A plan's folder (`replaced-plan`) stays at `path`.
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

/** The journal of what jobs leave behind when their process is killed; the catalog keeps it. */
export interface PlaceStore {
  /** Returns when the note is on the disk: only then may the place be made. */
  notePlace(note: PlaceNote): NotedPlace
  notedPlaces(): NotedPlace[]
  /** Strikes out a place where nothing is left to do. */
  placeGone(noted: NotedPlace): void
}

/** The journal as those see it who make things that must not stay. */
export type PlaceNotes = Pick<PlaceStore, 'notePlace' | 'placeGone'>
