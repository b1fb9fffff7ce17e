import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { romsDocumentSchema } from '../../src/contract/dto/roms'
import { EXIT } from '../../src/primitives/exitCode'
import { datOf, fileOf, gameOf, logiqxText } from '../support/madeDats'
import { placeOfEachTest } from '../support/place'

const here = placeOfEachTest('romrules')
const { run, done } = here
const ROM = 'content of a ROM'

/** A source in which every file is wanted, and its DAT. */
function made(): string {
  here.files({
    'a.bin': ROM,
    'old/b.bin': ROM,
    '.DS_Store': ROM,
    'tmp/c.tmp': ROM,
    'large.bin': 'x'.repeat(3000),
    'ignored/d.bin': ROM,
    'ignored/.stowageignore': 'd.bin\n',
    'cache/CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55\n',
    'cache/e.bin': ROM,
  })
  writeFileSync(here.at('made.dat'), logiqxText(datOf([gameOf('a', { files: [fileOf('a.bin', ROM)] })])))
  writeFileSync(here.at('rules'), '# of a project\n*.tmp\n/old/\n')
  return here.at('made.dat')
}

async function found(...options: string[]): Promise<string[]> {
  const { stdout } = await done('roms', here.source, '--dat', made(), '--json', ...options)
  const { files } = romsDocumentSchema.parse(JSON.parse(stdout))
  return files
    .filter(({ state }) => state === 'right' || state === 'duplicate')
    .map(({ path }) => path.slice(here.source.length + 1))
}

const ALL = ['.DS_Store', 'a.bin', 'cache/e.bin', 'old/b.bin', 'tmp/c.tmp']

it.each<[options: string[], left: string[]]>([
  [[], ALL],
  [['--no-ignore-files'], [...ALL, 'ignored/d.bin'].toSorted()],
  [
    ['--exclude', '*.tmp', '--exclude', '/old/'],
    ['.DS_Store', 'a.bin', 'cache/e.bin'],
  ],
  [
    ['--exclude', '*.bin', '--include', 'a.bin'],
    ['.DS_Store', 'a.bin', 'tmp/c.tmp'],
  ],
  [
    ['--exclude-from', 'RULES'],
    ['.DS_Store', 'a.bin', 'cache/e.bin'],
  ],
  [['--exclude-preset', 'litter'], ALL.filter((path) => path !== '.DS_Store')],
  [['--exclude-caches'], ALL.filter((path) => path !== 'cache/e.bin')],
  [['--exclude-larger-than', '10', '--no-ignore-files'], []],
])('%j decides which files are compared', async (options, left) => {
  expect(await found(...options.map((option) => option.replace('RULES', here.at('rules'))))).toEqual(left)
})

it('the summary, a table and the document tell what rules left out', async () => {
  const given = ['roms', here.source, '--dat', made(), '--exclude', 'old/', '--exclude', 'nothing*']
  const { stdout, stderr } = await done(...given)
  expect(stdout).toMatch(/Left out: 2 files, 32 B by 2 rules, 1 folder among them\./)
  expect(stderr).toContain('the rule "nothing*" left nothing out')
  expect((await done(...given, '--table', 'excluded')).stdout).toMatch(/old\/\s+1\s+1/)
  const document = romsDocumentSchema.parse(JSON.parse((await done(...given, '--json')).stdout))
  expect(document.rules).toMatchObject({ patterns: ['old/', 'nothing*'], ignoreFiles: true })
  expect(document.excluded).toMatchObject({ files: 2, unused: ['nothing*'] })
})

it('default rules of the settings count, are named, and can be done without', async () => {
  const dat = made()
  await done('config', 'set', 'exclude-preset', 'litter')
  const { stdout } = await done('roms', here.source, '--dat', dat)
  expect(stdout).toMatch(/Default rules of the settings: [^\n]*litter/)
  expect(await found()).not.toContain('.DS_Store')
  expect(await found('--no-default-rules')).toContain('.DS_Store')
})

it.each([
  [['--exclude', ''], '--exclude is empty'],
  [['--exclude-preset', 'liter'], 'no preset "liter"'],
  [['--exclude-from', 'none'], 'none: no such file'],
  [['--exclude-larger-than', 'big'], 'big'],
])('refuses %j', async (options, why) => {
  const { code, stderr } = await run('roms', here.source, '--dat', made(), ...options)
  expect(code).toBe(EXIT.usage)
  expect(stderr).toContain(why)
})
