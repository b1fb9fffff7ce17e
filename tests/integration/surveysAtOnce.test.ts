import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/surveyedFolder'

let source: string
let home: string
beforeEach(() => {
  const folder = temporaryFolder()
  source = join(folder, 'source')
  home = join(folder, 'home')
  mkdirSync(source)
  for (let file = 0; file < 40; file++) writeFileSync(join(source, `${file}`), `${file} `.repeat(5000))
})

function survey(...more: string[]): Promise<CommandEnd> {
  return stowage(['survey', source, '--samples', 'none', ...more], { home })
}

function atOnce(count: number, run: () => Promise<CommandEnd>): Promise<CommandEnd[]> {
  return Promise.all(Array.from({ length: count }, run))
}

/** Those that did not end as they should have. */
function failed(ends: readonly CommandEnd[]): string[] {
  return ends
    .filter(({ code, stderr }) => code !== 0 || stderr !== '')
    .map(({ code, stderr }) => `${code}: ${stderr}`)
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

  it.each(damages)('%s is replaced by a survey that reads everything and says so', async (_name, damage) => {
    const first = parsed(await survey('--json'))
    damage(join(home, 'sketches', `${first.id}.sketch3`))
    const again = await survey('--json')
    expect(again.code).toBe(0)
    expect(again.stderr).toBe(
      `the sketch of survey ${first.id} is damaged: everything was read, and the sketch replaced\n`,
    )
    const second = parsed(again)
    expect(second).toMatchObject({
      trusted: null,
      notTrusted: { surveyId: first.id, reason: 'damagedSketch' },
      fixedBlocks: first.fixedBlocks,
    })
    expect(readdirSync(join(home, 'sketches'))).toEqual([`${second.id}.sketch3`])
    expect(parsed(await survey('--json')).trusted).toMatchObject({ surveyId: second.id, files: 40 })
  })
})
