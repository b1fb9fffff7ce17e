import { setTimeout } from 'node:timers/promises'
import type { Excluded, Rules } from '../../../domain/survey/rules/rules'
import type { Pause } from '../../jobs/slowly'
import { type EntryBatch, startNativeSurvey } from '../../native/addon'
import { excludedList } from '../rules/excludedList'
import { nativeRules } from '../rules/nativeRules'

const POLL_MS = 20

/**
 * Lists sources as they are now, by names, sizes, times and targets of links; no file is opened
 * but ignore files and cache tags.
 * @param take is called for each batch, which is valid only during the call
 * @returns what rules left out, counted; null where there is none
 * @throws AppError as `pause` does
 */
export async function listSource(
  {
    roots,
    leaveOut,
    rules,
  }: { readonly roots: readonly string[]; readonly leaveOut: readonly string[]; readonly rules: Rules },
  pause: Pause,
  take: (batch: EntryBatch) => void,
): Promise<Excluded | null> {
  const native = startNativeSurvey({
    roots,
    leaveOut,
    rules: nativeRules(rules),
    walkOnly: true,
    countExcluded: true,
    blocksFrom512: false,
    sha256: false,
    maxTableBytes: 1 << 20,
    marks: false,
  })
  const leftOut = excludedList(native, roots, { rules, counted: true })
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
      await pause()
      if (!batch && isLast) break
      if (!batch) await Promise.race([setTimeout(POLL_MS), finished])
    }
    await finished
    return leftOut.excluded()
  } finally {
    native.cancel()
    await native.finished.catch(() => {})
    await native.close()
  }
}
