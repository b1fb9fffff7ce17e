import { setTimeout } from 'node:timers/promises'
import type { WalkRequest } from '../../../contract/dto/survey'
import { NO_RULES } from '../../../domain/survey/rules/rules'
import type { WalkDocument } from '../../../domain/survey/sourceWalk'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Job, JobContext } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { type EntryBatch, NATIVE_KIND, startNativeSurvey } from '../../native/addon'
import { excludedList } from '../rules/excludedList'
import { nativeRules, requireUsableRules } from '../rules/nativeRules'
import { presetCounts, unusedPresets } from '../rules/presetCounts'
import { absolutePath, isSkip } from '../surveyFigures'
import { surveyRoots } from '../surveyRoots'
import { SourceTree } from './sourceTree'

const POLL_MS = 20
const LISTED_SKIPS = 1000

/** A walk over a source, as long as the engine lives. */
export interface SourceWalk {
  readonly document: WalkDocument
  readonly tree: SourceTree
}

/**
 * Lists the sources, what rules leave out of them included, by names and sizes: no file is opened
 * but ignore files and cache tags.
 * @throws AppError `bad-input` for rules that cannot be carried out
 */
export function walkJob(
  request: WalkRequest,
  tools: { readonly walks: KeptResults<SourceWalk>; readonly leaveOut: readonly string[] },
): Job {
  requireUsableRules(request.rules)
  return {
    kind: 'walk',
    title: 'Listing of the sources',
    run: (context) => walk(request, tools, context),
  }
}

async function walk(
  { paths, rules = NO_RULES, everyPath }: WalkRequest,
  { walks, leaveOut }: Parameters<typeof walkJob>[1],
  context: JobContext,
): Promise<string> {
  const startedMs = context.clock.monotonicMs()
  const roots = await surveyRoots(paths)
  const native = startNativeSurvey({
    roots,
    leaveOut,
    rules: nativeRules(rules, unusedPresets(rules)),
    countExcluded: true,
    walkOnly: true,
    blocksFrom512: false,
    sha256: false,
    maxTableBytes: 1 << 20,
    marks: false,
  })
  const cancel = (): void => native.cancel()
  context.signal.addEventListener('abort', cancel, { once: true })
  if (context.signal.aborted) cancel()
  try {
    const excluded = excludedList(native, roots, {
      rules,
      counted: true,
      mostListed: Number.POSITIVE_INFINITY,
    })
    const tree = new SourceTree(roots)
    const counted = tally(roots)
    let hasEnded = false
    const finished = native.finished.then(() => {
      hasEnded = true
    })
    finished.catch(() => {})
    for (;;) {
      const isLast = hasEnded
      const batch = native.takeEntries()
      if (batch) {
        tree.add(batch)
        counted.add(batch)
      }
      excluded.take()
      report(native.progress(), context)
      if (!batch && isLast) break
      if (!batch) await Promise.race([setTimeout(POLL_MS), finished])
      else await setTimeout(0)
    }
    await finished
    if (context.signal.aborted) throw new AppError('cancelled', said`the listing was cancelled`)
    const left = excluded.excluded()
    tree.addExcluded(left?.paths ?? [])
    tree.finish()
    const id = context.newId('w')
    const document: WalkDocument = {
      schema: 'stowage.walk/1',
      id,
      roots,
      rules,
      totals: counted.totals,
      excluded: left && { ...left, paths: everyPath ? left.paths : left.paths.slice(0, LISTED_SKIPS) },
      presets: presetCounts(rules, left?.rules ?? [], native.trialCounts()),
      skipped: counted.skipped,
      elapsedMs: context.clock.monotonicMs() - startedMs,
    }
    return walks.keep(id, { document, tree })
  } finally {
    context.signal.removeEventListener('abort', cancel)
    native.cancel()
    await native.finished.catch(() => {})
    await native.close()
  }
}

function report(
  { filesFound, current }: { filesFound: number; current: string | null },
  context: JobContext,
): void {
  context.progress({
    phase: { index: 1, count: 1, name: 'listing' },
    filesDone: filesFound,
    filesTotal: null,
    bytesDone: 0,
    bytesTotal: null,
    current,
  })
}

/** Counts what is kept. */
function tally(roots: readonly string[]): {
  add(batch: EntryBatch): void
  readonly totals: WalkDocument['totals']
  readonly skipped: WalkDocument['skipped']
} {
  const totals = { files: 0, folders: 0, bytes: 0, symlinks: 0, hardLinks: 0, special: 0, skipped: 0 }
  const skipped: WalkDocument['skipped'] = []
  return {
    totals,
    skipped,
    add(batch) {
      for (let index = 0; index < batch.count; index++) {
        switch (batch.kinds[index]) {
          case NATIVE_KIND.file:
            totals.files += 1
            totals.bytes += batch.bytes[index] ?? 0
            break
          case NATIVE_KIND.folder:
            totals.folders += 1
            break
          case NATIVE_KIND.symlink:
            totals.symlinks += 1
            break
          case NATIVE_KIND.hardLink:
            totals.hardLinks += 1
            break
          default:
        }
      }
      for (const [index, skip] of batch.skips) {
        if (!isSkip(skip)) {
          totals.special += 1
          continue
        }
        totals.skipped += 1
        if (skipped.length < LISTED_SKIPS) skipped.push({ path: absolutePath(batch, index, roots), ...skip })
      }
    },
  }
}
