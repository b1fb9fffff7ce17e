import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CompareDocument,
  compareDocumentSchema,
  OPTION_FIGURES,
  type OptionBuild,
  type OptionsDocument,
  optionBuildSchema,
  optionsDocumentSchema,
} from '../../src/contract/dto/options'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'

let folder: string
let home: string
let source: string
let surveyId: string

/** Two megabytes of made-up text, a quarter of it twice, and as much without pattern. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-options-'))
  home = join(folder, 'home')
  source = join(folder, 'source')
  mkdirSync(join(source, 'again'), { recursive: true })
  const random = seededRandom(81)
  for (let index = 0; index < 40; index++) {
    const words = Array.from({ length: 4000 }, () => `word${random.below(900)} `).join('')
    writeFileSync(join(source, `text-${index}.txt`), words)
    if (index % 4 === 0) writeFileSync(join(source, 'again', `text-${index}.txt`), words)
    const noise = new Uint8Array(40_000)
    random.fillBytes(noise)
    writeFileSync(join(source, `noise-${index}.jpg`), noise)
  }
  const { code, stdout, stderr } = await stowage(['survey', source, '--samples', 'fast', '--json'], { home })
  // A survey whose forecasts failed is kept and printed too: the reason is what matters then.
  expect(code, stderr).toBe(0)
  surveyId = (JSON.parse(stdout) as { id: string }).id
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function options(...args: string[]): Promise<{ code: number | null; document: OptionsDocument }> {
  const { code, stdout, stderr } = await stowage(['options', '--survey', surveyId, '--json', ...args], {
    home,
  })
  expect(stdout, stderr).not.toBe('')
  return { code, document: optionsDocumentSchema.parse(JSON.parse(stdout)) }
}

async function build(option: string, ...args: string[]): Promise<OptionBuild> {
  const { code, stdout, stderr } = await stowage(
    ['options', 'build', option, '--survey', surveyId, '--json', ...args],
    { home },
  )
  expect(code, stderr).toBe(0)
  return optionBuildSchema.parse(JSON.parse(stdout))
}

async function compare(): Promise<CompareDocument> {
  const { stdout } = await stowage(['compare', '--json'], { home })
  return compareDocumentSchema.parse(JSON.parse(stdout))
}

describe('stowage options', () => {
  it('has a row for every kind of container, every figure with a range that holds it', async () => {
    const { code, document } = await options('--medium', 'disk', '--medium', 'bd-r-25')
    expect(code).toBe(0)
    const ids = document.options.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const families = new Set(document.options.map(({ family }) => family))
    for (const family of [
      'plain',
      'iso',
      'apple-image',
      'compressed-files',
      'seven-zip-files',
      'seven-zip-solid',
      'torrent7z',
      'seven-zip-merged',
      'seven-zip-blocks',
      'blocks',
      'zfs',
      'borg',
      'restic',
      'kopia',
      'tar-zst',
      'squashfs',
    ]) {
      expect(families, family).toContain(family)
    }
    for (const option of document.options) {
      for (const figure of OPTION_FIGURES) {
        const { low, value, high, basis } = option.estimate[figure]
        expect(low, `${option.id} ${figure}`).toBeLessThanOrEqual(value)
        expect(value, `${option.id} ${figure}`).toBeLessThanOrEqual(high)
        expect(basis, `${option.id} ${figure}`).not.toBe('')
      }
      const isCompared = option.breaks.length === 0 && ['restore', 'plan'].includes(option.here.can)
      expect(option.pareto, option.id).toBe(isCompared && option.beatenBy === null)
      expect(option.ways.length, option.id).toBeGreaterThan(0)
      expect(option.readers.length, option.id).toBeGreaterThan(0)
    }
    const plain = document.options.find(({ id }) => id === 'plain@disk')
    expect(plain?.estimate.bytes.value).toBeGreaterThanOrEqual(document.source.bytes)
    expect(document.chosen).not.toBeNull()
    expect(document.presets.map(({ goal }) => goal)).toContain('smallest')
    for (const mediumId of document.request.mediumIds)
      expect(document.recommended.filter(({ medium }) => medium === mediumId)).toHaveLength(6)
  })

  it('recommends only what Stowage restores, and lists ZFS, kopia and proof stores behind it', async () => {
    const { document } = await options('--medium', 'disk', '--medium', 'bd-r-25')
    const byId = new Map(document.options.map((option) => [option.id, option]))
    for (const { id, because } of [...document.recommended, ...document.presets]) {
      expect(byId.get(id)?.here.can, id).toBe('restore')
      expect(because).toMatch(/^[^.]+: .+; .+\.$/)
    }
    const of = (variant: string) => byId.get(`${variant}@disk`)?.here
    expect(of('zfs-128k-lz4-nodedup')?.can).toBe('forecast')
    expect(of('kopia-none')?.can).toBe('forecast')
    expect(of('blocks-4k')).toEqual({
      can: 'forecast',
      because: 'it shows what deduplication would save and cannot be restored',
    })
    // Nothing is hidden by not asking for encryption.
    expect(byId.get('restic-auto@disk')).toMatchObject({ breaks: [], here: { can: 'restore' } })
  })

  it('sorts by the goal, and names the limits to relax when no option meets them', async () => {
    const { document } = await options('--goal', 'smallest')
    const kept = document.options.filter(({ breaks }) => breaks.length === 0)
    const least = Math.min(...kept.map(({ estimate }) => estimate.bytes.value))
    expect(kept[0]?.estimate.bytes.value).toBeLessThan(1.1 * least)
    const { code, document: none } = await options('--max-ram', '1kB')
    expect(code).toBe(4)
    expect(none.chosen).toBeNull()
    expect(none.impossible?.relax.map(({ limit }) => limit)).toEqual(['ramBytes'])
    const nearest = none.options.find(({ id }) => id === none.impossible?.nearest)
    const allowed = String(none.impossible?.relax[0]?.to)
    const relaxed = await options('--max-ram', allowed)
    expect(relaxed.code).toBe(0)
    expect(relaxed.document.options.find(({ id }) => id === nearest?.id)?.breaks).toEqual([])
  })

  it('plans a container of another system, and says that a script makes it there', async () => {
    const { code, document } = await options('--container', 'asif')
    expect(code).toBe(0)
    const asif = document.options.find(({ id }) => id === document.chosen?.id)
    expect(asif?.container).toBe('asif')
    expect(asif?.build).toEqual({ possible: false, because: expect.stringContaining('only macOS writes') })
    expect(asif?.here).toEqual({ can: 'plan', because: expect.stringContaining('build-on-mac.sh') })
  })

  it('prints the same figures as a table, and one option in full', async () => {
    const plain = await stowage(['options', '--survey', surveyId, '--goal', 'fastest-restore'], { home })
    expect(plain.code).toBe(0)
    expect(plain.stdout).toMatch(/restores?\s+in\s/)
    const one = await stowage(['options', '--survey', surveyId, '--explain', '7z-files@disk'], { home })
    expect(one.stdout).toMatch(/to restore all .* [●◐○■] /)
    expect(one.stdout).toMatch(/unpacks on Linux, macOS, Windows by 7-Zip \(9\.04 and later\): /)
    expect(one.stdout).toMatch(/allows: add files later, encrypt with AES-256, restore each volume alone/)
    expect(one.stdout).toMatch(/Stowage plans, builds, verifies and restores it here/)
  })

  it('prints every reduction with size, share, time and rate, the smallest first, within 100 columns', async () => {
    const { stdout, code } = await stowage(['options', '--survey', surveyId, '--table', 'reductions'], {
      home,
    })
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
    const shares = lines.flatMap((line) => {
      const [, share] = /^\S+ .* (\d+(?:\.\d+)?) %  .*/.exec(line) ?? []
      return share === undefined ? [] : [Number(share)]
    })
    const { document } = await options('--table', 'reductions')
    expect(shares.length).toBe(document.reductions?.length)
    expect(shares.length).toBeGreaterThan(60)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(stdout).toMatch(/^zfs-128k-gzip-6-dedup +512 B .* [\d.]+ [kM]B of [\d.]+ [kM]B$/m)
  })
})

