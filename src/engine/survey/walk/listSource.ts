import { setTimeout } from 'node:timers/promises'
import type { PresetName } from '../../../domain/survey/rules/presets'
import type { Excluded, Rules } from '../../../domain/survey/rules/rules'
import type { DeviceKind } from '../../../domain/survey/surveyDocument'
import type { Pause } from '../../jobs/slowly'
import {
  type EntryBatch,
  type NativeProgress,
  type NativeSurvey,
  startNativeSurvey,
} from '../../native/addon'
import { excludedList } from '../rules/excludedList'
import { nativeRules } from '../rules/nativeRules'

const POLL_MS = 20

/** The sources to list. */
export interface ListedSource {
  readonly roots: readonly string[]
  readonly leaveOut: readonly string[]
  readonly rules: Rules
  /** Presets that are counted as if each were used; none by default. */
  readonly tried?: readonly PresetName[]
  /** Paths of what rules left out that are kept; a few by default. */
  readonly mostListed?: number
}

/** The facts of a listing besides its entries. */
interface Listing {
  /** The files and folders that rules left out, counted; null where there are none. */
  readonly excluded: Excluded | null
  /** The figures of `tried`, in its order. */
  readonly trials: ReturnType<NativeSurvey['trialCounts']>
  readonly deviceKind: DeviceKind
}

/**
 * Lists sources as they are now, by names, sizes, times and targets of links; no file is opened
 * but ignore files and cache tags. A further name of a file has no size.
 * @param take is called for each batch, which is valid only during the call
 * @param onProgress is told again and again how far it is
 * @throws AppError as `pause` does, which ends it
 */
export async function listSource(
  { roots, leaveOut, rules, tried = [], mostListed }: ListedSource,
  pause: Pause,
  take: (batch: EntryBatch) => void,
  onProgress: (progress: NativeProgress) => void = () => {},
): Promise<Listing> {
  const native = startNativeSurvey({
    roots,
    leaveOut,
    rules: nativeRules(rules, tried),
    walkOnly: true,
    countExcluded: true,
    blocksFrom512: false,
    sha256: false,
    maxTableBytes: 1 << 20,
    marks: false,
  })
  const leftOut = excludedList(native, roots, {
    rules,
    counted: true,
    ...(mostListed !== undefined && { mostListed }),
  })
  try {
    let hasEnded = false
    const finished = native.finished.then(() => {
      hasEnded = true
    })
    finished.catch(() => {})
    for (;;) {
      const isLast = hasEnded
      const batch = native.takeEntries()
      if (batch) take(batch)
      leftOut.take()
      onProgress(native.progress())
      await pause()
      if (!batch && isLast) break
      if (!batch) await Promise.race([setTimeout(POLL_MS), finished])
    }
    const { reading } = await native.finished
    return {
      excluded: leftOut.excluded(),
      trials: native.trialCounts(),
      deviceKind: reading.deviceKind,
    }
  } finally {
    native.cancel()
    await native.finished.catch(() => {})
    await native.close()
  }
}
