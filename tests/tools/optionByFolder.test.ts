import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { OptionBuild, OptionsDocument } from '../../src/contract/dto/options'
import type { PlanEntry } from '../../src/contract/dto/plan'
import type { SurveyDocument } from '../../src/contract/dto/survey'
import { currentPlan, packedMembers } from '../../src/engine/sets/volume/planned/currentPlan'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { EXIT } from '../../src/primitives/exitCode'
import { logiqxText } from '../support/madeDats'
import { madeRoms } from '../support/madeRoms'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'

const here = placeOfEachTest('option-by-folder')

const NES = madeRoms(51, { system: 'NES', parents: 8, bytes: 30_000 })
const GB = madeRoms(52, { system: 'GB', parents: 5, bytes: 60_000 })
const RULES = ['--option-for', 'Cowering/**=7z-dat', '--option-for', '*=7z-t7z-files']
const NAME = 'by-folder(Cowering/**=7z-dat,*=7z-t7z-files)'

async function answer<T>(...args: string[]): Promise<T> {
  return JSON.parse((await here.done(...args, '--json')).stdout) as T
}

const below = (folder: string, files: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]))

/** Two systems, of which one is in both folders, and their DATs. */
function made(): string[] {
  here.files({ ...below('Cowering', NES.files), ...below('TOSEC', NES.files), ...below('TOSEC', GB.files) })
  here.files({ 'list.txt': 'one line\n'.repeat(500) })
  return [NES, GB].flatMap(({ dat }, at) => {
    writeFileSync(here.at(`${at}.dat`), logiqxText(dat))
    return ['--dat', here.at(`${at}.dat`)]
  })
}

async function surveyed(): Promise<string> {
  return (await answer<SurveyDocument>('survey', here.source, ...made())).id
}

async function membersOf(plan: string): Promise<Extract<PlanEntry, { kind: 'file' }>[]> {
  const members = await packedMembers(await currentPlan(await openPlanFolder(here.at(plan))))
  return members.filter((entry) => entry.kind === 'file')
}

function contentsBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(folder.length), readFileSync(path, 'latin1')]
    }),
  )
}

/** The method of each archive, as the index of the first volume names it. */
function methodsIn(plan: string): Map<string, string> {
  const folder = here.at(plan, 'packed')
  const index = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('INDEX.tsv'),
  )
  const [head = '', ...rows] = readFileSync(join(folder, index ?? ''), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
  const columns = head.split('\t')
  const [path, method] = [columns.indexOf('path'), columns.indexOf('method')]
  return new Map(
    rows
      .map((row) => row.split('\t'))
      .flatMap((row) => (row[method] ? [[row[path] ?? '', row[method]]] : [])),
  )
}

