import type { Database } from 'better-sqlite3'
import type { PlanDocument } from '../../contract/dto/plan'
import { formOfPlan } from '../../domain/sets/packedForm'
import { isVerified } from '../../domain/sets/volumeState'
import { pathToBytes } from '../../primitives/pathText'
import type { Catalog } from './catalog'
import { keyPages } from './keyPages'
import { isThere } from './stores/planLists'
import type { PlanVolumes } from './stores/planVolumes'
import type { StoredDocuments } from './stores/storedDocuments'
import type { VerifiedFile, VerifiedFiles, VerifiedVolume } from './verifiedFile'

/** From this share of a volume on, a container may have been cut over several. */
const MAY_BE_CUT = 0.9

export interface PlanRow {
  number: number
  id: string
  document: string
  directory: Uint8Array | null
}

type EntryRow = [
  place: number,
  volume: number,
  bytes: number,
  sha256: string,
  holder: string | null,
  parts: number | null,
  wholePath: string,
  wholeBytes: number | null,
  wholeSha256: string,
  mtimeNs: string | null,
  source: Uint8Array | null,
  path: Uint8Array | null,
]

/** A plan of which files are asked. */
export interface VerifiedPlan extends PlanRow {
  readonly plan: PlanDocument
  /** The places of its verified volumes in the list, by their numbers. */
  readonly places: ReadonlyMap<number, number>
  /** The files that were left out of these, by volume and path. */
  readonly skipped: ReadonlySet<string>
  readonly isWhole: boolean
}

/**
 * The files that are on verified volumes. A volume counts while there is a verified copy of it that
 * is not noted as lost: it was written, or checked by itself, or the plan's folder exists. A file
 * in parts counts where all its parts do, and one that needs every volume (a joined archive) where
 * all volumes do. Reads the entries of plans with verified volumes once, in their order.
 */
export function verifiedFiles(
  reader: Database,
  {
    storedPlans,
    volumesOf,
    events,
  }: {
    storedPlans: StoredDocuments<PlanDocument>
    volumesOf: PlanVolumes
    events: Catalog['events']
  },
): VerifiedFiles {
  const volumes: VerifiedVolume[] = []
  const plans = reader
    .prepare<[], PlanRow>(
      `SELECT number, id, document, directory FROM plans WHERE withdrawn_by IS NULL
       ORDER BY number DESC`,
    )
    .all()
    .flatMap((row): VerifiedPlan[] => {
      const plan = storedPlans.readable(row.id, row.document)
      if (!plan) return []
      const states = volumesOf({ ...row, createdWallMs: plan.createdWallMs })
      const isPlanThere = isThere(row.directory)
      const places = new Map<number, number>()
      const skipped = new Set<string>()
      for (const [volume, { label, state, isLost, skipped: gone }] of states) {
        const checkedWallMs = state.verifiedWallMs
        if (checkedWallMs === null || isLost || !isVerified(state)) continue
        const isAlone = (): boolean =>
          events(row.id).some(
            ({ kind, facts, volume: of, wallMs }) =>
              kind === 'good' && facts.by === 'volume' && of === volume && wallMs === checkedWallMs,
          )
        if (state.writtenWallMs === null && !isPlanThere && !isAlone()) continue
        for (const path of gone.keys()) skipped.add(skippedKey(volume, pathToBytes(path)))
        places.set(volume, volumes.length)
        volumes.push({ planId: row.id, volume, label, checkedWallMs })
      }
      return places.size === 0
        ? []
        : [{ ...row, plan, places, skipped, isWhole: places.size === states.size }]
    })
  return {
    volumes,
    *files(withSources) {
      for (const plan of plans) yield* filesOf(reader, plan, withSources)
    },
  }
}

