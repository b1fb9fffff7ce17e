import { createHash } from 'node:crypto'
import { placeKey, type VolumeCopy } from '../../../domain/sets/copies/copy'
import {
  FEWEST_COPIES,
  type PlaceRow,
  SAFE_SCHEMA,
  type SafeDocument,
} from '../../../domain/sets/copies/safeDocument'
import { type SourceFile, safeToDelete } from '../../../domain/sets/copies/safeToDelete'
import type { Way } from '../../../domain/sets/copies/safety'
import type { Catalog } from '../../catalog/catalog'
import type { HeldFiles } from '../../catalog/heldFile'
import type { SourceEntry } from '../../catalog/sourceFiles'
import { type Pause, resultOf } from '../../jobs/slowly'
import { heldVolumes } from './heldVolumes'
import { inFolders } from './inFolders'
import { type CopyCatalog, knownCopies, withoutPlaces } from './knownCopies'
import { disksAt, type LookedCopy, type Looking, lookAtCopies } from './lookAtCopies'
import { sourceNow } from './sourceNow'

type SafeCatalog = CopyCatalog &
  Pick<Catalog, 'survey' | 'sourceFiles' | 'surveySkips' | 'heldFiles' | 'ownPlaces' | 'plan'>

export interface SafeRequest {
  readonly surveyId: string
  /** Wished; null for those of the plans that hold its files. */
  readonly copies: number | null
  /** Counts only copies that were looked at. */
  readonly lookedAt: boolean
  /** How many paths and rows are listed. */
  readonly limit: number
}

const SHA256_OF_NOTHING = createHash('sha256').digest('hex').toUpperCase()
const STEP = 512

/**
 * Says if a source may be deleted, by the catalog, by looking at the copies that can be reached,
 * and by listing the source now; deletes nothing and opens no file of the source. A file counts by
 * its SHA-256, whichever plan put it on a volume, and a symbolic link by its target. Copies that
 * lie in the source itself do not count, nor those at whose place something else was found. Good
 * copies that cannot be reached count: nobody has all discs in drives.
 * @param nowWallMs decides which copies are overdue
 * @throws AppError `not-found` for a survey that does not exist, `cancelled`
 */
export async function safeSource(
  catalog: SafeCatalog,
  { surveyId, copies: asked, lookedAt, limit }: SafeRequest,
  {
    nowWallMs,
    pause,
    looking,
  }: { readonly nowWallMs: number; readonly pause: Pause; readonly looking: Looking },
): Promise<SafeDocument> {
  const survey = catalog.survey(surveyId)
  const { flaws, leftOut } = await sourceNow(catalog, survey, { limit, pause })
  const known = knownCopies(catalog, nowWallMs)
  const held = catalog.heldFiles(heldVolumes(known, catalog))
  const contents = await contentsOf(catalog, surveyId, held, pause)
  const isInSource = inFolders(survey.roots)
  const copiesAt = held.volumes.map(({ planId, volume }) =>
    known.filter((copy) => copy.planId === planId && copy.volume === volume),
  )
  const holding = contents.volumes.map((at) => held.volumes[at]?.planId ?? '')
  const wanted = asked ?? wantedBy(new Set(holding), catalog)
  const good = contents.volumes.flatMap((at) =>
    (copiesAt[at] ?? []).filter((copy) => copy.state === 'good' && !isInSource(copy)),
  )
  const looked = new Map((await lookAtCopies(good, looking)).map((copy, at) => [good[at], copy]))
  await pause()
  const counts = ({ look }: LookedCopy): boolean =>
    look.found === 'there' || (look.found === 'unreachable' && !lookedAt)
  const verdict = await resultOf(
    safeToDelete({
      wanted,
      files: contents.files(survey.roots),
      volumes: copiesAt.map((copies) => copies.flatMap((copy) => looked.get(copy) ?? []).filter(counts)),
      flaws,
      sourceDisks: (await Promise.all(survey.roots.map((root) => disksAt(root, looking.fileSystems)))).flat(),
      limit,
    }),
    pause,
  )
  const copies = contents.volumes.flatMap((at) => copiesAt[at] ?? []).map((copy) => looked.get(copy) ?? copy)
  return {
    schema: SAFE_SCHEMA,
    surveyId,
    roots: survey.roots,
    surveyedWallMs: survey.createdWallMs,
    atWallMs: nowWallMs,
    ...verdict,
    leftOut,
    ownFolders: (survey.leftOut ?? []).map(({ path }) => path),
    places: placesOf(copies),
    looked: countsOfLooks([...looked.values()]),
    copies: copies.map(withoutPlaces),
  }
}

