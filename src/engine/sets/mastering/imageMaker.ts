import type { AppError } from '../../../primitives/appError'
import type { OtherSources } from '../../discImages/imageEntries'
import type { PlanBeforeSizing } from '../export/planBeforeSizing'
import type { ProtectedLayout, ProtectionRoom } from '../ownImage/plannedProtection'
import type { PlanFolder } from '../volume/planFolder'
import type { PlannedVolume, SizedVolume } from '../volume/plannedVolume'
import type { Skipped } from '../volume/skippedList'

/** The differences of an image from its plan, since sources changed. */
export interface ChangedSources {
  readonly otherSources: OtherSources
  readonly skipped: Skipped
}

/** Makes the images of a plan. Nothing else in the engine knows how. */
export interface ImageMaker {
  /** As plans name it. */
  readonly tool: string
  readonly version: string
  /** Options that a plan keeps, for a rebuild with the same bytes. */
  options(volumeDateWallMs: number): string[]
  /**
   * Sectors of 2,048 bytes that the image of a volume will have, exactly; its own files are below
   * `directory`.
   * @throws AppError `cancelled`, `vanished`, `tool-failed`, `cannot-fit`
   */
  sectors(
    plan: PlanBeforeSizing,
    volume: PlannedVolume,
    directory: string,
    signal?: AbortSignal,
  ): Promise<number>
  /**
   * The recovery data that a volume gets, and the size of its image with that. Its own files are
   * below `directory`, made for recovery data of as many sets and any size.
   * @returns null where there is no room for it, and of makers that make none
   * @throws AppError as `sectors`
   */
  protect(
    plan: PlanBeforeSizing,
    volume: PlannedVolume,
    directory: string,
    room: ProtectionRoom,
  ): Promise<ProtectedLayout | null>
  /**
   * Writes an image, with every file's digest as planned.
   * @param partial a path in the folder of the image, where nothing is yet
   * @param onBytes bytes of the work as `buildWork` lists it, and the files that are done by then
   * @param changes only for makers of plans that `canSkipChanged`
   * @returns what is wrong with its sources
   * @throws AppError `no-space`, `cancelled`, `tool-failed`, …
   */
  write(
    folder: PlanFolder,
    volume: SizedVolume,
    partial: string,
    watch: { readonly signal: AbortSignal; readonly onBytes: (done: number, files?: number) => void },
    changes?: ChangedSources,
  ): Promise<AppError[]>
  /**
   * Writes the same bytes to an open file, such as the end of a pipe; `onStart` may close the file
   * where another process has it by then.
   * @throws AppError as `write`, and the first thing that is wrong with the sources
   */
  stream(
    folder: PlanFolder,
    volume: SizedVolume,
    file: number,
    watch: { readonly signal: AbortSignal; readonly onStart: () => void },
    changes?: ChangedSources,
  ): Promise<void>
}
