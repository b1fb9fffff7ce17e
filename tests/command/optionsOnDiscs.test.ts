import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import type { OptionsDocument } from '../../src/domain/options/optionsDocument'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-options-on-discs-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function answer<T>(args: readonly string[]): Promise<T> {
  const end = await stowage([...args, '--json'], { home: join(folder, 'home') })
  expect(end.code, end.stderr).toBe(0)
  return JSON.parse(end.stdout) as T
}

/** Folders of files with random content and names of several scripts. */
function makeTree(root: string, folders: number, files: number, bytes: number): void {
  const random = seededRandom(files)
  for (let at = 0; at < folders; at++) {
    const place = join(root, `Ordner ${at}`, ...(at % 3 === 0 ? ['weitere Bilder'] : []))
    mkdirSync(place, { recursive: true })
    for (let file = 0; file < files / folders; file++) {
      const content = new Uint8Array(random.below(2 * bytes))
      random.fillBytes(content)
      writeFileSync(join(place, file % 2 === 0 ? `Aufnahme ${file}.jpg` : `写真 ${file}.jpg`), content)
    }
  }
}

const HOLDS = 'the size that options give for discs holds that of the plan: %s'
it.each([
  ['few large files', 2, 6, 2_000_000],
  ['two files in each folder', 150, 300, 3000],
])(HOLDS, expectHeld)
it.each([
  ['many short files in few folders', 3, 3000, 700],
  ['many folders', 600, 1200, 3000],
])(HOLDS, { tags: 'long' }, expectHeld)

async function expectHeld(name: string, folders: number, files: number, bytes: number): Promise<void> {
  const source = join(folder, name)
  makeTree(source, folders, files, bytes)
  const survey = await answer<{ id: string }>(['survey', source, '--samples', 'none'])
  const media = ['--medium', 'bd-r-25', '--medium', 'custom:8MB']
  const { options } = await answer<OptionsDocument>(['options', '--survey', survey.id, ...media])
  for (const medium of ['bd-r-25', 'custom:8MB']) {
    const out = join(folder, `${name} on ${medium.replace(':', '-')}`)
    const plan = await answer<PlanDocument>(['plan', '--survey', survey.id, '--medium', medium, '--out', out])
    const planned = plan.volumes.reduce((sum, { sectors }) => sum + sectors * 2048, 0)
    for (const id of ['plain', 'iso']) {
      const { bytes: range } = options.find((option) => option.id === `${id}@${medium}`)?.estimate ?? {}
      expect(planned, `${id} on ${medium}: ${JSON.stringify(range)}`).toBeGreaterThanOrEqual(range?.low ?? 0)
      expect(planned, `${id} on ${medium}: ${JSON.stringify(range)}`).toBeLessThanOrEqual(range?.high ?? 0)
    }
  }
}