function countsOfLooks(looked: readonly LookedCopy[]): NonNullable<SafeDocument['looked']> {
  const far = looked.filter(({ look }) => look.found === 'unreachable')
  const dates = far.flatMap(({ verifiedWallMs }) => verifiedWallMs ?? [])
  const there = looked.filter(({ look }) => look.found === 'there').length
  return {
    copies: looked.length,
    there,
    wrong: looked.length - far.length - there,
    verifiedWallMs: dates.length === 0 ? null : Math.min(...dates),
  }
}

/** The most that any of the plans wants. */
function wantedBy(planIds: ReadonlySet<string>, catalog: Pick<Catalog, 'plan'>): number {
  return Math.max(FEWEST_COPIES, ...[...planIds].map((id) => catalog.plan(id).copies ?? 0))
}

interface Contents {
  /** The places of volumes that hold some of them. */
  readonly volumes: readonly number[]
  files(roots: readonly string[]): Iterable<SourceFile>
}

/** How each content of the source can be restored. */
async function contentsOf(
  catalog: Pick<Catalog, 'sourceFiles'>,
  surveyId: string,
  held: HeldFiles,
  pause: Pause,
): Promise<Contents> {
  const ways = new Map<string, readonly Way[]>()
  const lists = new Map<string, readonly Way[]>([['', NOWHERE]])
  const volumes = new Set<number>()
  const hold = (content: string, way: Way): void => {
    const before = ways.get(content)
    if (before === undefined) return
    if (before.some((each) => each.length === way.length && each.every((volume, at) => volume === way[at])))
      return
    const all = [...before, way]
    // Most files share one of few lists of ways: each list is judged once.
    const key = all.map((each) => each.join(' ')).join(';')
    const shared = lists.get(key) ?? all
    lists.set(key, shared)
    ways.set(content, shared)
    for (const volume of way) volumes.add(volume)
  }
  let looked = 0
  for (const entry of catalog.sourceFiles(surveyId)) {
    if (++looked % STEP === 0) await pause()
    const content = contentOf(entry)
    if (content !== null) ways.set(content, NOWHERE)
  }
  for (const page of held.files()) {
    for (const { sha256, volumes: way } of page) hold(sha256, way)
    await pause()
  }
  for (const page of held.links()) {
    for (const { target, volumes: way } of page) hold(linkContent(target), way)
    await pause()
  }
  return {
    volumes: [...volumes].toSorted((one, other) => one - other),
    *files(roots) {
      for (const entry of catalog.sourceFiles(surveyId)) {
        const { kind, rootIndex, path: below, bytes } = entry
        if (kind === 'folder' || kind === 'hardLink') continue
        const content = contentOf(entry)
        const root = roots[rootIndex] ?? ''
        yield {
          path: below === '' ? root : `${root.replace(/\/$/, '')}/${below}`,
          bytes: kind === 'file' ? bytes : 0,
          ways: content === null ? null : (ways.get(content) ?? NOWHERE),
        }
      }
    },
  }
}

const NOWHERE: readonly Way[] = []

/** The key of a file or link; null for all else, and for a file without SHA-256. */
function contentOf({ kind, bytes, sha256, linkTarget }: SourceEntry): string | null {
  if (kind === 'symlink') return linkContent(linkTarget ?? '')
  if (kind !== 'file') return null
  return bytes === 0 ? SHA256_OF_NOTHING : sha256
}

function linkContent(target: string): string {
  return `-> ${target}`
}

function placesOf(copies: readonly VolumeCopy[]): PlaceRow[] {
  const byPlace = Map.groupBy(copies, ({ place }) => (place === null ? null : placeKey(place)))
  return [...byPlace.values()].map((own) => ({
    place: own[0]?.place ?? null,
    copies: own.length,
    states: countedStates(own),
    media: [...new Set(own.flatMap(({ medium }) => medium ?? []))].toSorted(),
  }))
}

function countedStates(copies: readonly VolumeCopy[]): PlaceRow['states'] {
  const count = (state: VolumeCopy['state']): number => copies.filter((copy) => copy.state === state).length
  return {
    good: count('good'),
    overdue: count('overdue'),
    unverified: count('unverified'),
    damaged: count('damaged'),
    lost: count('lost'),
  }
}
