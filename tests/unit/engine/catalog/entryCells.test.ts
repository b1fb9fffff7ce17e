import { linkSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { ENTRY_KINDS } from '../../../../src/engine/catalog/entry'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { type EntryBatch, NO_FILE_NUMBER, startNativeSurvey } from '../../../../src/engine/native/addon'
import { carryOver } from '../../../../src/engine/survey/carryOver'
import { entryCells, newEntries } from '../../../../src/engine/survey/newEntries'
import { pathToBytes } from '../../../../src/primitives/pathText'
import { DEFAULTS, put, temporaryFolder } from '../../../support/surveyedFolder'

const BYTE_NAME = Buffer.concat([Buffer.from('bytes '), Buffer.from([0xff, 0x80])])

/** A folder and a single file as roots, with everything that an entry may be. */
async function batchesOf(sha256: boolean): Promise<EntryBatch[]> {
  const folder = temporaryFolder()
  for (let index = 0; index < 30; index++)
    put(folder, `sub ${index % 4}/${index}.txt`, Buffer.alloc(index * 700, index))
  put(folder, 'line\nbreak', Buffer.from('x'))
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), BYTE_NAME]), 'y')
  linkSync(join(folder, 'line\nbreak'), join(folder, 'again'))
  symlinkSync('line\nbreak', join(folder, 'link'))
  utimesSync(join(folder, 'again'), new Date(-1e8), new Date(-1e8))
  const single = join(temporaryFolder(), 'single')
  writeFileSync(single, 'alone')
  const survey = startNativeSurvey({ roots: [folder, single], ...DEFAULTS, sha256 })
  await survey.finished
  const batches: EntryBatch[] = []
  for (let batch = survey.takeEntries(); batch; batch = survey.takeEntries()) batches.push(batch)
  return batches
}

/** The rows that the columns of the batches make, in the order of their keys. */
function rowsOf(batches: readonly EntryBatch[], number: bigint): unknown[] {
  const rows: unknown[] = []
  for (const batch of batches) {
    for (let index = 0; index < batch.count; index++) {
      const kind = ENTRY_KINDS[batch.kinds[index] ?? -1]
      const isFile = kind === 'file'
      const target = batch.linkTargets.get(index)
      rows.push({
        key: (number << 32n) + BigInt(rows.length),
        kind: BigInt(batch.kinds[index] ?? -1),
        root: BigInt(batch.rootIndex[index] ?? -1),
        path: Buffer.from(
          batch.pathBytes.subarray(index === 0 ? 0 : batch.pathEnds[index - 1], batch.pathEnds[index]),
        ),
        bytes: BigInt(batch.bytes[index] ?? -1),
        allocated_bytes: BigInt(batch.allocatedBytes[index] ?? -1),
        mtime_ns: batch.mtimeNs[index],
        ctime_ns: batch.ctimeNs[index],
        device: BigInt.asIntN(64, batch.device[index] ?? 0n),
        inode: BigInt.asIntN(64, batch.inode[index] ?? 0n),
        mode: BigInt(batch.mode[index] ?? -1),
        digest: isFile ? Buffer.from(batch.digests.subarray(16 * index, 16 * index + 16)) : null,
        sha256:
          isFile && batch.sha256 ? Buffer.from(batch.sha256.subarray(32 * index, 32 * index + 32)) : null,
        link_of: null,
        link_target: target === undefined ? null : Buffer.from(pathToBytes(target)),
        file_number: isFile ? BigInt(batch.fileNumbers[index] ?? -1) : null,
      })
    }
  }
  return rows
}

test.for([
  [false, 1],
  [true, 7],
  [true, 5000],
] as const)(
  'the cells of entries store what their columns say (SHA-256: %s, %s at once)',
  async ([sha256, most]) => {
    const batches = await batchesOf(sha256)
    expect(batches.some((batch) => batch.mtimeNs.some((time) => time < 0n))).toBe(true)
    expect(batches.some((batch) => batch.fileNumbers.includes(NO_FILE_NUMBER))).toBe(true)
    const folder = temporaryFolder()
    const catalog = openCatalog(folder)
    onTestFinished(() => catalog.close())
    const writer = catalog.beginSurvey('s')
    const ledger = carryOver(null)
    let firstId = 0
    for (const batch of batches) {
      for (let from = 0; from < batch.count; from += most) {
        const to = Math.min(batch.count, from + most)
        writer.addCells(entryCells(batch, from, to, firstId))
        writer.add(newEntries(batch, from, to, firstId, ledger))
      }
      firstId += batch.count
    }
    const database = new Database(join(folder, 'catalog.db'), { readonly: true })
    onTestFinished(() => {
      database.close()
    })
    const stored = database.prepare('SELECT * FROM survey_entries ORDER BY key').safeIntegers().all()
    expect(stored).toEqual(rowsOf(batches, 1n))
    expect(stored).toHaveLength(30 + 4 + 1 + 4 + 1)
  },
)
