import { setTimeout } from 'node:timers/promises'
import type { WalkRequest } from '../../../contract/dto/survey'
import { NO_RULES } from '../../../domain/survey/rules/rules'
import type { WalkDocument } from '../../../domain/survey/sourceWalk'
import type { SurveyTotals } from '../../../domain/survey/surveyDocument'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Job, JobContext } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { startNativeSurvey } from '../../native/addon'
import { excludedList } from '../rules/excludedList'
import { nativeRules, requireUsableRules } from '../rules/nativeRules'
import { presetCounts, unusedPresets } from '../rules/presetCounts'
import { surveyFigures } from '../surveyFigures'
import { surveyRoots } from '../surveyRoots'
import { type LookSource, lookSource } from './lookSource'
import { SourceDraw } from './sourceDraw'
import { SourceTree } from './sourceTree'

const POLL_MS = 20
/** Paths that were left out, in the document. */
const LISTED = 1000

/** A walk over a source, as long as the engine lives. */
export interface SourceWalk {
  readonly document: WalkDocument
  readonly tree: SourceTree
  /** Null where no look was asked for. */
  readonly look: LookSource | null
}

/**
 * Lists the sources, what rules leave out of them included, by names and sizes: no file is opened
 * but ignore files and cache tags.
 * @throws AppError `bad-input` for rules that cannot be carried out
 */
export function walkJob(
  request: WalkRequest,
  tools: {
    readonly walks: KeptResults<SourceWalk>
    readonly leaveOut: readonly string[]
    /** Tells one draw of the same sources from another; 0 by default. */
    readonly draw?: number
  },
): Job {
  requireUsableRules(request.rules)
  return {
    kind: 'walk',
    title: 'Listing of the sources',
    run: (context) => walk(request, tools, context),
  }
}

async function walk(
  { paths, rules = NO_RULES, everyPath, look }: WalkRequest,
  { walks, leaveOut, draw }: Parameters<typeof walkJob>[1],
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
    const counted = surveyFigures(roots, { areRead: false, withStrata: look })
    const drawing = look ? new SourceDraw(draw) : null
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
        counted.add(batch, 0, batch.count)
        drawing?.add(batch)
      }
      excluded.take()
      report(native.progress(), context)
      if (!batch && isLast) break
      if (!batch) await Promise.race([setTimeout(POLL_MS), finished])
      else await setTimeout(0)
    }
    await finished
    const { reading } = await native.finished
    if (context.signal.aborted) throw new AppError('cancelled', said`the listing was cancelled`)
    const left = excluded.excluded()
    tree.addExcluded(left?.paths ?? [])
    tree.finish()
    const id = context.newId('w')
    const figures = counted.figures()
    const document: WalkDocument = {
      schema: 'stowage.walk/1',
      id,
      roots,
      rules,
      totals: totalsOf(figures.totals),
      excluded: left && { ...left, paths: everyPath ? left.paths : left.paths.slice(0, LISTED) },
      presets: presetCounts(rules, left?.rules ?? [], native.trialCounts()),
      skipped: figures.skipped,
      elapsedMs: context.clock.monotonicMs() - startedMs,
    }
    const source = drawing && lookSource(counted, drawing, reading.deviceKind)
    return walks.keep(id, { document, tree, look: source })
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

function totalsOf(totals: SurveyTotals): WalkDocument['totals'] {
  const { files, folders, bytes, symlinks, hardLinks, skipped, special = 0 } = totals
  return { files, folders, bytes, symlinks, hardLinks, skipped, special }
}
