import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PROGRAM from '../../../fleet/spark/fleet_spark.py?raw'
import { fsPath, lstatAt } from '../files/fileSystem'
import { replaceFile } from '../files/place'
import type { PlaceNotes } from '../files/scratch'
import { ensureFolder } from '../files/write'
import { SQL_TEXTS } from './sharedSql'

/** The files of a job of Spark on this machine. */
export interface SparkJob {
  readonly program: string
  readonly sql: readonly string[]
}

/**
 * Puts the job and its SQL text into the data folder, where `spark-submit` finds them; each version
 * has a folder of its own, since jobs of another one may be running.
 * @throws AppError `no-space`, `permission-denied`, `io`
 */
export async function placeSparkJob(notes: PlaceNotes, dataDir: string): Promise<SparkJob> {
  const texts = Object.entries(SQL_TEXTS)
  const digest = createHash('sha256')
    .update(JSON.stringify([PROGRAM, texts]))
    .digest('hex')
  const folder = join(dataDir, 'fleet', `spark-${digest.slice(0, 12)}`)
  const place = async (room: string, name: string, text: string): Promise<string> => {
    const path = join(folder, room, name)
    ensureFolder(join(folder, room))
    if (lstatAt(path) === null || readFileSync(fsPath(path), 'utf8') !== text)
      await replaceFile(notes, path, true, () => [text])
    return path
  }
  const sql: string[] = []
  for (const [name, text] of texts) sql.push(await place('sql', `${name}.sql`, text))
  return { program: await place('spark', 'fleet_spark.py', PROGRAM), sql }
}
