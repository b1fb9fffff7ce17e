import type { Database } from 'better-sqlite3'
import {
  type ContainerMeasurement,
  type MeasurementDocument,
  type MeasurementListItem,
  measurementDocumentSchema,
  measurementListItemSchema,
} from '../../../contract/dto/measure'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes, pathToBytes } from '../../../primitives/pathText'

/** A folder that a measurement makes below a directory, as noted before it is made. */
interface NotedFolder {
  readonly number: number
  readonly directory: string
  readonly folder: string
  readonly notedWallMs: number
}

/** The catalog's device profiles and the journal of folders that measurements make. */
export interface MeasureStore {
  saveMeasurement(document: MeasurementDocument): void
  /** @throws AppError `not-found` */
  measurement(measurementId: string): MeasurementDocument
  /** Newest first; of one device where its key is given. */
  measurements(deviceKey?: string): MeasurementListItem[]
  /** Returns when the note is on the disk: only then may the folder be made. */
  noteMeasureFolder(directory: string, folder: string, wallMs: number): NotedFolder
  measureFolders(): NotedFolder[]
  /** Strikes out a folder that is gone. */
  measureFolderGone(noted: NotedFolder): void
}

/** The catalog's tables of measuring. */
export function measureStore(writer: Database, reader: Database): MeasureStore {
  return {
    saveMeasurement(document) {
      writer
        .prepare(
          'INSERT INTO measurements (id, device_key, created_wall_ms, item, document) VALUES (?, ?, ?, ?, ?)',
        )
        .run(
          document.id,
          document.device.key,
          document.createdWallMs,
          JSON.stringify(measurementItem(document)),
          JSON.stringify(document),
        )
    },
    measurement(measurementId) {
      const row = reader
        .prepare<[string], { document: string }>('SELECT document FROM measurements WHERE id = ?')
        .get(measurementId)
      if (!row) throw new AppError('not-found', `no measurement ${measurementId} in the catalog`)
      return measurementDocumentSchema.parse(JSON.parse(row.document))
    },
    measurements(deviceKey) {
      const order = 'ORDER BY created_wall_ms DESC, number DESC'
      const rows =
        deviceKey === undefined
          ? reader.prepare<[], { item: string }>(`SELECT item FROM measurements ${order}`).all()
          : reader
              .prepare<[string], { item: string }>(
                `SELECT item FROM measurements WHERE device_key = ? ${order}`,
              )
              .all(deviceKey)
      return rows.map(({ item }) => measurementListItemSchema.parse(JSON.parse(item)))
    },
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

/** What a list shows of a measurement. */
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
  }
}

function containerRates(
  { write, read }: MeasurementDocument,
  { kind, encryption, bandSize }: ContainerMeasurement,
): MeasurementListItem['container'] {
  return {
    kind,
    encryption,
    bandSize,
    write: write?.bytesPerSecond ?? null,
    read: read?.bytesPerSecond ?? null,
  }
}
