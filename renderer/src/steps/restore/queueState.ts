import type { QueuedVolume, QueueRequest, RestoreQueue } from '../../../../src/contract/dto/restoreQueue'

/** The discs that a restore asks for, one after another. */
export interface AskedDiscs {
  /** The discs for all files that are chosen, without those in `given`. */
  readonly queue: RestoreQueue
  /** Labels of the discs whose files are restored, in the order in which they were given. */
  readonly given: readonly string[]
  /** Copies that the person skipped, or that were damaged. */
  readonly without: QueueRequest['without']
  /** The place that the last disc was fetched from, where it is known. */
  readonly near: QueueRequest['near']
  /** The discs that are being read; none while the next one is asked for. */
  readonly reading: readonly string[]
  /** The label of another disc that was given in place of the next; empty for one without. */
  readonly wrong: { readonly label: string; readonly isOfSet: boolean } | null
}

/** The disc to be given next; null when none is left. */
export function nextDisc({ queue }: AskedDiscs): QueuedVolume | null {
  return queue.volumes[0] ?? null
}
