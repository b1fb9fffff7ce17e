import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { optionsDocumentSchema } from '../../src/domain/options/optionsDocument'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'
import { stowageUnderWine, winePath } from '../support/wine'

const RULES = [
  '--exclude-caches',
  '--exclude-larger-than',
  '1MB',
  '--exclude',
  '*.tmp',
  '--exclude',
  '/Build/',
]

/** Kept and unwanted files: by pattern, ignore file, size and mark. */
function makeSource(root: string): void {
  const random = seededRandom(43)
  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const noise = (bytes: number): Buffer => {
    const content = Buffer.alloc(bytes)
    random.fillBytes(content)
    return content
  }
  const shared = noise(40_000)
  for (let at = 0; at < 12; at++) {
    put(`src/${at % 3}/${at}.c`, `line ${at} of a text\n`.repeat(400 * (at + 1)))
    put(`src/${at % 3}/${at}.o`, noise(3000))
    put(`Build/${at}.c`, shared)
    put(`data/${at}.jpg`, Buffer.concat([shared, noise(20_000)]))
    put(`data/${at}.TMP`, 'kept: patterns see case')
    put(`data/${at}.tmp`, noise(5000))
  }
  put('src/.stowageignore', '*.o\n!/0/0.o\n')
  put('data/huge.iso', noise(1_200_000))
  put('cache/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n')
  put('cache/left out', shared)
}

it('rules, options and the search for a file give on Windows what they give on Linux', async () => {
  const folder = await temporaryFolder()
  const at = (...names: string[]): string => join(folder, ...names)
  makeSource(at('source'))
  const there = (...args: string[]): Promise<CommandEnd> => stowageUnderWine(args, { home: at('home') })
  const here = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: at('linux') })
  const surveyed = ['--samples', 'none', '--sha256', ...RULES]

  const ends = [
    await there('survey', winePath(at('source')), ...surveyed, '--out', winePath(at('there.json'))),
    await here('survey', at('source'), ...surveyed, '--out', at('here.json')),
  ]
  for (const { code, stderr } of ends) expect(code, stderr).toBe(0)
  const [theirs, ours] = ['there.json', 'here.json'].map((name) => {
    const json = readFileSync(at(name), 'utf8').replaceAll('"Z:/', '"/')
    const document = surveyDocumentSchema.parse(JSON.parse(json))
    const { id: _id, createdWallMs: _created, roots: _roots, timing: _timing, ...figures } = document
    return figures
  })
  expect(ours?.totals.files).toBe(12 + 1 + 12 + 12 + 1)
  expect(ours?.excluded?.rules.length).toBeGreaterThan(4)
  expect(theirs).toEqual(ours)

  const media = ['--medium', 'bd-r-25', '--medium', 'disk', '--json']
  const lists = [
    await there('options', '--survey', winePath(at('there.json')), ...media),
    await here('options', '--survey', at('here.json'), ...media),
  ].map(({ code, stdout, stderr }) => {
    expect(code, stderr).toBe(0)
    const { options } = optionsDocumentSchema.parse(JSON.parse(stdout))
    // Their order follows the times, which are those of each machine.
    return options
      .map(({ id, estimate: { bytes, volumes } }) => ({ id, bytes, volumes }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  })
  expect(lists[0]).toEqual(lists[1])
  expect(lists[0]?.length).toBeGreaterThan(50)

  const planned = await there(
    'plan',
    winePath(at('source')),
    '--medium',
    'custom:2MB',
    ...RULES,
    '--out',
    winePath(at('plan')),
  )
  expect(planned.code, planned.stderr).toBe(0)
  const found = await there('find', '0.c', '--json')
  expect(found.code, found.stderr).toBe(0)
  expect(found.stdout).toContain('src/0/0.c')
  const lost = await there('find', 'left out')
  expect(lost.code).toBe(7)
})
