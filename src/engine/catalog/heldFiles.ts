import type { Database } from 'better-sqlite3'
import type { PlanDocument } from '../../contract/dto/plan'
import { pathFromBytes, pathToBytes } from '../../primitives/pathText'
import type { HeldFiles, HeldVolumes } from './heldFile'
import { keyPages } from './keyPages'
import type { StoredDocuments } from './stores/storedDocuments'
import { filesOf, type PlanRow, skippedKey, type VerifiedPlan } from './verifiedFiles'

/**
 * The files and links that volumes of plans hold. A file in parts counts where all its parts do,
 * and one that needs every volume (a joined archive) where all are among those asked for.
 */
export function heldFiles(
  reader: Database,
  storedPlans: StoredDocuments<PlanDocument>,
  asked: HeldVolumes,
): HeldFiles {
  const volumes: { planId: string; volume: number }[] = []
  const plans = reader
    .prepare<[], PlanRow & { volumes: number }>(
      `SELECT number, id, document, directory, (SELECT count(*) FROM volumes WHERE plan = number) AS volumes
       FROM plans WHERE withdrawn_by IS NULL ORDER BY number`,
    )
    .all()
    .flatMap((row): VerifiedPlan[] => {
      const wanted = asked.get(row.id)
      const plan = wanted && storedPlans.readable(row.id, row.document)
      if (!wanted || !plan) return []
      const places = new Map<number, number>()
      const skipped = new Set<string>()
      for (const [volume, gone] of wanted) {
        for (const path of gone) skipped.add(skippedKey(volume, pathToBytes(path)))
        places.set(volume, volumes.length)
        volumes.push({ planId: row.id, volume })
      }
      return [{ ...row, plan, places, skipped, isWhole: places.size === row.volumes }]
    })
  return {
    volumes,
    *files(withSources = false) {
      for (const plan of plans) yield* filesOf(reader, plan, withSources)
    },
    *links() {
      for (const plan of plans) yield* linksOf(reader, plan)
    },
  }
}

type LinkRow = [place: number, volume: number, target: Uint8Array]

function* linksOf(reader: Database, { number, places }: VerifiedPlan): ReturnType<HeldFiles['links']> {
  const page = reader
    .prepare<[bigint, bigint, number], LinkRow>(
      `SELECT key & 4294967295, volume, link_target FROM plan_entries
       WHERE key BETWEEN ? AND ? AND kind = 2 AND link_target IS NOT NULL ORDER BY key LIMIT ?`,
    )
    .raw()
  for (const rows of keyPages(
    number,
    (...range) => page.all(...range),
    ([place]) => place,
  ))
    yield rows.flatMap(([, volume, target]) => {
      const place = places.get(volume)
      return place === undefined ? [] : [{ target: pathFromBytes(target), volumes: [place] }]
    })
}
