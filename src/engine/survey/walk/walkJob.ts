import type { WalkRequest } from '../../../contract/dto/survey'
import { NO_RULES } from '../../../domain/survey/rules/rules'
import type { WalkDocument } from '../../../domain/survey/sourceWalk'
import type { SurveyTotals } from '../../../domain/survey/surveyDocument'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Job, JobContext } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { pausing } from '../../jobs/slowly'
import type { EntryBatch } from '../../native/addon'
import { requireUsableRules } from '../rules/nativeRules'
import { presetCounts, unusedPresets } from '../rules/presetCounts'
import { surveyFigures } from '../surveyFigures'
import { surveyRoots } from '../surveyRoots'
import { listSource } from './listSource'
import { type LookSource, lookSource } from './lookSource'
import { SourceDraw } from './sourceDraw'
import { SourceTree } from './sourceTree'

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
  const tree = new SourceTree(roots)
  const counted = surveyFigures(roots, { areRead: false, withStrata: look })
  const drawing = look ? new SourceDraw(draw) : null
  const pause = pausing(() => {
    if (context.signal.aborted) throw new AppError('cancelled', said`the listing was cancelled`)
  })
  const source = { roots, leaveOut, rules, tried: unusedPresets(rules), mostListed: Number.POSITIVE_INFINITY }
  const take = (batch: EntryBatch): void => {
    tree.add(batch)
    counted.add(batch, 0, batch.count)
    drawing?.add(batch)
  }
  const { excluded, trials, deviceKind } = await listSource(source, pause, take, (progress) =>
    report(progress, context),
  )
  tree.addExcluded(excluded?.paths ?? [])
  tree.finish()
  const id = context.newId('w')
  const figures = counted.figures()
  const document: WalkDocument = {
    schema: 'stowage.walk/1',
    id,
    roots,
    rules,
    totals: totalsOf(figures.totals),
    excluded: excluded && {
      ...excluded,
      paths: everyPath ? excluded.paths : excluded.paths.slice(0, LISTED),
    },
    presets: presetCounts(rules, excluded?.rules ?? [], trials),
    skipped: figures.skipped,
    elapsedMs: context.clock.monotonicMs() - startedMs,
  }
  const drawn = drawing && lookSource(counted, drawing, deviceKind)
  return walks.keep(id, { document, tree, look: drawn })
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
