/**
 * Damages the discs of sets with recovery data, parity, later generations or packed files at seeded places, exchanges discs, mixes
 * in those of a foreign archive with the same labels, names and sizes, and edits lists to fit. Linux, with xorriso and cc. Run
 * with Node 24 after building (node scripts/bootstrap.mjs test):
 *   node tests/bench/faults/setDamages.ts [--damages 300] [--seed 1] [--only FORM]… [--kind KIND]… [--jobs 2] [--place DIR]
 * A single damage is done again by its number: --only FORM --turn N with the same seed and number of damages; with
 * STOWAGE_SHOW=1 in the environment the commands and their output are shown. Ends with 1 if anything was violated.
 * What has to hold:
 *   verify    ends with 0 only where everything can be restored; calls no volume good that is not as it was built
 *   restore   no file has other content, times or permissions than the source; exit code 0 only where all are there; all are
 *             there where recovery data covers the damage, or a whole copy is given too
 *   repair    makes the bytes of the original, or says that they may not be; gives back whatever recovery data covers
 *   rebuild   makes the bytes of the lost disc or nothing; makes them from undamaged discs
 *   safe      is never said of a source whose second copy is gone, cut, another disc or found damaged
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../../src/primitives/seededRandom.ts'
import { badSectors } from '../../support/badSectors.ts'
import { folderOnOtherDisk } from '../../support/otherDisk.ts'
import { type Built, buildForm, FORMS } from './setForms.ts'
import { isPossible, KINDS, type Kind, tryOne } from './setTrials.ts'

const { values: given } = parseArgs({
  options: {
    damages: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    kind: { type: 'string', multiple: true },
    turn: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    place: { type: 'string', default: tmpdir() },
  },
})

const folder = mkdtempSync(join(resolve(given.place), 'stowage-set-damages-'))
const otherDisk = folderOnOtherDisk(folder)
const bad = badSectors(folder)
const startedMs = performance.now()
const counts = new Map<string, number>()
let violations = 0
try {
  const forms = FORMS.filter(({ name }) => given.only === undefined || given.only.includes(name))
  const each = Math.ceil(Number(given.damages) / forms.length)
  const waiting = forms.map((form) => ({ form, index: FORMS.indexOf(form) }))
  const setting = { folder, otherDisk, seed: Number(given.seed) }
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await tryForm(await buildForm(next.form, next.index, setting), next.index, each)
  }
  await Promise.all(Array.from({ length: Number(given.jobs) }, work))
  console.log(`\n${'kind'.padEnd(20)}${'damages'.padStart(8)}`)
  for (const kind of KINDS) console.log(`${kind.padEnd(20)}${String(counts.get(kind) ?? 0).padStart(8)}`)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  console.log(`${total} damages, ${violations} violations; ${minutes} min`)
} finally {
  for (const path of [folder, otherDisk]) rmSync(path, { recursive: true, force: true })
}
process.exitCode = violations === 0 ? 0 : 1

async function tryForm(built: Built, index: number, damages: number): Promise<void> {
  const kinds = KINDS.filter((kind) => isPossible(kind, built))
  for (let turn = 0; turn < damages; turn++) {
    if (given.turn !== undefined && turn !== Number(given.turn)) continue
    const kind = kinds[turn % kinds.length] as Kind
    if (given.kind !== undefined && !given.kind.includes(kind)) continue
    const random = seededRandom(Number(given.seed) * 1_000_000 + index * 10_000 + turn)
    const [text, found] = await tryOne(built, kind, random, bad.env).catch(
      (thrown: unknown): [string, string[]] => [
        kind,
        [
          `it cannot be tried: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
        ],
      ],
    )
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    for (const line of found) {
      violations += 1
      console.log(`${built.form.name}, turn ${turn}, ${text}: ${line.replaceAll(folder, '')}`)
    }
  }
}
