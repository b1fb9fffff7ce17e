import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/surveyedFolder'

/** Files that changed less than this before a survey are read again by the next one. */
const CLOCK_MARGIN_MS = 2000

let place: string
let source: string
let home: string
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'stowage-at-once-'))
  source = join(place, 'source')
  mkdirSync(source)
  for (let file = 0; file < 40; file++) writeFileSync(join(source, `${file}`), `${file} `.repeat(5000))
  await sleep(CLOCK_MARGIN_MS + 100)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))
beforeEach(() => {
  home = join(temporaryFolder(), 'home')
})

function survey(...more: string[]): Promise<CommandEnd> {
  return stowage(['survey', source, '--samples', 'none', ...more], { home })
}

function atOnce(count: number, run: () => Promise<CommandEnd>): Promise<CommandEnd[]> {
  return Promise.all(Array.from({ length: count }, run))
}

/** Those that did not end as they should have: another exit code, or any line but the progress of a slow machine. */
function failed(ends: readonly CommandEnd[]): string[] {
  return ends
    .map(({ code, stderr }) => `${code}: ${stderr.replaceAll(/^reading: .*\n/gm, '')}`)
    .filter((end) => end !== '0: ')
}

describe('surveys at once', () => {
  it('of one folder all succeed, whatever sketches the others remove', async () => {
    for (let before = 0; before < 5; before++) expect((await survey()).code).toBe(0)
    expect(failed(await atOnce(12, () => survey()))).toEqual([])
    // Five are kept, and none is left of those that were in use.
    expect((await survey()).code).toBe(0)
    const names = readdirSync(join(home, 'sketches'))
    expect(names.filter((name) => !name.endsWith('.sketch3'))).toEqual([])
    expect(names.length).toBeLessThanOrEqual(5)
  })

  it('that meet without a catalog all start', async () => {
    const starts = await atOnce(20, () => stowage(['catalog', 'list'], { home }))
    expect(failed(starts)).toEqual([])
  })
})

describe('a damaged sketch', () => {
  const damages: [string, (sketch: string) => void][] = [
    ['cut short', (sketch) => truncateSync(sketch, readFileSync(sketch).length >> 1)],
    ['empty', (sketch) => truncateSync(sketch, 0)],
    [
      'with bits flipped',
      (sketch) => {
        const bytes = readFileSync(sketch)
        for (let at = 100; at < bytes.length; at += 997) bytes[at] = (bytes[at] as number) ^ 0x10
        writeFileSync(sketch, bytes)
      },
    ],
    [
      'of another version',
      (sketch) => {
        const bytes = readFileSync(sketch)
        bytes.writeUInt32LE(77, 'STOWSKCH'.length)
        writeFileSync(sketch, bytes)
      },
    ],
  ]
  const parsed = ({ stdout }: CommandEnd): SurveyDocument => surveyDocumentSchema.parse(JSON.parse(stdout))

  it.each(damages)(
    '%s is replaced by a survey that reads every file and reports it',
    async (_name, damage) => {
      const first = parsed(await survey('--json'))
      damage(join(home, 'sketches', `${first.id}.sketch3`))
      const again = await survey('--json')
      expect(again.code).toBe(0)
      expect(again.stderr).toBe(
        `the sketch of survey ${first.id} is damaged: every file was read and the sketch was replaced\n`,
      )
      const second = parsed(again)
      expect(second).toMatchObject({
        trusted: null,
        notTrusted: { surveyId: first.id, reason: 'damagedSketch' },
        fixedBlocks: first.fixedBlocks,
      })
      expect(readdirSync(join(home, 'sketches'))).toEqual([`${second.id}.sketch3`])
      expect(parsed(await survey('--json')).trusted).toMatchObject({ surveyId: second.id, files: 40 })
    },
  )

  it('of an earlier checkpoint, which a loss of power may leave, is replaced in the same way', async () => {
    const first = parsed(await survey('--json'))
    const file = join(source, '7')
    const part = parsed(await stowage(['survey', file, '--samples', 'none', '--json'], { home }))
    const sketchOf = ({ id }: SurveyDocument): string => join(home, 'sketches', `${id}.sketch3`)
    copyFileSync(sketchOf(part), sketchOf(first))
    const second = parsed(await survey('--json'))
    expect(second).toMatchObject({
      trusted: null,
      notTrusted: { surveyId: first.id, reason: 'damagedSketch' },
      fixedBlocks: first.fixedBlocks,
    })
  })
})
