import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planDocumentSchema } from '../../src/contract/dto/plan'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

let folder: string
let home: string
let file: string
let photos: string
let notes: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-project-')))
  home = join(folder, 'home')
  file = join(folder, 'files', 'archive.stowage.yaml')
  photos = join(folder, 'files', 'Photos')
  notes = join(folder, 'Notes of 2026')
  for (const each of [home, photos, notes]) mkdirSync(each, { recursive: true })
  writeFileSync(join(photos, 'a.jpg'), Buffer.alloc(3000, 'a'))
  writeFileSync(join(photos, 'b.tmp'), Buffer.alloc(500, 'b'))
  writeFileSync(join(photos, 'large.bin'), Buffer.alloc(90_000, 'c'))
  writeFileSync(join(photos, '.DS_Store'), 'x')
  writeFileSync(join(notes, 'n.txt'), 'notes')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home })

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

/** The one line that a command is refused with. */
async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect([code, stdout], args.join(' ')).toEqual([2, ''])
  const [, line] = /^stowage: (.*)\n$/.exec(stderr) ?? []
  expect(line, stderr).toBeDefined()
  return line ?? ''
}

const RULES = ['--exclude', '*.tmp', '--exclude-preset', 'litter', '--exclude-larger-than', '50kB']

function init(...more: string[]): Promise<string> {
  return done(
    'project',
    'init',
    file,
    photos,
    notes,
    ...RULES,
    '--medium',
    'disk',
    '--label',
    'ARCHIVE',
    ...more,
  )
}

/** The names of the files that a survey has, from its saved file list. */
async function surveyed(...args: string[]): Promise<{ files: number; roots: readonly string[] }> {
  const stdout = await done('survey', '--samples', 'none', '--json', ...args)
  const { totals, roots } = surveyDocumentSchema.parse(JSON.parse(stdout))
  return { files: totals.files, roots }
}

