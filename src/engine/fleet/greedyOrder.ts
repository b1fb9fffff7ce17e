import { type FleetGreedy, figureOf } from '../../domain/fleet/fleetReport'
import { added, NO_SUMS, type Sums } from '../../domain/fleet/sampledBytes'
import type { AskedScheme } from './askedSchemes'
import { partsOf, SUMS } from './countScheme'
import type { Bounds, Database } from './duckdb'
import { definePrints, keptRange } from './prints'
import { defineShared } from './sharedSql'

/** The groups that are put in order. */
const MOST_STEPS = 50

/**
 * The order in which each group adds most to those before it. All rows are kept in memory: of more
 * than fit there a smaller share is compared.
 * @param mostOf the bytes of a group's files, and of all; `isCertain` as for `figureOf`
 */
export async function greedyOrder(
  database: Database,
  { facts, rows, ...asked }: AskedScheme,
  bounds: Bounds,
  mostOf: { group(group: number): number; readonly all: number; readonly isCertain: boolean },
): Promise<FleetGreedy> {
  const shift = facts.shift + Math.ceil(Math.log2(partsOf(rows, bounds)))
  await definePrints(database, asked, keptRange(shift))
  await defineShared(database)
  await database.run('CREATE OR REPLACE TEMP TABLE remaining AS SELECT source, hash, bytes FROM owned')
  const figure = (sums: Sums, most: number) =>
    figureOf(sums, { shift, nominalBytes: facts.nominalBytes, isCertain: mostOf.isCertain }, most)
  const steps: FleetGreedy['steps'] = []
  let together = NO_SUMS
  while (steps.length < MOST_STEPS) {
    let most: (Sums & { readonly source: number }) | null = null
    for await (const row of database.rows(LARGEST, { source: 'number', ...SUMS })) most = row
    if (most === null) break
    together = added(together, most)
    steps.push({
      group: most.source,
      adds: figure(most, mostOf.group(most.source)),
      together: figure(together, mostOf.all),
    })
    await database.run(
      `DELETE FROM remaining WHERE hash IN (SELECT hash FROM remaining WHERE source = ${most.source})`,
    )
  }
  await database.run('DROP TABLE remaining')
  return { shift, steps }
}

/** The group with the most bytes that none before it has; of several, the first. */
const LARGEST = `
  SELECT source, COUNT(*) AS contents, CAST(SUM(bytes) AS DECIMAL(38, 0)) AS bytes,
    SUM(CAST(CASE WHEN bytes < 2000000000 THEN bytes * bytes ELSE 0 END AS DECIMAL(38, 0))) AS squares
  FROM remaining GROUP BY source ORDER BY bytes DESC, source LIMIT 1`
