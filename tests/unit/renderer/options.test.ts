import { describe, expect, it } from 'vitest'
import { sizeTicks, timeTicks } from '../../../renderer/src/charts/figureAxis'
import { apart } from '../../../renderer/src/charts/logAxis'
import {
  axisEnd,
  floorOf,
  lineOf,
  radiusOf,
  shapeOf,
  walkOrder,
} from '../../../renderer/src/charts/paretoPicture'
import { typedSize } from '../../../renderer/src/components/typedSize'
import { placeNameOf } from '../../../renderer/src/steps/choose/candidates/placeName'
import { optionsReport } from '../../../renderer/src/steps/choose/optionsReport'
import {
  adviceOf,
  entryBytesIn,
  folderRulesOf,
  initialOptions,
  MOST_PICKED,
  optionsRequestOf,
  reduceOptions,
  relaxed,
  sideBySide,
} from '../../../renderer/src/steps/choose/optionsState'
import {
  beatenWords,
  figureRange,
  formatActual,
  formatFigure,
  ratioWords,
  sentence,
  shortName,
  signedShare,
} from '../../../renderer/src/steps/choose/optionWords'
import {
  countIn,
  durationIn,
  durationText,
  limitText,
} from '../../../renderer/src/steps/choose/preferences/typedLimits'
import {
  type OptionsDocument,
  optionsDocumentSchema,
  optionsRequestSchema,
} from '../../../src/contract/dto/options'
import { FakeOptions } from '../../fixtures/fakeEngine/fakeOptions'
import type { SurveyShape } from '../../fixtures/fakeEngine/surveys'

const SURVEY: SurveyShape = { id: 's1', roots: ['/media/Photos <2024>'], files: 5000, bytes: 60e9 }
const fake = new FakeOptions({}, SURVEY).handlers(() => ({ jobId: 'j1' }))

async function listed(request: object = {}): Promise<OptionsDocument> {
  const asked = optionsRequestSchema.parse({ surveyId: 's1', mediumIds: ['disk', 'dvd-r'], ...request })
  return optionsDocumentSchema.parse(await fake.list(asked))
}