describe('options by folder', () => {
  it('are forecast as they are built, also where ROM sets are in several folders', {
    tags: 'long',
  }, async () => {
    const id = await surveyed()
    const document = await answer<OptionsDocument>('options', '--survey', id, ...RULES)
    const listed = document.options.find(({ variant }) => variant === NAME)
    expect(listed?.here.can).toBe('restore')
    const out = here.at('built')
    const { forecast, actual } = await answer<OptionBuild>(
      'options',
      'build',
      ...RULES,
      '--survey',
      id,
      '--out',
      out,
    )
    console.log(`built ${actual.bytes}, forecast ${JSON.stringify(forecast.bytes)}`)
    expect(listed?.estimate.bytes).toEqual(forecast.bytes)
    expect(actual.bytes).toBeGreaterThanOrEqual(forecast.bytes.low)
    expect(actual.bytes).toBeLessThanOrEqual(forecast.bytes.high)
    const { stdout } = await here.done('options', '--survey', id, ...RULES, '--table', 'reductions')
    expect(stdout).toContain('by-folder: Cowering/**=7z-dat, *=7z-t7z-files')
    const dats = ['--dat', here.at('0.dat'), '--dat', here.at('1.dat')]
    const seed = await here.done('roms', here.source, ...dats, ...RULES, '--table', 'seed')
    // Times differ from survey to survey.
    const rowOf = (text: string) => /by-folder .*?%/.exec(text)?.[0] ?? text
    expect(rowOf(seed.stdout)).toBe(rowOf(stdout))
    const refused = await here.run('roms', here.source, ...dats, '--detector', 'SMC', '--table', 'seed')
    expect(refused).toMatchObject({ code: EXIT.usage })
    const whole = await here.done('roms', here.source, ...dats, '--layout', 'non-merged', '--table', 'seed')
    expect(whole.stdout).toContain('7z-dat-nonmerged')
  })

  it('with one rule for everything are forecast as the option itself', { tags: 'long' }, async () => {
    const id = await surveyed()
    for (const option of ['7z-dat', '7z-titles', 'torrentzip-sets', 'files-zstd-3']) {
      const { options } = await answer<OptionsDocument>(
        'options',
        '--survey',
        id,
        '--option-for',
        `*=${option}`,
      )
      const bytesOf = (name: string) => options.find(({ variant }) => variant === name)?.estimate.bytes
      const [alone, byFolder] = [bytesOf(option), bytesOf(`by-folder(*=${option})`)]
      expect(byFolder?.value, option).toBeCloseTo(alone?.value ?? 0, 0)
      expect(byFolder?.low, option).toBeCloseTo(alone?.low ?? 0, 0)
      expect(byFolder?.high, option).toBeCloseTo(alone?.high ?? 0, 0)
    }
  })

  it('are planned, built, verified, restored and added to, each folder by its rule', {
    tags: 'long',
  }, async () => {
    const dats = made()
    // Files that changed less than two seconds before a survey are read again by the next.
    await setTimeout(2_100)
    const plan = [
      '--archive',
      'ROMs',
      ...dats,
      ...RULES,
      '--medium',
      'custom:1500kB',
      '--out',
      here.at('first'),
    ]
    await here.done('plan', here.source, ...plan)
    expect(here.planIn('first').packing).toMatchObject({ recipe: NAME })
    await here.done('build', here.at('first'))
    await here.done('verify', here.at('first'))
    const methods = methodsIn('first')
    for (const member of await membersOf('first')) {
      const isMerged = member.source.startsWith(here.at('source', 'Cowering'))
      expect(methods.get(member.in ?? ''), member.path).toBe(isMerged ? '7z-dat' : '7z-t7z-files')
    }
    here.files({ 'Cowering/new.bin': 9_000, 'TOSEC/new.bin': 8_000 })
    await here.done('add', 'ROMs', '--out', here.at('second'))
    expect(here.planIn('second').packing).toMatchObject({ recipe: NAME, folder: 'added-2' })
    await here.done('build', here.at('second'))
    await here.done('verify', here.at('second'))
    const added = methodsIn('second')
    expect(added.get('added-2/Cowering/new.bin.7z')).toBe('7z-dat')
    expect(added.get('added-2/TOSEC/new.bin.7z')).toBe('7z-t7z-files')
    const images = ['first', 'second'].flatMap((name) =>
      readdirSync(here.at(name, 'images'))
        .filter((file) => file.endsWith('.iso'))
        .map((file) => here.at(name, 'images', file)),
    )
    await here.done('restore', ...images, '--to', here.at('back'))
    expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
  })

  it('mixes zips, compressed files and titles, and gives archives of one name a number', {
    tags: 'long',
  }, async () => {
    here.files({
      'a/Game (World).bin': 9_000,
      'a/Game (Japan).bin': 8_000,
      'a/Game': 'text\n'.repeat(4_000),
      'b/song.mod': 'notes\n'.repeat(3_000),
      'b/song.mod.gz': 5_000,
      'c/page.txt': 'page\n'.repeat(3_000),
    })
    const { id } = await answer<SurveyDocument>('survey', here.source)
    const rules = [
      '*.bin=7z-titles',
      'a/=7z-groups',
      '*.gz=files-zstd-3+as-is.gz',
      'b/=files-gzip-9',
      '*=torrentzip-titles',
    ]
    const given = rules.flatMap((rule) => ['--option-for', rule])
    await here.done('plan', '--survey', id, ...given, '--medium', 'folder:4MB', '--out', here.at('plan'))
    await here.done('build', here.at('plan'))
    await here.done('verify', here.at('plan'))
    const methods = methodsIn('plan')
    expect([...methods.values()].toSorted()).toEqual(
      ['7z-groups', '7z-titles', 'files-gzip-9', 'files-zstd-3+as-is.gz', 'torrentzip-titles'].toSorted(),
    )
    expect([...methods.keys()].filter((path) => path.includes('song')).toSorted()).toEqual([
      'b/song.mod 2.gz',
      'b/song.mod.gz',
    ])
    const [name = ''] = readdirSync(here.at('plan', 'folders'))
    const volume = here.at('plan', 'folders', name)
    await here.done('restore', volume, '--to', here.at('back'))
    expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
    mkdirSync(here.at('by-script'))
    symlinkSync((await requireTool(sevenZip)).path, here.at('7zz'))
    const env = { ...process.env, PATH: `${here.folder}:${process.env['PATH']}` }
    const words = [join(volume, 'STOWAGE/RESTORE.sh'), here.at('by-script'), volume]
    execFileSync('sh', words, { stdio: 'pipe', env })
    expect(contentsBelow(here.at('by-script'))).toEqual(contentsBelow(here.source))
  })

  it.each([
    [['--option-for', '*=7z-best'], 'there is no 7z-best'],
    [['--option-for', '*=7z-t7z'], 'it makes one archive of all files'],
    [['--option-for', '*=plain'], 'it packs nothing'],
    [['--option-for', 'Cowering'], 'has no "="'],
    [['--option-for', '=7z-dat'], 'has no pattern'],
    [['--option-for', '!a=7z-titles'], 'begins with "!"'],
    [['--option-for', '[a=7z-titles'], 'cannot use the rule "[a"'],
    [['--option-for', 'a/=7z-titles', '--store-as-is', 'jpg'], 'cannot store file types as they are'],
  ])('refuses %j before anything is written', async (words, because) => {
    here.files({ 'a/file': 'text' })
    const refused = await here.run('plan', here.source, ...words, '--out', here.at('plan'))
    expect(refused.stderr).toContain(because)
    expect([EXIT.usage, EXIT.notDone]).toContain(refused.code)
    expect(readdirSync(here.at())).not.toContain('plan')
  })

  it('refuses files without a rule, and notes rules without files', async () => {
    here.files({ 'a/file (1)': 'text\n'.repeat(900), 'b/file': 'more\n'.repeat(900) })
    const words = ['--option-for', 'a/=7z-titles', '--option-for', 'nothing/=7z-titles']
    const plan = ['plan', here.source, '--medium', 'custom:4MB', '--out', here.at('plan')]
    const refused = await here.run(...plan, ...words)
    expect(refused).toMatchObject({ code: EXIT.notDone })
    expect(refused.stderr).toContain('no rule is for b/file;')
    const { stderr } = await here.done(...plan, ...words, '--option', 'files-zstd-3')
    expect(stderr).toContain('the rule nothing/ is for no file')
    expect(here.planIn('plan').packing?.recipe).toBe(
      'by-folder(a/=7z-titles,nothing/=7z-titles,*=files-zstd-3)',
    )
  })
})
