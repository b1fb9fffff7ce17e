import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandInProcess } from '../../fixtures/commandInProcess'
import type { CommandEnd } from '../../fixtures/stowageCommand'

// What commands say of wrong arguments. That the built command ends so too is tested where it is started.

let folder: string
const run = (...args: readonly string[]): Promise<CommandEnd> =>
  commandInProcess(args, { home: join(folder, 'home') })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-refusals-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('stowage survey', () => {
  it.each([
    [
      'a missing folder',
      ['survey', '/nowhere/at all'],
      2,
      /cannot read \/nowhere\/at all: no such file or folder/,
    ],
    ['a device', ['survey', '/dev/null'], 2, /neither a folder nor a file/],
    ['no folder', ['survey'], 2, /give the folders/],
    ['an unknown table', ['survey', '/tmp', '--table', 'x'], 2, /no table "x": one of blocks, chunks, /],
    ['an unknown option', ['survey', '--fast', '/tmp'], 2, /unknown option '--fast'/],
    [
      'a value that begins with a dash',
      ['verify', '--due', '--share', '-5%'],
      2,
      /^stowage: --share needs a value; one that begins with a dash is given with an equals sign, as --share=-1$/m,
    ],
    ['an option without its value', ['verify', '--share'], 2, /^stowage: --share needs a value$/m],
    ['a value for an option that takes none', ['verify', '--due=yes'], 2, /^stowage: --due takes no value$/m],
    ['a size that is none', ['survey', '/tmp', '--max-memory', 'lots'], 2, /not a size: "lots"/],
    ['too little memory', ['survey', '/tmp', '--max-memory', '1MB'], 2, /--max-memory takes 16MiB or more/],
    ['an unknown command', ['nonsense'], 2, /no command "nonsense": one of survey, look, /],
    ['a mistyped command', ['verfy'], 2, /^stowage: no command "verfy": did you mean "verify"\?$/m],
    ['a mistyped page', ['help', 'surevy'], 2, /no command "surevy": did you mean "survey"\?/],
    [
      'a mistyped option',
      ['survey', '--sampels'],
      2,
      /unknown option '--sampels': did you mean "--samples"\?/,
    ],
    ['a mistyped action', ['catalog', 'stauts'], 2, /no action "stauts": did you mean "status"\?/],
    ['a mistyped table', ['survey', '/tmp', '--table', 'blcoks'], 2, /did you mean "blocks"\?/],
    ['a mistyped shell', ['completion', 'basch'], 2, /no shell "basch": did you mean "bash"\?/],
  ])('answers %s with one line and the right exit code', async (_what, args, code, line) => {
    const end = await run(...args)
    expect(end.stderr).toMatch(line)
    expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect([end.code, end.stdout]).toEqual([code, ''])
  })

  it('gives failures as JSON under --json', async () => {
    const end = await run('survey', '/nowhere', '--json')
    expect(JSON.parse(end.stderr)).toMatchObject({ error: { code: 'not-found', path: '/nowhere' } })
    expect(end.stdout).toBe('')
  })
})

