import type { Database } from 'better-sqlite3'
import {
  type BandSweepDocument,
  type BandSweepListItem,
  bandSweepDocumentSchema,
  bandSweepListItemSchema,
} from '../../../contract/dto/bands'
import { AppError } from '../../../primitives/appError'

/** The catalog's band sweeps. */
export interface SweepStore {
  saveSweep(document: BandSweepDocument): void
  /** @throws AppError `not-found` */
  sweep(sweepId: string): BandSweepDocument
  /** Newest first. */
  sweeps(): BandSweepListItem[]
}

export function sweepStore(writer: Database, reader: Database): SweepStore {
  return {
    saveSweep(document) {
      const { id, device, createdWallMs } = document
      writer
        .prepare(
          'INSERT INTO band_sweeps (id, device_key, created_wall_ms, item, document) VALUES (?, ?, ?, ?, ?)',
        )
        .run(id, device.key, createdWallMs, JSON.stringify(sweepItem(document)), JSON.stringify(document))
    },
    sweep(sweepId) {
      const row = reader
        .prepare<[string], { document: string }>('SELECT document FROM band_sweeps WHERE id = ?')
        .get(sweepId)
      if (!row) throw new AppError('not-found', `no band sweep ${sweepId} in the catalog`)
      return bandSweepDocumentSchema.parse(JSON.parse(row.document))
    },
    sweeps: () =>
      reader
        .prepare<[], { item: string }>(
          'SELECT item FROM band_sweeps ORDER BY created_wall_ms DESC, number DESC',
        )
        .all()
        .map(({ item }) => bandSweepListItemSchema.parse(JSON.parse(item))),
  }
}

function sweepItem(document: BandSweepDocument): BandSweepListItem {
  const { id, createdWallMs, directory, device, request, recommended, cache, partial } = document
  return {
    id,
    createdWallMs,
    directory,
    deviceKey: device.key,
    deviceName: device.name,
    fullBytes: request.fullBytes,
    bandSize: recommended.bandSize,
    isNoise: recommended.isNoise,
    plausible: cache.plausible,
    partial,
    points: document.points.length,
    repeats: document.repeats,
  }
}
