import type { PlanProblem } from '../planDocument'

/**
 * `hardLink`: a further name of a file of the same inventory. Which of a file's names is called the
 * file does not matter.
 */
export type InventoryKind = 'file' | 'folder' | 'symlink' | 'hardLink'

/** One entry to be put on a volume. */
export interface InventoryItem {
  /** The caller's number for this entry, unique in the inventory; assignments give it back. */
  readonly index: number
  /**
   * Where it will be on its volume: lossless text form, `/` separated, no leading slash. Empty: the
   * volume's root itself.
   */
  readonly path: string
  readonly kind: InventoryKind
  /** Bytes of a file or of the file that a hard link names; 0 for everything else. */
  readonly bytes: number
  /** For a hard link: the index of the file. */
  readonly linkOf?: number | undefined
  /**
   * For a file: the index of the file whose volume it is on too, which has none itself. It counts
   * only where one volume can hold all that belong to that file.
   */
  readonly with?: number | undefined
  /** For a symlink: the length of what it points to, in bytes. Assumed to be 255 when absent. */
  readonly targetBytes?: number | undefined
}

/** An entry of the inventory that is on a volume as it is. */
interface WholeAssignment {
  readonly kind: 'whole'
  readonly index: number
}

/**
 * A piece of a file that is larger than a volume. `cat` of all parts in the order of their names is
 * the file again.
 */
interface PartAssignment {
  readonly kind: 'part'
  readonly index: number
  /** The part's own path on the volume. */
  readonly path: string
  /** From 1 to `parts`. */
  readonly part: number
  readonly parts: number
  readonly offset: number
  readonly bytes: number
}

/**
 * A further name of a split file: no volume holds it, the index of the volume with the last part
 * does.
 */
interface NameAssignment {
  readonly kind: 'name'
  readonly index: number
  /** The path of the split file, by which its parts know it. */
  readonly linkOf: string
}

/** A folder that entries lie in without the inventory having an entry for it. */
interface ImpliedFolderAssignment {
  readonly kind: 'impliedFolder'
  readonly path: string
}

export type Assignment = WholeAssignment | PartAssignment | NameAssignment | ImpliedFolderAssignment

/** The content of one volume. */
export interface PackedVolume {
  /** Names this volume to `tightenAllowances`; not its place in the list. */
  readonly bin: number
  /**
   * Folders before what they hold, otherwise in the order of names. A folder that is spread over
   * volumes is on each of them.
   */
  readonly assignments: readonly Assignment[]
  /** Names of files, further names of the same file and parts included. */
  readonly files: number
  /** How many of `files` are further names of a file that is on this volume too. */
  readonly hardLinks: number
  readonly parts: number
  readonly folders: number
  readonly symlinks: number
  /** Bytes of the source: a file with several names on this volume counts once. */
  readonly bytes: number
  /**
   * The size of the volume by the cost model, its own base included and the reserve not: never
   * below the actual size by its bound.
   */
  readonly modelSectors: number
  /** The sectors that the model was allowed to use. */
  readonly allowanceSectors: number
}

/** A whole source on volumes. */
export interface Packing {
  readonly volumes: readonly PackedVolume[]
  readonly splitFiles: number
  /**
   * Sum over folders of the volumes that each is on, less one: 0 when every folder is in one place.
   * The root does not count.
   */
  readonly folderBreaks: number
  /** Folders on several volumes that one volume could hold with everything in them. */
  readonly brokenFolders: number
  /**
   * No packing of this inventory on such volumes that splits only what is larger than a volume has
   * fewer of them.
   */
  readonly lowerBoundVolumes: number
  /** By the cost model, with every folder on one volume: no packing takes less besides bases. */
  readonly leastBytes: number
  /** The files whose companions, and all names of these, no volume could hold together. */
  readonly apart: readonly number[]
  readonly problems: readonly PlanProblem[]
}
