import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

let folder: string
let source: string
let homes = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-config-command-'))
  source = join(folder, 'source')
  mkdirSync(source)
  writeFileSync(join(source, 'a.bin'), Buffer.alloc(3_000_000, 'stowage'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Home {
  readonly file: string
  run(...args: string[]): Promise<CommandEnd>
}

/** A data folder of its own, with a settings file where a text is given. */
function homeWith(text?: string): Home {
  homes += 1
  const home = join(folder, `home ${homes}`)
  mkdirSync(home)
  const file = join(home, 'settings.yaml')
  if (text !== undefined) writeFileSync(file, text)
  return { file, run: (...args) => stowage(args, { home }) }
}

const json = (end: CommandEnd) => JSON.parse(end.stdout)

describe('stowage config', () => {
  it('sets, gets, lists and unsets a setting', async () => {
    const { file, run } = homeWith()
    expect((await run('config', 'get', 'units')).stdout).toBe('decimal\n')
    expect(await run('config', 'set', 'units', 'binary')).toEqual({
      code: 0,
      stdout: `units is now binary: ${file}\n`,
      stderr: '',
    })
    expect((await run('config', 'get', 'units')).stdout).toBe('binary\n')
    const listed = (await run('config', 'list')).stdout
    expect(listed).toMatch(/^units +binary +settings /m)
    expect(listed).toMatch(/^theme +system +default .*\(window only\)$/m)
    expect(listed).toContain(file)
    expect((await run('config', 'unset', 'units')).stdout).toBe(`units is now decimal (default): ${file}\n`)
    expect((await run('config', 'get', 'units')).stdout).toBe('decimal\n')
  })

  it('prints one JSON document with the origin of each value', async () => {
    const { file, run } = homeWith('medium: bd-r-50\n')
    const { schema, file: named, settings } = json(await run('config', 'list', '--json'))
    expect([schema, named]).toEqual(['stowage.settings/1', file])
    expect(settings).toContainEqual({ key: 'medium', value: 'bd-r-50', origin: 'settings', from: file })
    expect(settings).toContainEqual({ key: 'sha256', value: true, origin: 'default', from: null })
    expect(json(await run('config', 'set', 'sha256', 'false', '--json')).settings).toEqual([
      { key: 'sha256', value: false, origin: 'settings', from: file },
    ])
    expect(json(await run('config', 'path', '--json')).file).toBe(file)
  })

  it('prints the path of the file, in the folder that the system’s convention names', async () => {
    const { file, run } = homeWith()
    expect((await run('config', 'path')).stdout).toBe(`${file}\n`)
    expect(existsSync(file)).toBe(false)
    const env = { STOWAGE_HOME: '', HOME: folder, XDG_CONFIG_HOME: join(folder, 'xdg') }
    const inPlace = await stowage(['config', 'path'], { home: '', env })
    if (process.platform === 'linux')
      expect(inPlace.stdout).toBe(`${join(folder, 'xdg', 'stowage', 'settings.yaml')}\n`)
  })

  it('keeps the comments of a person and the settings of a newer version', async () => {
    const text = '# mine\nunits: decimal # as on the box\nfuture: [1, 2] # not known here\n'
    const { file, run } = homeWith(text)
    expect((await run('config', 'set', 'units', 'binary')).code).toBe(0)
    const changed = readFileSync(file, 'utf8')
    expect(changed).toMatch(
      /^# mine\nunits: binary # as on the box\nfuture: \[ ?1, 2 ?\] # not known here\n$/,
    )
  })

  it.each([
    [['set', 'unit', 'binary'], 'no setting "unit": did you mean "units"?'],
    [['get', 'colour'], /^no setting "colour": one of units, /],
    [['set', 'units', 'GB'], 'units takes decimal or binary, not "GB"'],
    [['set', 'medium', 'bd-r-26'], /^no medium "bd-r-26": did you mean "bd-r-25"\?/],
    [['set', 'max-memory', '1MiB'], 'max-memory takes 16MiB or more'],
    [['set', 'threads', '0'], 'threads takes auto or 1 to 64, not "0"'],
    [['set', 'threads', '65'], 'threads takes auto or 1 to 64, not "65"'],
    [
      ['set', 'exclude-preset', 'litter', 'everything'],
      'exclude-preset takes names of presets: litter, trash, caches, dependencies, previews, not ["litter","everything"]',
    ],
    [['set', 'exclude', 'a['], 'cannot use the rule "a[", column 2: [ without ]'],
    [
      ['set', 'exclude-larger-than', 'much'],
      /^exclude-larger-than takes none or a size such as 4GB: not a size: "much"/,
    ],
    [['set', 'units'], 'value is missing: units takes decimal or binary'],
    [['set', 'units', 'binary', 'decimal'], 'config set units takes no arguments: decimal'],
    [['unset'], 'setting is missing'],
    [[], /^action is missing: one of list, get, set, unset, path/],
    [['show'], /^no action "show"/],
  ])('refuses %j with one line and exit code 2, and writes nothing', async (args, message) => {
    const { file, run } = homeWith()
    const { code, stdout, stderr } = await run('config', ...args)
    expect([code, stdout]).toEqual([2, ''])
    const [, line] = /^stowage: (.*)\n$/.exec(stderr) ?? []
    if (typeof message === 'string') expect(line).toBe(message)
    else expect(line).toMatch(message)
    expect(existsSync(file)).toBe(false)
  })

  it('loses nothing when several processes set at once', async () => {
    const { file, run } = homeWith()
    const changes = [
      ['units', 'binary'],
      ['theme', 'dark'],
      ['medium', 'dvd-r'],
      ['max-memory', '64MiB'],
      ['samples', 'fast'],
      ['sha256', 'false'],
    ]
    const ends = await Promise.all(changes.map(([key = '', value = '']) => run('config', 'set', key, value)))
    expect(ends.map(({ code }) => code)).toEqual(changes.map(() => 0))
    const lines = readFileSync(file, 'utf8').split('\n')
    for (const [key, value] of changes) expect(lines).toContain(`${key}: ${value}`)
  })
})

describe('a settings file with a fault', () => {
  it('is named with line and column by commands that need it; the others go on', async () => {
    const { file, run } = homeWith('units: binary\nmedium: [bd-r-25\n')
    for (const args of [
      ['config', 'list'],
      ['config', 'set', 'units', 'decimal'],
      ['survey', source],
    ]) {
      const { code, stdout, stderr } = await run(...args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^stowage: [^\n]*\n$/)
      expect(stderr.startsWith(`stowage: ${file}:3:1: `)).toBe(true)
    }
    expect(readFileSync(file, 'utf8')).toBe('units: binary\nmedium: [bd-r-25\n')
    expect((await run('config', 'path')).stdout).toBe(`${file}\n`)
    expect((await run('media')).code).toBe(0)
    const { code, stderr } = await stowage(['pipe'], { home: dirname(file), stdin: 'stowage' })
    expect([code, stderr.includes('; sizes are shown in GB')]).toEqual([0, true])
  })

  it('is named by the commands that use the value', async () => {
    const { file, run } = homeWith('# mine\nmedium: bd-r-26\nunits: bits\n')
    const planned = await run('plan', source, '--out', join(folder, 'plan'))
    expect(planned).toMatchObject({ code: 2, stdout: '' })
    expect(planned.stderr).toContain(`${file}:2:9: no medium "bd-r-26": did you mean "bd-r-25"?`)
    const got = await run('config', 'get', 'units')
    expect([got.code, got.stderr]).toEqual([
      2,
      `stowage: ${file}:3:8: units takes decimal or binary, not "bits"\n`,
    ])
    expect((await run('config', 'set', 'units', 'binary')).code).toBe(0)
    expect((await run('config', 'get', 'units')).stdout).toBe('binary\n')
  })

  it('gets a line about a name that no setting has, and is used', async () => {
    const { file, run } = homeWith('units: binary\nmedum: cd-700\n')
    const { code, stderr } = await run('config', 'list')
    expect([code, stderr]).toEqual([0, `${file}:2:1: no setting "medum": did you mean "medium"?\n`])
  })
})

describe('settings', () => {
  it('give the unit of sizes of every command', async () => {
    const decimal = await homeWith().run('survey', source, '--samples', 'none')
    const binary = await homeWith('units: binary\n').run('survey', source, '--samples', 'none')
    expect(decimal.stdout).toContain('3.00 MB')
    expect(binary.stdout).toContain('2.86 MiB')
    expect(binary.stdout).not.toMatch(/\d (kB|MB|GB)\b/)
  })

  it('give the medium of a comparison, and an option of the command comes first', async () => {
    const { run } = homeWith('medium: cd-700\n')
    const args = ['options', source, '--samples', 'none', '--json']
    expect(json(await run(...args)).request.mediumIds).toEqual(['cd-700'])
    expect(json(await run(...args, '--medium', 'disk')).request.mediumIds).toEqual(['disk'])
    expect(json(await homeWith().run(...args)).request.mediumIds).toEqual(['disk'])
  })

  it('give the medium of a plan', async () => {
    const { run } = homeWith('medium: custom:20 MB\n')
    const end = await run('plan', source, '--out', join(folder, 'small discs'), '--json')
    expect(end.code, end.stderr).toBe(0)
    expect(json(end).medium.id).toBe('custom:20MB')
  })
})

describe('default rules', () => {
  const rulesOf = (end: CommandEnd) => json(end).rules
  const NO_RULES = {
    patterns: [],
    presets: [],
    ignoreFiles: true,
    caches: false,
    largerThanBytes: null,
    oneFileSystem: false,
  }
  let ruled: string
  beforeAll(() => {
    ruled = join(folder, 'ruled')
    mkdirSync(join(ruled, 'cache'), { recursive: true })
    writeFileSync(join(ruled, 'cache', 'CACHEDIR.TAG'), 'Signature: 8a477f597d28d172789f06886806bc55\n')
    for (const name of ['.DS_Store', 'a.tmp', 'b.jpg']) writeFileSync(join(ruled, name), name)
    writeFileSync(join(ruled, 'large.mov'), Buffer.alloc(20_000))
  })

  it('are set by name, as lists, and leave out what the options of their names do', async () => {
    const { file, run } = homeWith()
    const set = async (...args: string[]): Promise<void> => {
      const end = await run('config', 'set', ...args)
      expect([end.code, end.stderr]).toEqual([0, ''])
    }
    expect((await run('config', 'set', 'exclude', '*.tmp', '!keep.tmp')).stdout).toBe(
      `exclude is now *.tmp, !keep.tmp: ${file}\n`,
    )
    await set('exclude-preset', 'litter', 'trash')
    await set('exclude-caches', 'true')
    await set('exclude-larger-than', '10kB')
    const args = ['--exclude', '*.tmp', '--include', 'keep.tmp', '--exclude-preset', 'litter']
    const more = ['--exclude-preset', 'trash', '--exclude-caches', '--exclude-larger-than', '10kB']
    const asked = await homeWith().run('survey', ruled, '--samples', 'none', '--json', ...args, ...more)
    const usual = await run('survey', ruled, '--samples', 'none', '--json')
    expect([rulesOf(usual), json(usual).excluded]).toEqual([rulesOf(asked), json(asked).excluded])
    expect(json(usual).totals.files).toBe(1)
    expect(json(usual).excluded.files).toBe(3)
    const walked = json(await run('survey', ruled, '--dry-run', '--json'))
    expect(walked.totals.files).toBe(1)
    const { settings } = json(await run('config', 'get', 'exclude', '--json'))
    expect(settings).toEqual([
      { key: 'exclude', value: ['*.tmp', '!keep.tmp'], origin: 'settings', from: file },
    ])
    expect((await run('config', 'unset', 'exclude')).stdout).toBe(`exclude is now none (default): ${file}\n`)
  })

  it('are named in each summary, and in a plan, even where they leave nothing out', async () => {
    const { run } = homeWith('exclude: ["*.none", "*.tmp"]\nexclude-preset: litter\nignore-files: false\n')
    const line =
      /Default rules of the settings: \*\.none, \*\.tmp; litter; nothing by\s+\.stowageignore files\s+\(--no-default-rules\s+does\s+without\s+them\)\./
    const plan = join(folder, 'ruled plan')
    for (const args of [
      ['survey', ruled, '--samples', 'none'],
      ['survey', ruled, '--dry-run'],
      ['options', ruled, '--samples', 'none'],
      ['plan', ruled, '--out', plan],
    ]) {
      const end = await run(...args)
      expect([end.code, end.stdout], end.stderr).toEqual([0, expect.stringMatching(line)])
      expect(end.stderr).not.toContain('*.none')
      const without = await run(...args, '--no-default-rules', ...(args[0] === 'plan' ? ['--force'] : []))
      expect([without.code, without.stdout], without.stderr).toEqual([
        0,
        expect.not.stringContaining('Default'),
      ])
    }
    const { rules } = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8'))
    expect(rules).toEqual(NO_RULES)
    const other = await run('survey', join(folder, 'source'), '--samples', 'none')
    expect(other.stdout).toMatch(line)
  })

  it('give way to rules of the command and of a project, and a project without rules to them', async () => {
    const { run } = homeWith('exclude: ["*.tmp"]\n')
    const survey = async (...args: string[]) =>
      rulesOf(await run('survey', ...args, '--samples', 'none', '--json'))
    expect(await survey(ruled)).toEqual({ ...NO_RULES, patterns: ['*.tmp'] })
    expect(await survey(ruled, '--exclude', '*.mov')).toEqual({ ...NO_RULES, patterns: ['*.mov'] })
    expect(await survey(ruled, '--no-ignore-files')).toEqual({ ...NO_RULES, ignoreFiles: false })
    expect(await survey(ruled, '--no-default-rules')).toEqual(NO_RULES)
    const file = join(folder, 'own.stowage.yaml')
    const lines = `id: pr-0123456789ab\nname: own\nsources:\n  ruled: ${ruled}\n`
    writeFileSync(file, lines)
    expect(await survey('--project', file)).toEqual({ ...NO_RULES, patterns: ['*.tmp'] })
    writeFileSync(file, `${lines}rules:\n  presets: [litter]\n`)
    expect(await survey('--project', file)).toEqual({ ...NO_RULES, presets: ['litter'] })
    writeFileSync(file, `${lines}rules: {}\n`)
    expect(await survey('--project', file)).toEqual(NO_RULES)
  })

  it('that cannot be used are refused at their place in the file, and go with folders only', async () => {
    const { file, run } = homeWith("exclude:\n  - 'a['\n")
    const broken = await run('survey', ruled, '--samples', 'none')
    expect([broken.code, broken.stdout]).toEqual([2, ''])
    expect(broken.stderr).toBe(`stowage: ${file}:2:3: cannot use the rule "a[", column 2: [ without ]\n`)
    expect((await run('survey', ruled, '--samples', 'none', '--no-default-rules')).code).toBe(0)
    const next = await run('survey', '--survey', 's-1', '--no-default-rules')
    expect([next.code, next.stderr]).toEqual([
      2,
      expect.stringContaining('--no-default-rules goes with folders'),
    ])
  })
})

describe('threads', () => {
  it('read a source as many as the setting or the option says', async () => {
    const { run } = homeWith('threads: 3\n')
    const timing = async (...args: string[]) =>
      json(await run(...args, source, '--samples', 'none', '--json', ...(args.length > 1 ? ['--full'] : [])))
        .timing
    const set = await timing('survey')
    expect([set.threads, set.reading.because]).toEqual([3, expect.stringContaining('the number is set')])
    expect((await timing('survey', '--threads', '2')).threads).toBe(2)
    const free = await timing('survey', '--threads', 'auto')
    expect(free.reading.because).not.toContain('the number is set')
  })

  it('of a wrong number are refused before anything is read', async () => {
    const end = await homeWith().run('survey', source, '--threads', '100')
    expect([end.code, end.stderr]).toEqual([2, 'stowage: --threads takes auto or 1 to 64, not "100"\n'])
  })
})

describe('the work folder', () => {
  /** The names that appear in a folder while something runs. */
  async function seenIn(place: string, work: () => Promise<unknown>): Promise<Set<string>> {
    const seen = new Set<string>()
    const watcher = watch(place, (_, name) => seen.add(String(name)))
    await work()
    // What was seen is reported in order: the last is this.
    writeFileSync(join(place, 'the end'), '')
    await vi.waitUntil(() => seen.has('the end'))
    watcher.close()
    return seen
  }

  it('of the settings is where temporary files are, and the system’s is without one', async () => {
    const place = join(folder, 'work')
    const system = join(folder, 'system temp')
    for (const each of [place, system]) mkdirSync(each)
    const { file, run } = homeWith()
    const planned = async (name: string): Promise<void> => {
      const env = { TMPDIR: system }
      const args = ['plan', source, '--medium', 'bd-r-25', '--out', join(folder, name)]
      const end = await stowage(args, { home: dirname(file), env })
      expect(end.code, end.stderr).toBe(0)
    }
    const without = await seenIn(system, () => planned('plan in the system’s folder'))
    expect([...without]).toContainEqual(expect.stringMatching(/^stowage-plan/))
    expect((await run('config', 'set', 'work-folder', place)).code).toBe(0)
    const other = await seenIn(system, async () => {
      const seen = await seenIn(place, () => planned('plan in the work folder'))
      expect([...seen]).toContainEqual(expect.stringMatching(/^stowage-plan/))
    })
    expect([...other]).toEqual(['the end'])
  })

  it('that is not there is refused in one line, at its place in the file where it is from that', async () => {
    const gone = join(folder, 'gone')
    const { file, run } = homeWith()
    expect(await run('config', 'set', 'work-folder', gone)).toEqual({
      code: 2,
      stdout: '',
      stderr: `stowage: cannot work in ${gone}: no such file or folder\n`,
    })
    const relative = await run('config', 'set', 'work-folder', 'here')
    expect(relative.stderr).toBe('stowage: cannot work in here: it is not an absolute path\n')
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, `work-folder: ${gone}\n`)
    const planned = await run('plan', source, '--out', join(folder, 'never'))
    expect(planned).toEqual({
      code: 2,
      stdout: '',
      stderr: `stowage: ${file}:1:14: cannot work in ${gone}: no such file or folder\n`,
    })
    expect(existsSync(join(folder, 'never'))).toBe(false)
    expect((await run('config', 'set', 'work-folder', 'system')).stdout).toBe(
      `work-folder is now system (default): ${file}\n`,
    )
    expect((await run('config', 'list')).stdout).toMatch(/^work-folder +system +default /m)
  })
})

describe('--print-config', () => {
  it('prints each value with its origin, and does nothing else', async () => {
    const { file, run } = homeWith('max-memory: 64MiB\n')
    const { code, stdout } = await run('survey', source, '--print-config')
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['setting', 'value', 'from'],
      ['max-memory', '64MiB', file],
      ['threads', 'auto', 'default'],
      ['exclude', 'none', 'default'],
      ['exclude-preset', 'none', 'default'],
      ['exclude-caches', 'false', 'default'],
      ['exclude-larger-than', 'none', 'default'],
      ['one-file-system', 'false', 'default'],
      ['ignore-files', 'true', 'default'],
      ['work-folder', 'system', 'default'],
      ['units', 'decimal', 'default'],
      [''],
    ])
    expect(json(await run('catalog', 'list', '--json')).surveys).toEqual([])
  })

  it.each([
    [['survey', '--max-memory', '1GiB'], { key: 'max-memory', value: '1GiB', from: '--max-memory' }],
    [['options', '--medium', 'disk'], { key: 'medium', value: 'disk', from: '--medium' }],
    [['plan', '--medium', 'bd-r-50'], { key: 'medium', value: 'bd-r-50', from: '--medium' }],
    [
      ['survey', '--include', 'a', '--exclude', 'b'],
      { key: 'exclude', value: ['!a', 'b'], from: '--include' },
    ],
    [['plan', '--no-ignore-files'], { key: 'ignore-files', value: false, from: '--no-ignore-files' }],
    [['survey', '--threads', '2'], { key: 'threads', value: 2, from: '--threads' }],
    [['plan', '--option', 'plain@dvd-r'], { key: 'medium', value: 'dvd-r', from: '--option' }],
  ])('names the option that gives a value: %j', async (args, used) => {
    const { run } = homeWith('medium: cd-700\nmax-memory: 64MiB\nexclude: c\n')
    const { schema, settings } = json(await run(...args, '--print-config', '--json'))
    expect(schema).toBe('stowage.settings/1')
    expect(settings).toContainEqual({ ...used, origin: 'option' })
  })

  it('names the default of the command', async () => {
    const mediumOf = async (command: string) => {
      const { settings } = json(await homeWith().run(command, '--print-config', '--json'))
      return settings.find(({ key }: { key: string }) => key === 'medium')
    }
    expect(await mediumOf('options')).toEqual({ key: 'medium', value: 'disk', origin: 'default', from: null })
    expect(await mediumOf('plan')).toEqual({ key: 'medium', value: 'bd-r-25', origin: 'default', from: null })
  })
})