describe('project set and unset', () => {
  it('refuses what cannot be planned, and leaves the file as it is', async () => {
    await init()
    const text = readFileSync(file, 'utf8')
    const { code, stderr } = await run('project', 'set', file, 'encryption', 'aes-256')
    expect([code, stderr]).toEqual([7, expect.stringMatching(/cannot be encrypted/)])
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('changes one value and keeps the rest of the file', async () => {
    await init()
    const text = readFileSync(file, 'utf8')
    expect(await done('project', 'set', file, 'option', '7z-solid-64m-path')).toBe(
      `option is now 7z-solid-64m-path: ${file}\n`,
    )
    const changed = text.replace('# option: 7z-titles', 'option: 7z-solid-64m-path')
    expect(readFileSync(file, 'utf8')).toBe(changed)
    await done('project', 'set', file, 'copies', '3')
    await done('project', 'set', file, 'sources.films', '/mnt/Films')
    const document = JSON.parse(await done('project', 'unset', file, 'option', '--json'))
    expect(document).toMatchObject({ option: null, copies: 3, sources: [{}, {}, { name: 'films' }] })
    expect(readFileSync(file, 'utf8')).toBe(
      text
        .replace('# option: 7z-titles\n', '')
        .replace('# copies: 2', 'copies: 3')
        .replace(/(\n {2}notes-of-2026: .*)/, '$1\n  films: /mnt/Films'),
    )
    await done('project', 'unset', file, 'sources.films')
    expect(readFileSync(file, 'utf8')).not.toContain('films')
  })

  it('sets one DAT or several, shows them, and names one that is not there', async () => {
    await init()
    const text = readFileSync(file, 'utf8')
    writeFileSync(join(folder, 'files', 'nes.dat'), '')
    const dats = ['nes.dat', '/mnt/gb.dat']
    for (const given of [['nes.dat'], dats, ['nes.dat'], dats]) {
      expect(await done('project', 'set', file, 'dat', ...given)).toBe(
        `dat is now ${given.join(', ')}: ${file}\n`,
      )
      expect(JSON.parse(await done('project', 'show', file, '--json')).dat).toEqual(given)
    }
    expect(await done('project', 'show', file)).toContain('DATs: nes.dat, /mnt/gb.dat\n')
    const { code, stdout } = await run('project', 'check', file)
    expect(code).toBe(2)
    expect(stdout).toMatch(/^\S+:\d+:\d+: the DAT is not there: \/mnt\/gb\.dat\n$/)
    await done('project', 'unset', file, 'dat')
    expect(readFileSync(file, 'utf8')).toBe(text.replace(/# dat: .*\n/, ''))
  })

  it.each([
    [['dat', ''], 'an argument is empty'],
    [['copies', '2', '3'], 'only one value of copies can be given, also found: 3'],
    [['medium', 'bd-r-250'], /^no medium "bd-r-250"/],
    [['option', 'nix'], /^option takes the name of an option, .*, not "nix"$/],
    [['encryption', '256'], 'encryption takes none, aes-128 or aes-256, not "256"'],
    [['labl', 'A'], 'no key "labl": did you mean "label"?'],
    [['id', 'pr-0123456789ab'], 'id is permanent'],
    [['copies', 'two'], 'copies takes a whole number from 1 to 99, not "two"'],
    [['sources.a b', '/x'], /^sources\.a b takes names of letters/],
    [['label'], 'value of label is missing'],
    [['label', 'A', 'B'], /^only one value of label can be given/],
  ])('refuses %j and leaves the file as it is', async (args, message) => {
    await init()
    const text = readFileSync(file, 'utf8')
    const line = await refusal('project', 'set', file, ...args)
    if (typeof message === 'string') expect(line).toBe(message)
    else expect(line).toMatch(message)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })
})

describe('a project from its file to the plan', () => {
  it('gives sources, rules, medium and label, and is remembered by the plan', async () => {
    expect(await init()).toMatch(/^Project pr-[0-9a-f]{12} is in .*\nNext: stowage project show /)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(
      "\nrules:\n  patterns:\n    - '*.tmp'\n  presets:\n    - litter\n  largerThan: 50kB\n",
    )
    expect(text).toContain(`\nsources:\n  photos: Photos\n  notes-of-2026: ${notes}\n`)
    expect(await done('project', 'check', file)).toBe(`${file}: no problems\n`)

    const shown = await done('project', 'show', file)
    const id = /^id: (pr-[0-9a-f]{12})$/m.exec(text)?.[1] ?? ''
    expect(shown).toMatch(new RegExp(`^archive \\(${id}\\)\n`))
    expect(shown).toMatch(new RegExp(`^photos +${photos} +there$`, 'm'))
    expect(shown).toContain('Left out: *.tmp; litter (.DS_Store, ')
    expect(shown.split('\n').at(-2)).toMatch(/archive\.stowage\.yaml$/)
    const document = JSON.parse(await done('project', 'show', file, '--json'))
    expect(document).toMatchObject({
      schema: 'stowage.project/1',
      file,
      id,
      name: 'archive',
      sources: [
        { name: 'photos', written: 'Photos', path: photos, isThere: true },
        { name: 'notes-of-2026', written: notes, path: notes, isThere: true },
      ],
      rules: { patterns: ['*.tmp'], presets: ['litter'], largerThanBytes: 50_000, ignoreFiles: true },
      medium: 'disk',
      label: 'ARCHIVE',
      option: null,
    })

    expect(await surveyed('--project', file)).toEqual({ files: 2, roots: [photos, notes] })
    const out = join(folder, 'plan')
    await done('plan', '--project', file, '--out', out)
    const plan = planDocumentSchema.parse(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8')))
    expect(plan).toMatchObject({
      project: { id, name: 'archive' },
      roots: [photos, notes],
      medium: { id: 'disk' },
      totals: { files: 2 },
      rules: { patterns: ['*.tmp'] },
    })
    expect(plan.volumes[0]?.label).toMatch(/^ARCHIVE/)
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(
      `<dt>Project</dt><dd>archive <code>${id}</code></dd>`,
    )
    expect(readFileSync(file, 'utf8')).toBe(text)

    const survey = JSON.parse(await done('survey', '--project', file, '--json'))
    const other = join(folder, 'plan of the survey')
    await done('plan', '--survey', survey.id, '--medium', 'disk', '--out', other)
    const ofSurvey = JSON.parse(readFileSync(join(other, 'plan.json'), 'utf8'))
    expect(ofSurvey.project).toEqual({ id, name: 'archive' })

    const options = JSON.parse(await done('options', '--project', file, '--samples', 'none', '--json'))
    expect(options.request.mediumIds).toEqual(['disk'])
    expect(options.source.roots).toEqual([photos, notes])
  })

  it('comes after options of the command, and its patterns before theirs', async () => {
    await init()
    const rules = ['--exclude', '*.txt', '--include', 'b.tmp', '--exclude-larger-than', '1MB']
    // a.jpg, large.bin and b.tmp, which is taken back; neither n.txt nor .DS_Store.
    expect((await surveyed('--project', file, ...rules)).files).toBe(3)
    const out = join(folder, 'plan')
    await done('plan', '--project', file, '--medium', 'folder:1MB', '--label', 'OTHER', '--out', out)
    const plan = planDocumentSchema.parse(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8')))
    expect([plan.medium.id, plan.volumes[0]?.label]).toEqual(['folder:1MB', 'OTHER_01'])
  })

  it('shows with --print-config which values are its own', async () => {
    await init('--option', '7z-files', '--encrypt', '256')
    writeFileSync(join(home, 'settings.yaml'), 'medium: cd-700\nmax-memory: 64MiB\n')
    const args = ['plan', '--project', file, '--label', 'OTHER', '--print-config', '--json']
    expect(JSON.parse(await done(...args)).settings).toEqual([
      { key: 'medium', value: 'disk', origin: 'project', from: file },
      { key: 'option', value: '7z-files', origin: 'project', from: file },
      { key: 'encryption', value: 'aes-256', origin: 'project', from: file },
      { key: 'label', value: 'OTHER', origin: 'option', from: '--label' },
      { key: 'protection', value: 'none', origin: 'option', from: '--protect' },
      { key: 'max-memory', value: '64MiB', origin: 'settings', from: join(home, 'settings.yaml') },
      { key: 'threads', value: 'auto', origin: 'default', from: null },
      { key: 'exclude', value: ['*.tmp'], origin: 'project', from: file },
      { key: 'exclude-preset', value: ['litter'], origin: 'project', from: file },
      { key: 'exclude-caches', value: false, origin: 'project', from: file },
      { key: 'exclude-larger-than', value: '50000', origin: 'project', from: file },
      { key: 'one-file-system', value: false, origin: 'project', from: file },
      { key: 'ignore-files', value: true, origin: 'project', from: file },
      { key: 'work-folder', value: null, origin: 'default', from: null },
      { key: 'units', value: 'decimal', origin: 'default', from: null },
    ])
  })
})

describe('the history of a project', () => {
  const states = (shown: string): unknown =>
    JSON.parse(shown).plans.map((plan: { volumes: { state: unknown }[] }) =>
      plan.volumes.map(({ state }) => state),
    )

  it('is its plans in the catalog, with how far their volumes have got', async () => {
    await init()
    expect(JSON.parse(await done('project', 'show', file, '--json')).plans).toEqual([])
    const out = join(folder, 'plan')
    await done('plan', '--project', file, '--medium', 'folder:1MB', '--out', out)
    await done('plan', photos, '--medium', 'disk', '--out', join(folder, 'plan of none'))
    expect(states(await done('project', 'show', file, '--json'))).toEqual([['planned']])
    await done('build', out)
    await done('verify', out)
    const shown = await done('project', 'show', file)
    expect(shown).toMatch(new RegExp(`^p-\\S+ +\\d{4}-\\S+ \\S+ +.* +1 verified +${out}$`, 'm'))
    expect(states(await done('project', 'show', file, '--json'))).toEqual([['verified']])
  })

  it('is found on another machine from the folder of a plan, or from one of its volumes', async () => {
    await init()
    const out = join(folder, 'plan')
    await done('plan', '--project', file, '--medium', 'folder:1MB', '--out', out)
    await done('build', out)
    const { id } = JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))
    home = join(folder, 'another home')
    mkdirSync(home)
    expect(JSON.parse(await done('project', 'show', file, '--json')).plans).toEqual([])
    const ofFolder = JSON.parse(await done('project', 'show', file, '--plan', out, '--json')).plans
    expect(ofFolder).toMatchObject([
      { id, directory: out, volumes: [{ index: 1, label: 'ARCHIVE_01', state: 'built' }] },
    ])
    const disc = join(folder, 'disc')
    renameSync(join(out, 'folders', '01'), disc)
    expect(
      readFileSync(
        join(disc, readdirSync(disc).find((name) => /^stowage/i.test(name)) ?? '', 'README.txt'),
        'utf8',
      ),
    ).toMatch(/^Project: archive \(pr-[0-9a-f]{12}\)$/m)
    const ofDisc = JSON.parse(await done('project', 'show', file, '--plan', disc, '--json')).plans
    expect(ofDisc).toEqual([
      {
        id,
        createdWallMs: null,
        medium: null,
        directory: null,
        volumes: [{ index: 1, label: 'ARCHIVE_01', state: null }],
      },
    ])
    expect(await done('project', 'show', file, '--plan', disc)).toContain('1 listed on a volume')
  })

  it('refuses a plan of no project, and of another one', async () => {
    await init()
    const out = join(folder, 'plan')
    await done('plan', photos, '--medium', 'disk', '--out', out)
    const line = await refusal('project', 'show', file, '--plan', out)
    expect(line).toMatch(new RegExp(`^cannot use ${out}: it is of no project, not of archive \\(pr-`))
    expect(await refusal('project', 'show', file, '--plan', photos)).toMatch(/^cannot /)
  })
})

describe('a plan without a project', () => {
  it('has none in plan.json and in the report', async () => {
    const out = join(folder, 'plan')
    await done('plan', photos, '--medium', 'disk', '--out', out)
    expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).not.toHaveProperty('project')
    expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toContain('<dt>Project')
  })
})

describe('a project on another machine', () => {
  it('finds the sources next to it, and the others by --source, for one run', async () => {
    await init()
    const moved = join(folder, 'moved')
    const mounted = join(folder, 'mounted')
    renameSync(join(folder, 'files'), moved)
    renameSync(notes, mounted)
    const there = join(moved, 'archive.stowage.yaml')
    const text = readFileSync(there, 'utf8')
    const missing = `source notes-of-2026 is not there: ${notes}`
    expect(await refusal('survey', '--project', there)).toBe(
      `${missing} (mount it, or give --source notes-of-2026=PATH)`,
    )
    const out = join(folder, 'plan')
    expect(await refusal('plan', '--project', there, '--out', out)).toContain(missing)
    expect(await refusal('options', '--project', there)).toContain(missing)
    expect(existsSync(out)).toBe(false)
    expect(JSON.parse(await done('catalog', 'list', '--json')).surveys).toEqual([])

    const checked = await run('project', 'check', there)
    const line = text.split('\n').findIndex((each) => each.includes(notes)) + 1
    expect(checked).toEqual({ code: 2, stdout: `${there}:${line}:18: ${missing}\n`, stderr: '' })
    expect(await done('project', 'show', there)).toMatch(/--source notes-of-2026=PATH/)
    const given = ['--source', `notes-of-2026=${mounted}`]
    expect(await done('project', 'check', there, ...given)).toBe(`${there}: no problems\n`)
    const shown = await done('project', 'show', there, ...given)
    expect(shown).toMatch(new RegExp(`^notes-of-2026 +${mounted} +there$`, 'm'))
    expect(shown.split('\n').at(-2)).toContain(`--source notes-of-2026=${mounted}`)

    const found = await surveyed('--project', there, '--source', `notes-of-2026=${mounted}`)
    expect(found).toEqual({ files: 2, roots: [join(moved, 'Photos'), mounted] })
    expect(readFileSync(there, 'utf8')).toBe(text)
  })
})

describe('a project file', () => {
  it('is not replaced without --force', async () => {
    await init()
    const text = readFileSync(file, 'utf8')
    expect(await refusal('project', 'init', file, photos)).toBe(
      `${file} is already there (--force replaces it)`,
    )
    expect(readFileSync(file, 'utf8')).toBe(text)
    await done('project', 'init', file, photos, '--force')
    expect(readFileSync(file, 'utf8')).not.toContain(notes)
  })

  it('may begin without sources, which check then asks for', async () => {
    await done('project', 'init', file)
    const { code, stdout } = await run('project', 'check', file)
    expect(code).toBe(2)
    expect(stdout).toMatch(/:\d+:1: sources is missing: /)
  })

  it('with problems gets one line for each, and no command uses it', async () => {
    const head = `id: pr-0123456789ab\nname: A\nsources:\n  photos: ${photos}\n`
    mkdirSync(join(folder, 'files'), { recursive: true })
    writeFileSync(file, `${head}medum: dvd-r\npassword: geheim\nprotection: 0%\n`)
    const { code, stdout } = await run('project', 'check', file)
    expect([code, stdout.split('\n')]).toEqual([
      2,
      [
        `${file}:5:1: medum is unknown: did you mean "medium"?`,
        expect.stringMatching(/:6:1: password looks like a password, which a project never holds: /),
        `${file}:7:13: protection takes fill, none or a share from 1% to 100%, not "0%"`,
        '',
      ],
    ])
    expect(stdout).not.toContain('geheim')
    expect(await refusal('survey', '--project', file)).toBe(
      `${file}:5:1: medum is unknown: did you mean "medium"? (and 2 more: stowage project check ${file})`,
    )

    writeFileSync(file, `${head}medium: dvd\nrules:\n  patterns: [cache/, '!cache/x', '[a']\noption: plain\n`)
    const { problems } = JSON.parse((await run('project', 'check', file, '--json')).stdout)
    expect(problems).toEqual([
      { line: 5, column: 9, code: 'usage', message: expect.stringMatching(/^no medium "dvd": /) },
      {
        line: 7,
        column: 34,
        code: 'bad-input',
        message: expect.stringMatching(/^cannot use the rule "\[a"/),
      },
    ])
    expect(await refusal('survey', '--project', file)).toMatch(/:7:34: cannot use the rule "\[a", column 1: /)
  })

  it('whose option cannot be planned as it asks is refused as the plan is', async () => {
    writeFileSync(
      file,
      `id: pr-0123456789ab\nname: A\nsources: { photos: Photos }\noption: plain\nencryption: aes-256\n`,
    )
    const { code, stdout } = await run('project', 'check', file)
    expect([code, stdout]).toEqual([
      7,
      expect.stringMatching(/:4:9: cannot plan plain: it cannot be encrypted/),
    ])
    expect((await run('plan', '--project', file, '--out', join(folder, 'plan'))).code).toBe(7)
  })

  it('has a JSON Schema', async () => {
    const schema = JSON.parse(await done('project', 'schema'))
    expect(Object.keys(schema.properties).slice(0, 3)).toEqual(['id', 'name', 'sources'])
    expect(JSON.parse(await done('project', 'schema', '--json'))).toEqual(schema)
  })

  it.each([
    [['init'], /^name is missing: NAME\.stowage\.yaml$/],
    [['init', 'a.yaml'], /ends in \.stowage\.yaml, as in a\.stowage\.yaml$/],
    [['init', 'a.stowage.yaml', '/nowhere/x'], /^cannot read \/nowhere\/x: no such file or folder$/],
    [['init', 'a.stowage.yaml', '--medium', 'dvd'], /^no medium "dvd": /],
    [['init', 'a.stowage.yaml', '--label', 'ana'], /^label takes 1 to 24 of A-Z, 0-9 and _, not "ana"$/],
    [['init', 'a.stowage.yaml', '--exclude', '[a'], /^cannot use the rule "\[a"/],
    [['show', '/nowhere/x'], /^cannot read \/nowhere\/x: no such file or folder$/],
    [['check'], /^project file is missing$/],
    [['remove'], /^no action "remove": one of init, show, check, set, unset, schema$/],
    [[], /^action is missing: /],
  ])('is refused in one line: project %j', async (args, message) => {
    expect(await refusal('project', ...args)).toMatch(message)
    expect(existsSync('a.stowage.yaml')).toBe(false)
  })

  it.each([
    [['Photos'], /^give Photos or --project \S+, not both$/],
    [['--survey', 's-1'], /^give --survey s-1 or --project \S+, not both$/],
    [['--source', 'photo=/x'], /^no source "photo": did you mean "photos"\?$/],
    [['--source', 'photos'], /^--source takes NAME=PATH, not "photos"$/],
    [['--source', 'photos=/a', '--source', 'photos=/b'], /^--source gives photos twice$/],
  ])('does not go with %j', async (args, message) => {
    await init()
    expect(await refusal('survey', '--project', file, ...args)).toMatch(message)
  })

  it('is needed for --source', async () => {
    expect(await refusal('survey', photos, '--source', 'a=b')).toBe(
      '--source goes with --project or --archive',
    )
  })
})
