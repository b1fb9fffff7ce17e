import type { PlanEntry } from '../../../contract/dto/plan'

export type FileEntry = Extract<PlanEntry, { kind: 'file' }>

/**
 * A file that packing made for a volume: an archive, a compressed file, or a file of a repository.
 */
export interface MadeFile {
  /** Where it is on its volume, and below the folder that it was made in. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  /** Device and number, by which further names of one file are known. */
  readonly identity: string
  /** The permanent name of its own recipe, in plans that mix recipes. */
  readonly method?: string | undefined
}

/** The result of packing some files, below a folder of its own, ready to go on volumes. */
export interface Made {
  readonly files: readonly MadeFile[]
  /** Folders that belong to a repository; others are only above files. */
  readonly folders: readonly string[]
  /** The source's files with the containers that hold them, links included. */
  readonly members: readonly FileEntry[]
}