describe('stowage image', () => {
  it.each([
    ['no verb', [], /image: a verb is missing: one of create, info/],
    ['an unknown verb', ['mount', 'x'], /no verb "mount"/],
    ['no size', ['create', 'x.dmg'], /--size is missing/],
    [
      'a folder for an image',
      ['create', 'x.dmg', 'Photos'],
      /makes an empty disk; for an image of Photos, .*stowage options build udzo --survey ID --out IMAGE\.dmg$/m,
    ],
    ['a name that says no kind', ['create', 'x', '--size', '1GB'], /cannot choose the kind from the name/],
    [
      'a kind that is none',
      ['create', 'x', '--size', '1GB', '--kind', 'ASIF'],
      /no kind "ASIF": one of UDRW, UDSP, UDSB, UDZO/,
    ],
    ['a new compressed image', ['create', 'x', '--size', '1GB', '--kind', 'UDZO'], /is made by converting/],
    [
      'a volume name',
      ['create', 'x.dmg', '--size', '1GB', '--volume-name', 'V'],
      /without a file system or volume name/,
    ],
    [
      'bands where there are none',
      ['create', 'x.dmg', '--size', '1GB', '--band', '8MiB'],
      /a read-write image has no bands/,
    ],
    ['a level for no UDZO', ['convert', 'a', 'b.img', '--level', '3'], /--level is for UDZO only/],
    [
      'two ways to a password',
      ['info', 'a', '--password-file', 'b', '--password-stdin'],
      /only one of --password-file/,
    ],
    ['an image that is not there', ['info', '/nowhere/a.dmg'], /no such file or folder/],
  ])('answers %s with one line', async (_what, args, line) => {
    const end = await run('image', ...args)
    expect(end.stderr).toMatch(line)
    expect([end.code, end.stdout, end.stderr.trimEnd().split('\n').length]).toEqual([2, '', 1])
  })
})

describe('stowage options', () => {
  it('refuses what it does not understand in one line', async () => {
    for (const [args, message] of [
      [['--goal', 'best'], /no goal "best"/],
      [['--weights', 'beauty=1'], /--weights takes size/],
      [['--max-time', 'soon'], /--max-time takes a time/],
      [['--readable-on', 'amiga'], /--readable-on takes linux/],
      [['--protect', '300%'], /--protect takes a share/],
      [['--goal', 'smalest'], /no goal "smalest": did you mean "smallest"\?/],
      [['--medium', 'floppy'], /no medium "floppy"/],
      [['--medium', 'bdr-25'], /no medium "bdr-25": did you mean "bd-r-25"\?/],
      [['--table', 'prices'], /no table "prices": one of candidates, reductions, goals/],
    ] as const) {
      const { code, stderr } = await run('options', '--survey', 's-000000000000', ...args)
      expect(code, stderr).toBe(2)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).toMatch(message)
    }
  })
})

describe('stowage write', () => {
  it.each([
    [['--drive', 'sr0'], '--drive takes a device such as /dev/sr0, not "sr0"'],
    [['--drive', 'stdio:disc'], 'the path of a file must be absolute'],
    [[], 'give either --drive DEVICE or --to FOLDER'],
    [['--drive', '/dev/sr0', '--drive', '/dev/sr0'], '--drive /dev/sr0 is given twice'],
    [['--drive', '/dev/sr0', '--to', 'x'], 'give either --drive DEVICE or --to FOLDER'],
    [['--drive', '/dev/sr0', '--speed', '0'], '--speed takes'],
    [['--drive', '/dev/sr0', '--burner', 'dd'], '--burner takes'],
    [['--to', 'x', '--buffer', '1KiB'], 'is too small'],
  ])('refuses %j as wrong usage, and writes to no drive of its own choice', async (words, message) => {
    const { code, stderr } = await run('write', folder, ...words)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('an option with a wrong value', () => {
  it.each([
    [['plan', '--label', 'Ä'], '--label takes 1 to 24 of A-Z, 0-9 and _'],
    [['options', '--profile', 'a:b'], '--profile takes the ID of a measurement'],
    [['survey', '--samples', 'few'], '--samples takes none, fast, normal or thorough'],
    [['survey', '--max-memory', '1k'], '--max-memory takes 16MiB or more'],
  ])('is named before anything is read: %j', async ([name = '', ...options], message) => {
    const source = join(folder, 'source')
    mkdirSync(source)
    writeFileSync(join(source, 'file'), 'content')
    const out = name === 'plan' ? ['--out', join(folder, 'plan')] : []
    const { code, stderr } = await run(name, source, ...options, ...out)
    expect(stderr).toBe(`stowage: ${message}\n`)
    expect(code).toBe(2)
    const { stdout } = await run('catalog', 'list', '--json')
    expect(JSON.parse(stdout).surveys).toEqual([])
  })
})