/** The files of a plan that its chosen volumes hold whole, in pages. */
export function* filesOf(
  reader: Database,
  verified: VerifiedPlan,
  withSources: boolean,
): IterableIterator<VerifiedFile[]> {
  const { number, plan, places, skipped, isWhole } = verified
  const form = formOfPlan(plan)
  const needsAll = plan.packing !== undefined && (plan.packing.arrangement === 'joined' || form === null)
  if (needsAll && !isWhole) return
  const all = [...places.values()]
  const alone = new Map([...places].map(([volume, place]) => [volume, [place]]))
  let cut = NONE
  if (form?.kind === 'many') cut = yield* containersCut(reader, verified)
  const wholes = new Map<string, VerifiedFile & { readonly volumes: number[]; missing: number }>()
  const page = reader
    .prepare<[bigint, bigint, number], EntryRow>(
      `SELECT key & 4294967295, volume, bytes, hex(sha256), ${cut.size > 0 ? HOLDER : 'NULL'}, parts,
         hex(whole_path), whole_bytes, hex(whole_sha256), ${withSources ? 'mtime_ns, source' : 'NULL, NULL'},
         ${skipped.size > 0 ? 'path' : 'NULL'}
       FROM plan_entries WHERE key BETWEEN ? AND ? AND kind IN (0, 3) ORDER BY key LIMIT ?`,
    )
    .raw()
  for (const rows of keyPages(
    number,
    (...range) => page.all(...range),
    ([place]) => place,
  )) {
    const files: VerifiedFile[] = []
    for (const [
      ,
      volume,
      bytes,
      sha256,
      holder,
      parts,
      path,
      wholeBytes,
      wholeSha256,
      mtimeNs,
      source,
      ownPath,
    ] of rows) {
      if (ownPath !== null && skipped.has(skippedKey(volume, ownPath))) continue
      const place = places.get(volume)
      const volumes = alone.get(volume)
      if (parts !== null) {
        if (place === undefined) continue
        let whole = wholes.get(path)
        if (!whole) {
          const of = { sha256: wholeSha256, bytes: wholeBytes ?? 0, mtimeNs, source }
          whole = { ...of, volumes: [], missing: parts }
          wholes.set(path, whole)
        }
        whole.missing -= 1
        if (!whole.volumes.includes(place)) whole.volumes.push(place)
        continue
      }
      const isCut = needsAll || (holder !== null && cut.has(holder))
      if (isCut && isWhole) files.push({ sha256, bytes, mtimeNs, source, volumes: all })
      if (!isCut && volumes) files.push({ sha256, bytes, mtimeNs, source, volumes })
    }
    yield files
  }
  yield [...wholes.values()].filter(({ missing }) => missing === 0)
}

/** The key of a file that was left out, by its path on the volume. */
export function skippedKey(volume: number, path: Uint8Array): string {
  return `${volume} ${Buffer.from(path).toString('hex')}`
}

const NONE: ReadonlySet<string> = new Set()

/** The container of a file, or the file itself where it has one of its own. */
const HOLDER = 'hex(coalesce(container, path))'

/**
 * Containers of one file or title that may lie on several volumes: the catalog knows the first
 * alone.
 */
function* containersCut(
  reader: Database,
  { number, plan }: VerifiedPlan,
): Generator<VerifiedFile[], ReadonlySet<string>> {
  const page = reader
    .prepare<[bigint, bigint, number], [place: number, holder: string, bytes: number]>(
      `SELECT key & 4294967295, ${HOLDER}, bytes FROM plan_entries WHERE key BETWEEN ? AND ? AND kind = 0
       ORDER BY key LIMIT ?`,
    )
    .raw()
  const held = new Map<string, number>()
  for (const rows of keyPages(
    number,
    (...range) => page.all(...range),
    ([place]) => place,
  )) {
    for (const [, holder, bytes] of rows) held.set(holder, (held.get(holder) ?? 0) + bytes)
    yield []
  }
  const mostBytes = MAY_BE_CUT * plan.medium.capacityBytes
  return new Set([...held].filter(([, bytes]) => bytes > mostBytes).map(([holder]) => holder))
}