describe('stowage options build', () => {
  it('builds for real, twice the same, and compares it with the forecast', async () => {
    const first = await build('7z-solid-4m-path', '--out', join(folder, 'one.7z'))
    const second = await build('7z-solid-4m-path', '--out', join(folder, 'two.7z'))
    expect(first.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(second.sha256).toBe(first.sha256)
    expect(first.actual.bytes).toBeGreaterThan(1_600_000)
    expect(Math.abs(first.forecast.bytes.value / first.actual.bytes - 1)).toBeLessThan(0.1)
    expect(first.uncalibrated.cpuSeconds).toBeGreaterThan(0)
    expect(first.otherCores).toBeNull()
    expect(first.forecast.bytes.low).toBeLessThanOrEqual(first.actual.bytes)
    expect(first.forecast.bytes.high).toBeGreaterThanOrEqual(first.actual.bytes)
    expect(second.uncalibrated.bytes).toBe(first.uncalibrated.bytes)
    const { builds, calibration, summary } = await compare()
    const own = builds.filter(({ variant }) => variant === first.variant)
    expect(own.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(own[1]?.errors.bytes.error).toBeCloseTo(first.forecast.bytes.value / first.actual.bytes - 1, 10)
    expect(summary.find(({ figure }) => figure === 'bytes')?.builds).toBe(builds.length)
    // Builds of one source alone calibrate nothing: they cannot show that a factor helps with another.
    expect(calibration).toEqual([])
    expect(second.forecast.bytes).toEqual(first.forecast.bytes)
  })

  it('replaces nothing unasked, and removes what was only to be measured', async () => {
    const target = join(folder, 'kept.7z')
    writeFileSync(target, 'precious')
    const { code, stderr } = await stowage(
      ['options', 'build', '7z-files', '--survey', surveyId, '--out', target],
      { home },
    )
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/is already there/)
    const before = readdirSync(folder)
    const { discarded, path } = await build('files-zstd-3', '--out', join(folder, 'gone'), '--discard')
    expect(discarded).toBe(true)
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(folder)).toEqual(before)
  })

  it.each([
    ['tar-zst-19-4m-path', '--encrypt', '256', 'it cannot be encrypted (AES-256 is requested); 7z-files can'],
    [
      '7z-solid-4m-path',
      '--encrypt',
      '128',
      'it can be encrypted with AES-256 only (AES-128 is requested); udzo can',
    ],
    ['7z-solid-4m-path', '--protect', '10%', 'Stowage cannot add redundancy to it yet (10 % is requested)'],
  ])(
    'refuses %s with %s %s before anything is asked for or written',
    async (variant, option, value, because) => {
      const { document } = await options(option, value)
      expect(document.options.find((each) => each.variant === variant)?.build).toEqual({
        possible: false,
        because,
      })
      const place = mkdtempSync(join(folder, 'refused-'))
      const { code, stderr } = await stowage(
        ['options', 'build', variant, '--survey', surveyId, '--out', join(place, 'it'), option, value],
        { home },
      )
      expect(stderr).toContain(`cannot build ${variant}: ${because}`)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(code).toBe(7)
      expect(readdirSync(place)).toEqual([])
    },
  )

  it('refuses a changed source, options that it cannot build, and options without a forecast', async () => {
    const fail = async (option: string, id = surveyId): Promise<string> => {
      const out = join(folder, 'none')
      const { code, stderr } = await stowage(['options', 'build', option, '--survey', id, '--out', out], {
        home,
      })
      expect(code).not.toBe(0)
      expect(existsSync(out)).toBe(false)
      return stderr
    }
    expect(await fail('zfs-128k-zstd-3-dedup')).toMatch(/cannot build zfs-128k-zstd-3-dedup: /)
    expect(await fail('no-such-thing')).toMatch(/no-such-thing/)
    const other = join(folder, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'note.txt'), 'a note '.repeat(300))
    const { code, stdout, stderr } = await stowage(['survey', other, '--samples', 'fast', '--json'], { home })
    expect(code, stderr).toBe(0)
    const { id } = JSON.parse(stdout) as { id: string }
    appendFileSync(join(other, 'note.txt'), 'more')
    expect(await fail('files-gzip-6', id)).toMatch(/note\.txt: it has changed since the survey/)
    rmSync(join(other, 'note.txt'))
    expect(await fail('files-gzip-6', id)).toMatch(/note\.txt: it no longer exists/)
  })

  it('leaves nothing when it is cancelled, and removes at the next start what a kill left', {
    tags: 'long',
  }, async () => {
    const place = join(folder, 'place')
    const long = join(folder, 'long')
    for (const each of [place, long]) mkdirSync(each)
    const random = seededRandom(82)
    // 7-Zip is busy with it for some seconds, however late it is seen to have begun.
    writeFileSync(
      join(long, 'text'),
      Array.from({ length: 500_000 }, () => `word${random.below(9000)} `).join(''),
    )
    const surveyed = await stowage(['survey', long, '--samples', 'fast', '--json'], { home })
    const { id } = JSON.parse(surveyed.stdout) as { id: string }
    const args = ['options', 'build', '7z-solid-1m-path', '--survey', id, '--out', join(place, 'it.7z')]
    const during = (signal: NodeJS.Signals): ReturnType<typeof stowage> =>
      stowage(args, {
        home,
        onStart: (kill) => {
          const timer = setInterval(() => {
            const work = readdirSync(place).find((name) => name.startsWith('.stowage-option-'))
            const inside = work === undefined ? [] : readdirSync(join(place, work))
            // As 7-Zip calls it until it is whole.
            if (!inside.some((name) => name.startsWith('.stowage-build'))) return
            clearInterval(timer)
            kill(signal)
          }, 20)
          timer.unref()
        },
      })
    expect((await during('SIGINT')).code).toBe(130)
    expect(readdirSync(place)).toEqual([])
    await during('SIGKILL')
    expect(readdirSync(place)).toEqual([expect.stringMatching(/^\.stowage-option-/)])
    const { stderr } = await stowage(['catalog', 'list'], { home })
    expect(stderr).toMatch(/removed what a killed process left: .*\.stowage-option-/)
    expect(readdirSync(place)).toEqual([])
  })
})
