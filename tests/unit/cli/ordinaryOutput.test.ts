import { describe, expect, it } from 'vitest'
import { alikeRows } from '../../../src/cli/commands/alikeOptions'
import { candidateLines } from '../../../src/cli/commands/candidates'
import { printOptionsSummary } from '../../../src/cli/commands/optionsSummary'
import { OPTIONS_TABLES } from '../../../src/cli/commands/optionsTables'
import { printSummary } from '../../../src/cli/commands/surveySummary'
import { SURVEY_TABLES } from '../../../src/cli/commands/surveyTables'
import {
  type MediumCandidates,
  type Option,
  type OptionsDocument,
  optionsRequestSchema,
} from '../../../src/contract/dto/options'
import { type Excluded, KEPT_SCHEMA, type KeptDocument } from '../../../src/contract/dto/survey'
import { goalWord } from '../../../src/domain/project/project'
import { exact } from '../../../src/primitives/estimate'
import { FakeOptions } from '../../fixtures/fakeEngine/fakeOptions'
import { buildSurvey, type SurveyShape } from '../../fixtures/fakeEngine/surveys'
import { recordedTerminal } from '../../support/recordedTerminal'

const SHAPE: SurveyShape = {
  id: 's-0123456789ab',
  roots: ['/media/photos'],
  files: 78_579,
  bytes: 1.2e12,
}

function expectShort(lines: readonly string[]): void {
  expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(25)
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100)
}

function summary(
  shape: Partial<SurveyShape>,
  more: Partial<ReturnType<typeof buildSurvey>> = {},
  kept: KeptDocument | null = null,
): string[] {
  const { out, all } = recordedTerminal()
  printSummary({ ...buildSurvey({ ...SHAPE, ...shape }), ...more }, { kept, defaultRules: null }, out)
  return all()
}

async function listed(settings: Record<string, unknown>): Promise<OptionsDocument> {
  const fake = new FakeOptions({}, SHAPE).handlers(() => ({ jobId: 'j' }))
  return await fake.list(optionsRequestSchema.parse({ surveyId: SHAPE.id, ...settings }))
}

async function named(settings: Record<string, unknown>): Promise<MediumCandidates[]> {
  const fake = new FakeOptions({}, SHAPE).handlers(() => ({ jobId: 'j' }))
  return await fake.candidates(optionsRequestSchema.parse({ surveyId: SHAPE.id, ...settings }))
}

/** As after rules that left out a file by itself and a folder as a whole. */
const EXCLUDED: Excluded = {
  files: 1,
  bytes: 3_000,
  folders: 1,
  counted: false,
  rules: [
    { from: 'given', pattern: '*.tmp', files: 1, bytes: 3_000, folders: 0 },
    { from: 'preset', preset: 'caches', pattern: '.cache/', files: 0, bytes: 0, folders: 1 },
  ],
  paths: [
    { path: '/media/photos/.cache', isFolder: true, rule: 1 },
    { path: '/media/photos/a.tmp', isFolder: false, bytes: 3_000, rule: 0 },
  ],
  unused: [],
  faults: [],
}

const HALF = { files: 3_204, bytes: 21e9 }

/** As where four volumes were verified that hold most of the source. */
const KEPT: KeptDocument = {
  schema: KEPT_SCHEMA,
  surveyId: SHAPE.id,
  folder: null,
  totals: {
    files: 4_000,
    bytes: 25e9,
    byDigest: HALF,
    byTime: { files: 0, bytes: 0 },
    notKept: { files: 796, bytes: 4e9 },
  },
  anyVerified: true,
  folders: [
    {
      path: '/media/photos',
      files: 4_000,
      bytes: 25e9,
      keptFiles: 3_204,
      keptBytes: 21e9,
      byTimeOnlyFiles: 0,
      byTimeOnlyBytes: 0,
      whole: false,
    },
  ],
  moreFolders: 0,
  copies: [{ path: '/media/photos/b', copyOf: '/media/photos/a', files: 2, bytes: 3e9 }],
  moreCopies: 0,
  withoutSha256: 0,
  volumes: [1, 2, 3, 4].map((volume) => ({
    planId: 'p-0123456789ab',
    volume,
    label: `PHOTOS_0${volume}`,
    checkedWallMs: 1_772_000_000_000,
    files: 801,
    bytes: 5.25e9,
  })),
}