describe('limits as they are typed', () => {
  it.each([
    ['', null],
    ['4 GB', 4e9],
    ['4k', 4096],
    ['0', undefined],
    ['4 apples', undefined],
  ])('reads the size "%s"', (text, bytes) => {
    expect(typedSize(text)).toBe(bytes)
  })

  it.each([
    ['', null],
    ['12', 12],
    ['1,200', 1200],
    ['0', undefined],
    ['1.5', undefined],
    ['-3', undefined],
  ])('reads the count "%s"', (text, count) => {
    expect(countIn(text)).toBe(count)
  })

  it.each([
    ['', null],
    ['90 min', 5400],
    ['1.5h', 5400],
    ['1 h 30 min', 5400],
    ['2d', 172_800],
    ['45s', 45],
    ['0 s', undefined],
    ['90', undefined],
    ['90 minutes', undefined],
    ['later', undefined],
  ])('reads the time "%s"', (text, seconds) => {
    expect(durationIn(text)).toBe(seconds)
  })

  it('writes limits that read as no less than they are', () => {
    for (const value of [1, 999, 25_199_999, 1.234e9, 9.9951e9, 99.95e9, 211_304_448_913, 3.2e12]) {
      const read = typedSize(limitText(value)) ?? 0
      expect(read).toBeGreaterThanOrEqual(value)
      expect(read).toBeLessThanOrEqual(value * 1.011 + 1)
      expect(durationIn(durationText(value)) ?? 0).toBeGreaterThanOrEqual(value)
    }
  })

  it('takes 16 to 4,096 bytes for an entry of a table', () => {
    expect(['', '16', '4096', '15', '4097', 'x'].map(entryBytesIn)).toEqual([
      null,
      16,
      4096,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('settings', () => {
  const form = { ...initialOptions.form, mediumIds: ['disk'] }

  it('are sent unchanged, weights only for a custom goal', () => {
    expect(optionsRequestOf('s1', { ...form, ram: '4 GB', seconds: '2 h' })).toEqual(
      optionsRequestSchema.parse({ surveyId: 's1', limits: { ramBytes: 4e9, seconds: 7200 } }),
    )
    expect(optionsRequestOf('s1', { ...form, goal: 'own' })?.weights?.bytes).toBe(0.5)
  })

  it('have the rules by folder as one option, and take them from that of a project', () => {
    const folders = { folderRules: ['Raw=files-zstd-19'], otherFiles: '7z-titles' }
    const name = 'by-folder(Raw=files-zstd-19,*=7z-titles)'
    expect(optionsRequestOf('s1', { ...form, ...folders })?.byFolder).toBe(name)
    expect(folderRulesOf(name)).toEqual(folders)
    expect(optionsRequestOf('s1', { ...form, ...folders, folderRules: [] })?.byFolder).toBeUndefined()
    const without = { folderRules: ['Raw=files-zstd-19'], otherFiles: null }
    expect(optionsRequestOf('s1', { ...form, ...without })?.byFolder).toBe('by-folder(Raw=files-zstd-19)')
    expect(folderRulesOf('by-folder(Raw=files-zstd-19)')).toEqual(without)
    for (const other of [null, '7z-titles'])
      expect(folderRulesOf(other)).toEqual({ folderRules: [], otherFiles: null })
  })

  it.each([
    { mediumIds: [] },
    { bytes: 'x' },
    { volumes: '0' },
    { seconds: '9' },
    { ram: '?' },
    { tableEntry: '1' },
  ])('are not asked while something is wrong: %j', (wrong) => {
    expect(optionsRequestOf('s1', { ...form, ...wrong })).toBeNull()
  })

  it('are relaxed so that the nearest option meets them', async () => {
    const request = optionsRequestSchema.parse({
      surveyId: 's1',
      limits: { bytes: 1e9, ramBytes: 1e6, seconds: 1, volumes: 1, readableOn: ['windows'], inPlace: true },
    })
    const before = await fake.list(request)
    expect(before.chosen).toBeNull()
    const changes = (before.impossible?.relax ?? []).map((item) => relaxed(item))
    expect(changes).not.toContain(null)
    const after = optionsRequestOf('s1', {
      ...form,
      bytes: '1 GB',
      ram: '1 MB',
      seconds: '1 s',
      volumes: '1',
      readableOn: ['windows'],
      inPlace: true,
      ...Object.assign({}, ...changes),
    })
    expect((await fake.list(after ?? request)).chosen?.id).toBe(before.impossible?.nearest)
  })

  it('offer no text for a limit that no button can relax', () => {
    expect(relaxed({ limit: 'medium', from: null, to: null, text: '' })).toBeNull()
  })
})

describe('picks', () => {
  it('follow the chosen option, the newest replaces the oldest, and picking one again removes it', async () => {
    const document = await listed()
    const ids = document.options.slice(1, MOST_PICKED + 2).map(({ id }) => id)
    const state = ids.reduce((all, id) => reduceOptions(all, { type: 'picked', id }), initialOptions)
    expect(state.picked).toEqual(ids.slice(1))
    const shown = sideBySide({ document, medium: null }, [
      ...state.picked,
      'gone@disk',
      document.chosen?.id ?? '',
    ])
    expect(shown.map(({ id }) => id)).toEqual([document.chosen?.id, ...ids.slice(1)])
    expect(reduceOptions(state, { type: 'picked', id: ids[1] ?? '' }).picked).toEqual(ids.slice(2))
  })
})

describe('the advice', () => {
  it('is the recommended option on the medium that is looked at, with its own comparison', async () => {
    const document = await listed({ mediumIds: ['disk', 'bd-r-25'] })
    for (const medium of ['disk', 'bd-r-25']) {
      const advice = adviceOf({ document, medium })
      const recommended = document.recommended.find(
        (each) => each.goal === document.request.goal && each.medium === medium,
      )
      expect(advice).toMatchObject({ option: { id: recommended?.id, medium }, because: recommended?.because })
    }
  })

  it('is the best of all while no medium is picked, and where the picked one is not compared', async () => {
    const document = await listed({ mediumIds: ['disk', 'bd-r-25'] })
    for (const medium of [null, 'dvd-r'])
      expect(adviceOf({ document, medium })).toMatchObject({
        option: { id: document.chosen?.id },
        because: document.chosen?.because,
      })
  })

  it('is the nearest option, without a reason, where nothing meets the limits', async () => {
    const document = await listed({ limits: { ramBytes: 1000 } })
    expect(adviceOf({ document, medium: null })).toMatchObject({
      option: { id: document.impossible?.nearest },
      because: null,
    })
    expect(adviceOf({ document: null, medium: null })).toBeNull()
  })
})

describe('the board', () => {
  it('draws a line on which nothing is better in both figures', async () => {
    const { options } = await listed()
    const line = lineOf(options, 'restoreSeconds')
    expect(line.length).toBeGreaterThan(2)
    for (const option of options) {
      const beats = line.filter(
        ({ estimate }) =>
          estimate.bytes.value > option.estimate.bytes.value &&
          estimate.restoreSeconds.value > option.estimate.restoreSeconds.value,
      )
      expect(beats).toEqual([])
    }
  })

  it('leaves options beyond the limits off the line, and walks the line first', async () => {
    const { options } = await listed({ limits: { ramBytes: 1e9 } })
    const line = lineOf(options, 'buildSeconds')
    expect(line.filter(({ breaks }) => breaks.length > 0)).toEqual([])
    const walked = walkOrder(options, line)
    expect(walked.slice(0, line.length)).toEqual(line)
    expect(new Set(walked).size).toBe(options.length)
  })

  it('has a place for what is nothing, and areas for memory', async () => {
    const { options } = await listed()
    expect(floorOf(options, 'buildSeconds')).toBeGreaterThan(0)
    const most = Math.max(...options.map(({ estimate }) => estimate.ramBytes.value))
    const largest = options.find(({ estimate }) => estimate.ramBytes.value === most)
    expect(largest && radiusOf(largest, most)).toBe(15)
    const quarter = options.map((option) => radiusOf(option, 4 * most))
    expect(Math.max(...quarter)).toBeCloseTo(7.5)
  })

  it('has a shape for every family', async () => {
    const { options } = await listed()
    expect(options.filter(({ family }) => shapeOf(family) === 'other')).toEqual([])
    expect(shapeOf('something-new')).toBe('other')
  })

  it.each([
    [{ from: 1, to: 100 }, [1, 3, 10, 30, 60]],
    [{ from: 0.02, to: 0.09 }, [0.02, 0.05]],
    [{ from: 3000, to: 9000 }, [3600, 5400, 7200]],
  ])('has round times on its axis: %j', (range, ticks) => {
    expect(timeTicks(range, 7)).toEqual(ticks)
  })

  it('leaves few far options beyond the end of an axis, and none that must be seen', () => {
    const near = Array.from({ length: 18 }, (_, at) => 1 + at / 100)
    expect(axisEnd([...near, 3, 4], [1])).toBe(1.17)
    expect(axisEnd([...near, 3, 4], [3.5])).toBe(4)
    expect(axisEnd([...near, 3, 3.2, 3.4], [1])).toBe(3.4)
    expect(axisEnd(near, [1])).toBe(1.17)
    expect(axisEnd([2], [])).toBe(2)
  })

  it('has round sizes on its axis, in the unit that is shown', () => {
    expect(sizeTicks({ from: 140e9, to: 230e9 }, 'decimal', 8)).toEqual(
      [140, 160, 180, 200, 220].map((size) => size * 1e9),
    )
    expect(sizeTicks({ from: 1.1 * 2 ** 30, to: 1.9 * 2 ** 30 }, 'binary', 8)).toContain(1.5 * 2 ** 30)
  })
})

it('leaves labels out where round sizes crowd on a narrow axis', () => {
  const places = [10e6, 20e6, 30e6, 40e6, 50e6, 60e6, 70e6]
  expect(apart(places, 0)).toEqual(places)
  expect(apart(places, 0.15)).toEqual([10e6, 20e6, 30e6, 50e6])
})

describe('the words for figures', () => {
  it('keep value and range in one unit', () => {
    const estimate = {
      value: 5640,
      low: 5100,
      high: 6200,
      confidence: 0.95,
      provenance: 'modelled',
      basis: '',
    } as const
    expect(formatFigure('buildSeconds', 5640, 'decimal')).toBe('90 min')
    expect(figureRange('buildSeconds', estimate, 'decimal')).toBe('90–105')
    expect(formatFigure('fetchSeconds', 0.0421, 'decimal')).toBe('<10 s')
    expect(
      figureRange('fetchSeconds', { ...estimate, value: 0.04, low: 0.01, high: 0.2 }, 'decimal'),
    ).toBeUndefined()
    expect(figureRange('fetchSeconds', { ...estimate, value: 0.4, low: 0.1, high: 22 }, 'decimal')).toBe(
      '<10–20',
    )
    const hours = { ...estimate, value: 9000, low: 600, high: 20_000 }
    expect(formatFigure('buildSeconds', 9000, 'decimal')).toBe('2.5 h')
    expect(figureRange('buildSeconds', hours, 'decimal')).toBe('<0.25–5.5')
    expect(formatActual('buildSeconds', 5640, 'decimal')).toBe('1 h 34 min')
    expect(formatFigure('storedFiles', 78_579, 'decimal')).toBe('78,579')
    expect(figureRange('bytes', { ...estimate, low: 5640, high: 5640 }, 'decimal')).toBeUndefined()
  })

  it('give the factor or share by which an option is better', () => {
    expect(ratioWords('bytes', 0.88)).toBe('12 % smaller')
    expect(ratioWords('restoreSeconds', 1 / 3)).toBe('3 times faster to restore')
    expect(ratioWords('ramBytes', 0.04)).toBe('25 times less memory to build')
    expect(ratioWords('buildSeconds', 0)).toBe('faster to build')
    expect([0.0124, -0.004, 0, 1.5].map(signedShare)).toEqual(['+1.2 %', '−0.4 %', '0.0 %', '+150 %'])
  })

  it('name what beats an option, with the two strongest figures', async () => {
    const document = await listed()
    const beaten = document.options.filter(({ beatenBy }) => beatenBy !== null)
    expect(beaten.length).toBeGreaterThan(10)
    for (const option of beaten) expect(beatenWords(option, document)).toBeTruthy()
    const front = document.options.find(({ pareto }) => pareto)
    expect(front && beatenWords(front, document)).toBeNull()
  })

  it('make whole sentences of half ones', () => {
    expect(sentence('allow 4 volumes')).toBe('Allow 4 volumes.')
    expect(sentence('Take another.')).toBe('Take another.')
  })

  it('leave out the last details of long names', () => {
    expect(shortName('One 7z, 1 MiB, by type', 14)).toBe('One 7z, 1 MiB')
    expect(shortName('One 7z, 1 MiB, by type', 13)).toBe('One 7z, 1 MiB')
    expect(shortName('One 7z, 1 MiB, by type', 12)).toBe('One 7z')
  })

  it('cut long names at their end', () => {
    expect(shortName('abcdef', 6)).toBe('abcdef')
    expect(shortName('abcde fg', 7)).toBe('abcde…')
  })
})

it('names a build after its source and what it is, with the ending that such files have', () => {
  expect(placeNameOf({ variant: '7z-solid-64m-content' }, ['/a/Photos: all?'])).toBe(
    'Photos_ all_ 7z-solid-64m-content.7z',
  )
  expect(placeNameOf({ variant: '7z-titles' }, ['/a/Games'])).toBe('Games 7z-titles')
  expect(placeNameOf({ variant: 'tar-zst-19-64m-path' }, ['/a', '/b'])).toBe(
    'a +1 tar-zst-19-64m-path.tar.zst',
  )
  expect(placeNameOf({ variant: 'borg-1-lz4' }, [`/a/${'x'.repeat(300)}`]).length).toBeLessThan(200)
})

it('writes a report that loads nothing and takes no name for markup', async () => {
  const document = await listed()
  const report = optionsReport(document, 'decimal')
  expect(report).toContain('Ways to store Photos &lt;2024&gt;')
  expect(report).not.toMatch(/<2024|<script|https?:|src=|url\(/)
  expect(report.match(/<tr>/g)).toHaveLength(document.options.length + 1)
  expect(report).toContain(adviceOf({ document, medium: null })?.option.name.split(',')[0])
})
