import type { Database } from 'better-sqlite3'
import {
  type BandSweepDocument,
  type BandSweepListItem,
  bandSweepDocumentSchema,
  bandSweepListItemSchema,
} from '../../../contract/dto/bands'
import {
  type ContainerMeasurement,
  type ContainerOfAll,
  containerRows,
  type MeasurementDocument,
  type MeasurementListItem,
  measurementDocumentSchema,
  measurementListItemSchema,
} from '../../../contract/dto/measure'
import { pathFromBytes, pathToBytes } from '../../../primitives/pathText'
import { storedDocuments } from './storedDocuments'

/** A folder that a measurement makes below a directory, as noted before it is made. */
interface NotedFolder {
  readonly number: number
  readonly directory: string
  readonly folder: string
  readonly notedWallMs: number
}

/** The catalog's device profiles, band sweeps, and journal of folders that measurements make. */
export interface MeasureStore {
  saveMeasurement(document: MeasurementDocument): void
  /** @throws AppError `not-found` */
  measurement(measurementId: string): MeasurementDocument
  /** Newest first; of one device where its key is given. */
  measurements(deviceKey?: string): MeasurementListItem[]
  saveSweep(document: BandSweepDocument): void
  /** @throws AppError `not-found` */
  sweep(sweepId: string): BandSweepDocument
  /** Newest first. */
  sweeps(): BandSweepListItem[]
  /** Returns when the note is on the disk: only then may the folder be made. */
  noteMeasureFolder(directory: string, folder: string, wallMs: number): NotedFolder
  measureFolders(): NotedFolder[]
  /** Strikes out a folder that is gone. */
  measureFolderGone(noted: NotedFolder): void
}

/** The catalog's tables of measuring. */
export function measureStore(writer: Database, reader: Database): MeasureStore {
  const stored = storedDocuments(reader, 'measurement', measurementDocumentSchema)
  const items = storedDocuments(reader, 'measurement', measurementListItemSchema, 'item')
  const sweeps = storedDocuments(reader, 'band sweep', bandSweepDocumentSchema)
  const sweepItems = storedDocuments(reader, 'band sweep', bandSweepListItemSchema, 'item')
  const save = (
    table: 'measurements' | 'band_sweeps',
    document: MeasurementDocument | BandSweepDocument,
    item: MeasurementListItem | BandSweepListItem,
  ): void => {
    const { id, device, createdWallMs } = document
    writer
      .prepare(
        `INSERT INTO ${table} (id, device_key, created_wall_ms, item, document) VALUES (?, ?, ?, ?, ?)`,
      )
      .run(id, device.key, createdWallMs, JSON.stringify(item), JSON.stringify(document))
  }
  return {
    saveMeasurement: (document) => save('measurements', document, measurementItem(document)),
    saveSweep: (document) => save('band_sweeps', document, sweepItem(document)),
    sweep: sweeps.of,
    sweeps: () => sweepItems.all('ORDER BY created_wall_ms DESC, number DESC'),
    measurement: stored.of,
    measurements: (deviceKey) =>
      items.all(
        'WHERE @deviceKey IS NULL OR device_key = @deviceKey ORDER BY created_wall_ms DESC, number DESC',
        { deviceKey: deviceKey ?? null },
      ),
    noteMeasureFolder(directory, folder, wallMs) {
      const { lastInsertRowid } = writer
        .prepare('INSERT INTO measure_folders (directory, folder, noted_wall_ms) VALUES (?, ?, ?)')
        .run(pathToBytes(directory), folder, wallMs)
      return { number: Number(lastInsertRowid), directory, folder, notedWallMs: wallMs }
    },
    measureFolders: () =>
      writer
        .prepare<[], { number: number; directory: Uint8Array; folder: string; notedWallMs: number }>(
          'SELECT number, directory, folder, noted_wall_ms AS notedWallMs FROM measure_folders ORDER BY number',
        )
        .all()
        .map(({ number, directory, folder, notedWallMs }) => ({
          number,
          directory: pathFromBytes(directory),
          folder,
          notedWallMs,
        })),
    measureFolderGone({ number }) {
      writer.prepare('DELETE FROM measure_folders WHERE number = ?').run(number)
    },
  }
}

/** The row of a measurement in lists. */
export function measurementItem(document: MeasurementDocument): MeasurementListItem {
  const { id, createdWallMs, directory, device, spec, writtenBytes, readBytes, partial, readOnly } = document
  return {
    id,
    createdWallMs,
    directory,
    deviceKey: device.key,
    deviceName: device.name,
    specName: spec.name,
    writtenBytes,
    readBytes,
    plausible: document.cache.plausible,
    partial,
    readOnly,
    writeBytesPerSecond: document.write?.bytesPerSecond?.value ?? null,
    readBytesPerSecond: document.read?.bytesPerSecond?.value ?? null,
    ...(document.container ? { container: containerRates(document, document.container) } : {}),
    ...(document.containers
      ? {
          containers: document.containers.map((each) =>
            Object.assign(containerRates(each.fresh, each), bandsOf(each)),
          ),
        }
      : {}),
  }
}

function bandsOf(each: ContainerOfAll): { bandsInUse?: { full: number; left: number } } {
  const row = containerRows([each]).find(({ state }) => state === 'refilled')
  const [full, left] = [row?.occupied?.bands, row?.deleted?.bands]
  return full == null || left == null ? {} : { bandsInUse: { full, left } }
}

function containerRates(
  { write, read }: Pick<MeasurementDocument, 'write' | 'read'>,
  { kind, encryption, bandSize }: ContainerMeasurement,
): NonNullable<MeasurementListItem['container']> {
  return {
    kind,
    encryption,
    bandSize,
    write: write?.bytesPerSecond ?? null,
    read: read?.bytesPerSecond ?? null,
  }
}

/** The row of a sweep in lists. */
export function sweepItem(document: BandSweepDocument): BandSweepListItem {
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
