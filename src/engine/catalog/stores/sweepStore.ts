import type { Database } from 'better-sqlite3'
import {
  type BandSweepDocument,
  type BandSweepListItem,
  bandSweepDocumentSchema,
  bandSweepListItemSchema,
} from '../../../contract/dto/bands'
import { storedDocuments } from './storedDocuments'

/** The catalog's band sweeps. */
export interface SweepStore {
  saveSweep(document: BandSweepDocument): void
  /** @throws AppError `not-found` */
  sweep(sweepId: string): BandSweepDocument
  /** Newest first. */
  sweeps(): BandSweepListItem[]
}

export function sweepStore(writer: Database, reader: Database): SweepStore {
  const stored = storedDocuments(reader, 'band sweep', bandSweepDocumentSchema)
  const items = storedDocuments(reader, 'band sweep', bandSweepListItemSchema, 'item')
  return {
    saveSweep(document) {
      const { id, device, createdWallMs } = document
      writer
        .prepare(
          'INSERT INTO band_sweeps (id, device_key, created_wall_ms, item, document) VALUES (?, ?, ?, ?, ?)',
        )
        .run(id, device.key, createdWallMs, JSON.stringify(sweepItem(document)), JSON.stringify(document))
    },
    sweep: stored.of,
    sweeps: () => items.all('ORDER BY created_wall_ms DESC, number DESC'),
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
