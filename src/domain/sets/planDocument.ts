import type { Estimate } from '../../primitives/estimate'
import type { Medium } from '../media/medium'
import type { Encryption } from '../options/recipes/variant'
import type { Ownership } from './ownership'
import type { PlanTimes } from './times/planTimes'

/** Figures of a whole plan. */
export interface PlanTotals {
  /** Names of files in the source, further names of the same file included. */
  files: number
  folders: number
  symlinks: number
  /** Bytes of the source: a file with several names counts once. */
  bytes: number
  volumes: number
  splitFiles: number
  /** No plan for this source can have fewer volumes. */
  lowerBoundVolumes: number
}

/** A top folder's share of a volume, for the gauges; the last one may stand for the rest with an empty path. */
export interface VolumeShare {
  path: string
  bytes: number
  files: number
}

export interface PlanVolume {
  index: number
  label: string
  /** Sectors of the finished image, as the mastering tool reports them. */
  sectors: number
  capacitySectors: number
  /** Files of the source on this volume (a part of a split file counts as one) and their bytes. */
  files: number
  bytes: number
  reserveBytes: number
  shares: VolumeShare[]
}

export interface PlanList {
  path: string
  bytes: number
  sha256: string
}

/** Something a person should know before accepting the plan. `blocking` ones must be gone before it can be exported. */
export interface PlanProblem {
  code: string
  message: string
  path?: string | undefined
  blocking: boolean
}

/** How the files of a plan are packed. Its volumes then say what is forecast; building makes the archives and settles their places. */
export interface PlanPacking {
  /** The permanent name of the recipe, such as `7z-solid-64m-path`. */
  recipe: string
  /** `independent`: each volume can be restored alone. `joined`: one archive is cut over all of them. */
  arrangement: 'independent' | 'joined'
  encryption: Encryption
  /** Bytes of all archives together. The volumes are planned for the upper end. */
  bytes: Estimate
  /** Only of what was packed volume by volume: its index was written before, so it has no sizes and digests of archives. */
  streamed?: true | undefined
  /** The disk in a disk image whose file system only macOS writes: `build-on-mac.sh` makes it. Absent for all else. */
  image?: PlannedImage | undefined
}

/** A disk image that is to be made on a Mac. */
export interface PlannedImage {
  /** Of the disk in it: the most that it may hold, with its file system. */
  bytes: number
  /** Of a sparse bundle; null for kinds without bands. */
  bandBytes: number | null
}

/** A plan's own figures; the entry lists next to it say which entry is on which volume. */
export interface PlanDocument {
  schema: 'stowage.plan/1' | 'stowage.plan/2'
  id: string
  createdWallMs: number
  surveyId: string
  roots: string[]
  medium: Medium
  /** Absent where files are stored as they are. */
  packing?: PlanPacking | undefined
  /** Files with the same content are stored once on a volume: as hard links in a folder, in one place of an image. */
  equalFiles?: 'once' | undefined
  totals: PlanTotals
  mastering: {
    tool: string
    version: string
    options: string[]
    /** Volume dates in the images, so that a volume can be rebuilt identically. */
    volumeDateWallMs: number
  }
  volumes: PlanVolume[]
  /** Older versions did not forecast them. */
  times?: PlanTimes | undefined
  /**
   * The files of an exported plan but `plan.json`, by their paths below its folder: `index.tsv` and all below `volumes` list what
   * is on its volumes. Older versions listed only these, or none; in the catalog there are none.
   */
  lists?: PlanList[] | undefined
  problems: PlanProblem[]
}

/** Metadata of a file of the source; restoring puts it back. */
interface FileFacts extends Packed, Ownership {
  mtimeNs?: string | undefined
  mode?: number | undefined
  /** Of a further name of a file: the path of its first name. */
  linkOf?: string | undefined
  /** The file occupied less than its size: it had holes, or its file system compressed it. */
  holes?: true | undefined
}

/** What belongs to a packed set: archives and the like, and the files in them. */
interface Packed {
  /** The path of the container on the volumes that holds this file. */
  in?: string | undefined
  /** Its name in the container where that is not its path. */
  member?: string | undefined
  /** Of a container, or a part of one: the permanent name of its recipe. */
  method?: string | undefined
}

/**
 * One line of a volume's entry list (`volumes/NN/entries.jsonl`).
 * `path` is relative to the root of the volume; `source` is the absolute path it is taken from.
 */
export type PlanEntry =
  | (FileFacts & {
      kind: 'file'
      path: string
      source: string
      bytes: number
      sha256: string
    })
  | (FileFacts & {
      kind: 'part'
      path: string
      source: string
      bytes: number
      sha256: string
      /** Where this part lies in the whole file, which part it is, and what the whole is once rejoined. */
      offset: number
      part: number
      parts: number
      wholePath: string
      wholeBytes: number
      wholeSha256: string
    })
  | (Ownership & {
      kind: 'folder'
      path: string
      source: string
      mtimeNs?: string | undefined
      mode?: number | undefined
      /** Of a repository: the permanent name of its recipe. */
      method?: string | undefined
    })
  | (Ownership & {
      kind: 'symlink'
      path: string
      source: string
      target: string
      mtimeNs?: string | undefined
    })