describe('a survey on the terminal', () => {
  it('says in one line how much is already on verified volumes', () => {
    const keptLines = (totals: Partial<KeptDocument['totals']> = {}): string[] =>
      summary({}, {}, { ...KEPT, totals: { ...KEPT.totals, ...totals } })
    const line = 'Already kept: 3,204 files, 21.0 GB of 25.0 GB on verified volumes PHOTOS_01 to PHOTOS_04'
    expect(keptLines()).toContain(`  ${line}.`)
    expectShort(keptLines())
    const byTime = { files: 1_200, bytes: 1e9 }
    expect(keptLines({ byDigest: { files: 2_004, bytes: 20e9 }, byTime }).join('\n')).toMatch(
      /PHOTOS_04;\s+1,200\s+of\s+them\s+by\s+name,\s+size\s+and\s+time\s+only\./,
    )
    const none = { byDigest: { files: 0, bytes: 0 }, notKept: { files: 4_000, bytes: 25e9 } }
    expect(keptLines(none).join('\n')).not.toContain('Already kept')
    const all = { files: 3_204, bytes: 21e9, notKept: { files: 0, bytes: 0 } }
    expect(keptLines(all).join('\n')).toContain('Already kept: all 3,204 files, 21.0 GB, on verified')
  })

  const trusted = {
    surveyId: 's-ba9876543210',
    createdWallMs: 1_772_000_000_000,
    files: 78_000,
    bytes: 1.1e12,
    partial: true,
    forecasts: 'joined',
  } as const

  it.each([
    ['an ordinary one', {}, {}],
    ['one with figures that have ranges', { sketched: true }, {}],
    ['one without samples', { forecasts: false }, {}],
    ['one of films', { alreadyCompressed: true }, {}],
    ['one that was stopped, with all there is to say', { skipped: 5000, partial: true }, { trusted }],
  ] as const)('says what would be saved at best, then the next command: %s', (_what, shape, more) => {
    const lines = summary(shape, more)
    expectShort(lines)
    expect(lines[0]).toMatch(/^\/media\/photos holds 78,579 files, 1\.20 TB\./)
    expect(lines.slice(0, 3).join(' ')).toMatch(/saves? /)
    expect(lines).toContainEqual(expect.stringMatching(/^Next: .*options --survey s-0123456789ab$/))
  })

  it('never looks complete when something was skipped', () => {
    const lines = summary({ skipped: 5000 })
    expect(lines.slice(0, 3).join(' ')).toMatch(/INCOMPLETE: 5,000 paths could not be read\./)
    expect(lines).toContainEqual(expect.stringMatching(/so this survey is incomplete \(--table skipped/))
    expect(summary({}).join('\n')).not.toMatch(/incomplete/i)
  })

  it('says that an empty folder has nothing to store', () => {
    const lines = summary({ files: 0, bytes: 0 })
    expectShort(lines)
    expect(lines[0]).toBe('/media/photos holds no files, so there is nothing to store.')
    expect(lines.join('\n')).not.toContain('Next:')
  })

  it('has every table in full, and a sentence for each that is empty', async () => {
    const silentChanges = { surveyId: 's-1', createdWallMs: 0, files: 2, bytes: 2, paths: ['/a', '/b'] }
    const full = { ...buildSurvey({ ...SHAPE, skipped: 3, folders: { excluded: EXCLUDED } }), silentChanges }
    const empty = buildSurvey({ ...SHAPE, files: 0, bytes: 0, forecasts: false })
    const twice = { bytes: 7, copies: 2, savedBytes: 7, paths: ['/a', '/b'] }
    const fullView = { document: full, kept: async () => KEPT, duplicates: async () => [twice] }
    const nothing = { ...KEPT, totals: { ...KEPT.totals, files: 0, bytes: 0 }, copies: [], volumes: [] }
    const emptyView = { document: empty, kept: async () => nothing, duplicates: async () => [] }
    for (const [name, table] of Object.entries(SURVEY_TABLES)) {
      expect((await table(fullView)).length, name).toBeGreaterThan(1)
      for (const line of await table(fullView)) expect(line.length, line).toBeLessThanOrEqual(100)
      if (name === 'blocks' || name === 'reading') continue
      expect(await table(emptyView), name).toEqual([expect.stringMatching(/^[A-Z].*\.$/)])
    }
  })
})

describe('options on the terminal', () => {
  it.each([
    ['one medium', { mediumIds: ['disk'] }],
    ['two media', { mediumIds: ['bd-r-25', 'disk'] }],
    ['three media', { mediumIds: ['bd-r-25', 'disk', 'dvd+r'], goal: 'smallest' }],
    ['five media', { mediumIds: ['bd-r-25', 'disk', 'dvd+r', 'bd-r-50', 'bdxl-100'] }],
  ])('are the best trade-offs of %s, then the command for the first', async (_what, settings) => {
    const document = await listed(settings)
    const { out, result, all } = recordedTerminal()
    printOptionsSummary(document, out)
    expectShort(all())
    const best = document.options.find(({ id }) => id === document.chosen?.id) as Option
    expect(result().slice(0, 3).join(' ')).toContain(`(${best.id})`)
    expect(result().join('\n')).toMatch(/^Next: .*stowage.* (plan|options build) /m)
    for (const medium of new Set(document.options.map(({ mediumName }) => mediumName)))
      expect(result().join('\n')).toContain(medium)
  })

  it('say which limits to relax when none meets them', async () => {
    const document = await listed({ limits: { ramBytes: 1000 } })
    expect(document.impossible).not.toBeNull()
    const { out, all } = recordedTerminal()
    printOptionsSummary(document, out)
    expectShort(all())
    expect(all()[0]).toMatch(/^No option meets these limits: /)
  })

  it('are three named candidates when those are asked for', async () => {
    const settings = { mediumIds: ['bd-r-25'] }
    const document = await listed(settings)
    const lines = await candidateLines({
      document,
      survey: buildSurvey(SHAPE),
      candidates: () => named(settings),
    })
    expectShort(lines)
    const text = lines.join('\n')
    expect(text).toMatch(/^ {2}Plain discs .* .*\(any system\)$/m)
    expect(text).toMatch(/^ {2}Smallest /m)
    expect(text).toMatch(/^ {2}Encrypted vault /m)
    const best = document.recommended.find(({ goal }) => goal === 'balanced')?.id.split('@')[0]
    expect(text).toMatch(new RegExp(`^Next: .*--option ${best} --medium bd-r-25`, 'm'))
  })

  it('list the goals of each medium, and those of all media last', async () => {
    const settings = { mediumIds: ['bd-r-25', 'disk'] }
    const document = await listed(settings)
    const lines =
      (await OPTIONS_TABLES.goals?.({
        document,
        survey: buildSurvey(SHAPE),
        candidates: () => named(settings),
      })) ?? []
    for (const { goal, id } of document.recommended)
      expect(lines.some((line) => line.startsWith(goalWord(goal)) && line.endsWith(id))).toBe(true)
    const name = (medium: string) => document.options.find((each) => each.medium === medium)?.mediumName
    const titles = lines.filter((line) => line.endsWith('  option')).map((line) => line.split('  ')[0])
    expect(titles).toEqual([name('bd-r-25'), name('disk'), 'All media'])
  })

  it('name the candidates that there are not, with the reason', async () => {
    const settings = { mediumIds: ['bd-r-25'], limits: { ramBytes: 1000 } }
    const lines = await candidateLines({
      document: await listed(settings),
      survey: buildSurvey(SHAPE),
      candidates: () => named(settings),
    })
    expectShort(lines)
    for (const name of ['Plain discs', 'Smallest', 'Encrypted vault'])
      expect(lines.join('\n')).toMatch(new RegExp(`^ {2}${name}: none on `, 'm'))
    expect(lines.join('\n')).not.toContain('Next:')
  })
})

describe('options that make no visible difference', () => {
  it('are one row, named by the first', async () => {
    const { options } = await listed({ mediumIds: ['disk'] })
    const base = options[0] as Option
    const withSize = (id: string, bytes: number, more: Partial<Option> = {}): Option => ({
      ...base,
      ...more,
      id,
      estimate: { ...base.estimate, bytes: exact(bytes, 'counted') },
    })
    const rows = alikeRows([
      withSize('a', 1e9),
      withSize('b', 1.005e9),
      withSize('c', 1.2e9),
      withSize('d', 1e9, { family: 'another' }),
      withSize('e', 1.199e9),
    ])
    expect(rows.map(({ option, alike }) => [option.id, alike.map(({ id }) => id)])).toEqual([
      ['a', ['b']],
      ['c', ['e']],
      ['d', []],
    ])
  })

  it('differ when one takes minutes longer or a disc more', async () => {
    const { options } = await listed({ mediumIds: ['disk'] })
    const base = options[0] as Option
    const changed = (figure: keyof Option['estimate'], value: number): Option => ({
      ...base,
      estimate: { ...base.estimate, writeSeconds: exact(0, 'none'), [figure]: exact(value, 'counted') },
    })
    for (const figure of ['buildSeconds', 'restoreSeconds', 'volumes'] as const) {
      const [one, other] = [changed(figure, 100), changed(figure, 200)]
      expect(alikeRows([one, other]), figure).toHaveLength(2)
    }
    expect(alikeRows([changed('buildSeconds', 1), changed('buildSeconds', 50)])).toHaveLength(1)
  })
})
