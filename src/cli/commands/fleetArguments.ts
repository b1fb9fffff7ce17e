import os from 'node:os'
import process from 'node:process'
import { FLEET_BY, type FleetBy } from '../../domain/fleet/fleetCounts'
import type { Bounds } from '../../engine/fleet/duckdb'
import { DUCKDB_BYTES, type DuckdbPlace, duckdbVersion } from '../../engine/fleet/duckdbPlace'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { askYesOrNo } from '../questions'
import type { Session } from '../session'
import { openSettings } from '../settings'
import { formatSize } from '../shape/sizes'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'

/**
 * DuckDB as it was asked for; `place` is null where it is to be installed. Folders without
 * fingerprints or catalogs are refused before anybody is asked.
 * @throws AppError as `FleetWork.duckdb`; `tool-missing` where it is not there and nobody can be
 *   asked; `cancelled` for no
 */
export async function duckdbGiven(
  session: Session,
  looked: Parameters<Session['fleet']['duckdb']>[1],
  values: { readonly 'max-memory'?: string | undefined; readonly yes: boolean },
  out: Terminal,
): Promise<{ readonly place: DuckdbPlace | null; readonly bounds: Bounds }> {
  const settings = await openSettings(out)
  const maxMemory = settings.used('max-memory', { option: '--max-memory', text: values['max-memory'] })
  const place = await session.fleet.duckdb(out.surroundings.env['STOWAGE_DUCKDB'], looked)
  if (place === null && !values.yes) await askToInstall(out)
  const memoryBytes = parseSize(maxMemory.value)
  return { place, bounds: { memoryBytes, threads: Math.min(8, os.availableParallelism()) } }
}

/** @throws AppError `usage` for an unknown way */
export function byGiven(text: string): FleetBy {
  const by = FLEET_BY.find((known) => known === text)
  if (by === undefined) throw unknownName('way for --by', text, FLEET_BY)
  return by
}

async function askToInstall(out: Terminal): Promise<void> {
  const what = `DuckDB ${duckdbVersion()} with npm (${formatSize(DUCKDB_BYTES)} in the data folder)`
  if (!out.isInteractive || !process.stdin.isTTY)
    throw new AppError(
      'tool-missing',
      `DuckDB is not there: give --yes to install ${what}, or let STOWAGE_DUCKDB name a folder that has it`,
    )
  if (!(await askYesOrNo(`Install ${what}?`, out))) throw new AppError('cancelled', 'nothing was installed')
}
