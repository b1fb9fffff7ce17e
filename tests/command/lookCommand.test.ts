import { linkSync, symlinkSync, truncateSync, utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type LookDocument, lookDocumentSchema } from '../../src/contract/dto/look'
import { optionsDocumentSchema } from '../../src/contract/dto/options'
import { draftDocumentSchema, planDocumentSchema } from '../../src/contract/dto/plan'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { EXIT } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { placeOfEachTest } from '../support/place'

const here = placeOfEachTest('look')
const { run, done } = here

/** Words from a small list: text that shrinks. */
function textOf(bytes: number, seed: number): string {
  const random = seededRandom(seed)
  let text = ''
  while (text.length < bytes) text += `word${random.below(900)} `
  return text.slice(0, bytes)
}

async function look(...args: string[]): Promise<LookDocument> {
  const { stdout } = await done('look', here.source, '--json', ...args)
  return lookDocumentSchema.parse(JSON.parse(stdout))
}

describe('stowage look', () => {
  it('counts what a survey counts, and its ranges hold the survey’s figures', async () => {
    here.files({
      ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`text/${at}.txt`, textOf(9000 + at, at)])),
      ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`noise/${at}.bin`, 40_000 + at])),
      'twice/one.bin': Buffer.alloc(300_000, 'abc'),
      'twice/other.bin': Buffer.alloc(300_000, 'abc'),
      empty: '',
    })
    linkSync(here.at('source', 'twice', 'one.bin'), here.at('source', 'link.bin'))
    symlinkSync('empty', here.at('source', 'symbolic'))
    const found = await look()
    const survey = surveyDocumentSchema.parse(
      JSON.parse((await done('survey', here.source, '--json', '--samples', 'thorough')).stdout),
    )
    const { hardLinkedBytes: _linked, clonedBytes: _cloned, ...counted } = survey.totals
    expect(found.totals).toMatchObject(counted)
    expect(found.sizeHistogram).toEqual(survey.sizeHistogram)
    const listed = (types: LookDocument['types']): unknown =>
      types.map((row) => ({ ...row, compression: undefined }))
    expect(listed(found.types)).toEqual(listed(survey.types))
    expect(found.sample).toMatchObject({ end: 'all', unreadable: 0, bytes: survey.totals.bytes })
    for (const row of survey.compression) {
      const same = found.compression.find(
        ({ codec, recordSize }) => codec === row.codec && recordSize === row.recordSize,
      )
      expect(same?.low, row.codec).toBeLessThanOrEqual(row.high)
      expect(same?.high, row.codec).toBeGreaterThanOrEqual(row.low)
    }
    expect(found.identical?.saved).toMatchObject({ value: 300_000, low: 300_000, high: 300_000 })
    expect(survey.duplicateFiles.bytes).toBe(300_000)
  })

  it('is no survey: the catalog has none, and none is made from it', async () => {
    here.files({ 'a.txt': textOf(5000, 1) })
    const { id } = await look()
    expect((await run('catalog', 'list')).stdout).not.toContain(id)
    expect((await run('options', '--survey', id)).code).toBe(EXIT.usage)
  })

  it('says in a few lines what packing would save, and what only a survey tells', async () => {
    here.files(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, textOf(20_000, at)])))
    const { stdout } = await done('look', here.source)
    expect(stdout).toMatch(/holds 40 files, 800 kB\. Packing would save\sabout \d/)
    expect(stdout).toContain('all 800 kB were sampled')
    expect(stdout).not.toMatch(/cost/i)
    expect(stdout).toContain('Only a survey tells what deduplication and solid archives save')
    expect(stdout).toMatch(/Next: stowage survey /)
    expect(stdout.split('\n').length).toBeLessThan(26)
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100)
  })

  it('says what the discs cost where a price is noted, and of which day it is', async () => {
    here.files(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${at}.bin`, 1_000_000 + at])))
    await done('media', '--price', 'custom:3MB=1.15EUR')
    const { stdout } = await done('look', here.source, '--medium', 'custom:3MB', '--medium', 'bd-r-25')
    expect(stdout).toMatch(/size +Image of 3 MB +cost +BD-R 25 GB +option/)
    expect(stdout).toMatch(/files as they are .* 4–6 ◐ +4\.60–6\.90 EUR +1 ◐ +plain/)
    expect(stdout).toMatch(/Cost: of one copy, at 1\.15 EUR for custom:3MB \(given on \d{4}-\d\d-\d\d\)\./)
  })

  it('applies rules, and says what they leave out', async () => {
    here.files({ 'a.txt': textOf(5000, 1), 'b.tmp': 90_000 })
    const { totals, excluded } = await look('--exclude', '*.tmp')
    expect(totals).toMatchObject({ files: 1, bytes: 5000 })
    expect(excluded).toMatchObject({ files: 1, bytes: 90_000 })
  })

  it.each([
    ['nothing', {}],
    ['an empty file', { empty: '' }],
  ])('has an answer for %s', async (_, files) => {
    here.files({ ...files })
    const found = await look()
    expect(found.totals.bytes).toBe(0)
    expect(found.compression).toEqual([])
    expect((await done('look', here.source)).stdout).toMatch(/nothing to (store|save)/)
  })

  it.each([
    [['look'], 'give the folders or files to look at'],
    [['look', 'SOURCE', '--medium', 'vhs'], 'vhs'],
    [['look', 'SOURCE/none'], 'none'],
  ])('refuses %j', async (args, why) => {
    const { code, stderr } = await run(...args.map((arg) => arg.replace('SOURCE', here.source)))
    expect(code).not.toBe(EXIT.done)
    expect(stderr).toContain(why)
  })
})

describe('stowage options --look', () => {
  it('lists plain files and what packs each by itself, and says that it is preliminary', async () => {
    here.files(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, textOf(20_000, at)])))
    const { stdout } = await done('options', here.source, '--look', '--medium', 'bd-r-25', '--json')
    const document = optionsDocumentSchema.parse(JSON.parse(stdout))
    expect(document.preliminary?.readBytes).toBeGreaterThan(0)
    expect(document.options.map(({ variant }) => variant)).toContain('plain')
    expect(document.options.map(({ variant }) => variant)).toContain('7z-files')
    for (const { variant } of document.options)
      expect(variant).not.toMatch(/once|solid|titles|groups|borg|restic|kopia|blocks/)
    const { stdout: text, stderr } = await done('options', here.source, '--look', '--medium', 'bd-r-25')
    expect(stderr).toContain('This is a preliminary estimate')
    expect(text).toContain('First survey the source: stowage survey ')
  })

  it.each([
    ['--survey', 's-1'],
    ['--table', 'reductions'],
    ['--store-as-is', 'auto'],
    ['--samples', 'fast'],
    ['--sha256', ''],
  ])('refuses %s, which needs a survey', async (option, value) => {
    const paths = option === '--survey' ? [] : [here.source]
    const { code, stderr } = await run(
      'options',
      ...paths,
      '--look',
      option,
      ...(value === '' ? [] : [value]),
    )
    expect(code).toBe(EXIT.usage)
    expect(stderr).toContain(`${option} needs a survey`)
  })
})

describe('stowage look --draft', () => {
  it('lays files out as the plan will, without reading them', async () => {
    here.files(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${2015 + (at % 3)}/${at}.raw`, ''])))
    for (let at = 0; at < 9; at++) {
      const file = here.at('source', String(2015 + (at % 3)), `${at}.raw`)
      truncateSync(file, 9_000_000 + at)
      utimesSync(file, new Date(`${2015 + (at % 3)}-07-01`), new Date(`${2015 + (at % 3)}-07-01`))
    }
    const args = ['--medium', 'custom:40MB']
    const { stdout } = await done('look', here.source, '--draft', '--json', ...args)
    const draft = draftDocumentSchema.parse(JSON.parse(stdout))
    const made = await done('plan', here.source, '--out', here.at('plan'), '--json', ...args)
    const plan = planDocumentSchema.parse(JSON.parse(made.stdout))
    expect(draft.volumes.length).toBe(3)
    expect(draft.filledBy).toBe(plan.filledBy)
    for (const [at, volume] of plan.volumes.entries()) {
      const { label, files, bytes, shares, sectors } = draft.volumes[at] as (typeof draft.volumes)[number]
      expect({ label, files, bytes, shares }).toEqual({
        label: volume.label,
        files: volume.files,
        bytes: volume.bytes,
        shares: volume.shares,
      })
      // The model is never below the image by its bound.
      expect(Math.abs(sectors - volume.sectors) / volume.sectors).toBeLessThan(0.02)
    }
  })

  it('prints the discs, their cost and what comes next, and takes one medium', async () => {
    here.files({ 'one/a.bin': 50_000, 'other/b.bin': 70_000 })
    await done('config', 'set', 'prices', 'cd-700=0.50 EUR 2026-11-01')
    const { stdout: printed } = await done('look', here.source, '--draft', '--medium', 'cd-700')
    const stdout = printed.replaceAll(/\s+/g, ' ')
    expect(stdout).toContain('2 files, 120 kB, as they are on 1 × CD-R 700 MB')
    expect(stdout).toContain('Cost: 0.50 EUR')
    expect(stdout).toContain('SOURCE_01')
    expect(stdout).toContain('A draft from names and sizes, no plan')
    expect(stdout).toContain('--medium cd-700')
    const two = await run('look', here.source, '--draft', '--medium', 'cd-700', '--medium', 'bd-r-25')
    expect(two.code).toBe(EXIT.usage)
    expect(two.stderr).toContain('give --medium once')
    here.files({})
    const empty = await run('look', here.at('source', 'none'), '--draft')
    expect(empty.code).not.toBe(EXIT.done)
  })
})
