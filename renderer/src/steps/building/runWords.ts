import type { JobKind } from '../../../../src/contract/dto/job'
import type { RunDocument } from '../../../../src/contract/dto/run'
import { type CopyKey, t } from '../../copy'
import { type BuildRow, type BuildState, isVerifiedRow, lastRun, stoppedRun } from './buildState'

export function buildWords(build: BuildState, built: boolean, again: boolean): string {
  const { picked, plan } = build
  const count = picked.length
  // What is packed anew is packed as a whole.
  if (count > 0 && !(built && plan?.packing)) return t('build.some', { count })
  if (!built && stoppedRun(build)?.kind === 'build') return t('build.continue')
  return t(again ? 'build.again' : 'build.all')
}

export function verifyWords(build: BuildState): string {
  const count = build.picked.length
  if (count > 0) return t('build.verifySome', { count })
  return t(stoppedRun(build)?.kind === 'verify' ? 'build.verifyRest' : 'build.verifyAll')
}

export type NextStep = 'build' | 'verify' | 'write' | 'show'

/**
 * The next step after a build: discs that were read back need none; images are verified before they
 * are written.
 */
export function nextStep(
  { built, verified, written, failed }: ReturnType<typeof standing>,
  isOptical: boolean,
): NextStep {
  if (failed) return 'build'
  if (written) return 'show'
  if (!built && !verified) return 'build'
  if (!verified) return 'verify'
  return isOptical ? 'write' : 'show'
}

/**
 * How far the volumes in hand are: the picked ones, or all. What is built already is built again
 * only by force.
 */
export function standing(
  build: BuildState,
  all: readonly BuildRow[],
): Record<'built' | 'verified' | 'written' | 'failed', boolean> {
  const rows = all.filter((row) => build.picked.length === 0 || build.picked.includes(row.index))
  return {
    built: rows.length > 0 && rows.every(({ build: made }) => made !== null && isWhole(made)),
    verified: rows.length > 0 && rows.every(isVerifiedRow),
    written: rows.length > 0 && rows.every(({ write }) => write !== null && isWhole(write)),
    failed: rows.some(
      (row) => row.check?.result === 'damaged' || (row.check === null && row.verify?.state === 'failed'),
    ),
  }
}

/** The result of the last run in a sentence; of one that was stopped, how far it got. */
export function sayRuns(build: BuildState, rows: readonly BuildRow[], running: JobKind | null): string {
  if (build.plan === null) return t('build.says.none')
  const isPacked = build.plan.packing !== undefined
  if (build.isOneRun && (running === 'build' || running === 'verify')) return t('build.says.oneRun')
  if (running === 'verify') return t('build.says.verifying')
  if (running === 'write') return t(build.to?.kind === 'folder' ? 'build.says.copying' : 'build.says.writing')
  if (running) return t(isPacked ? 'build.says.runningPacked' : 'build.says.running')
  const { verify, build: made, write } = build
  const { verified, failed } = standing(build, rows)
  const stopped = stoppedRun(build)
  if (stopped !== null && !(stopped.kind === 'verify' && (verified || failed))) return stoppedWords(stopped)
  if (write !== null && lastRun(build) === write) return t(writtenWords(write))
  if (failed || verify?.outcome === 'failed') return t('build.says.notVerified')
  if (verified) return t(verifiedWords(verify, isPacked))
  const count = rows.filter(isVerifiedRow).length
  if (count > 0) return t('build.says.partlyVerified', { done: count, count: rows.length })
  if (made?.outcome === 'done') return t('build.says.built')
  if (made) return t(made.volumes.some(isWhole) ? 'build.says.notBuilt' : 'build.says.nothingBuilt')
  return t('build.says.ready', { count: build.plan.totals.volumes })
}

function stoppedWords({ kind, outcome, volumes }: RunDocument): string {
  const done = volumes.filter(isWhole).length
  const how = outcome === 'interrupted' ? 'interrupted' : 'cancelled'
  return t(`build.says.${how}.${kind}`, { done, count: volumes.length })
}

function verifiedWords(verify: RunDocument | null, isPacked: boolean): CopyKey {
  const isSkipping = verify?.volumes.some(({ skipped = [] }) => skipped.length > 0) === true
  if (isSkipping) return 'build.says.verifiedSkipping'
  return isPacked ? 'build.says.verifiedPacked' : 'build.says.verified'
}

function writtenWords({ outcome, target }: RunDocument): CopyKey {
  const isDone = outcome === 'done'
  if (target?.kind === 'folder') return isDone ? 'build.says.copied' : 'build.says.notCopied'
  return isDone ? 'build.says.written' : 'build.says.notWritten'
}

function isWhole({ state }: { readonly state: string }): boolean {
  return state === 'done' || state === 'kept'
}
