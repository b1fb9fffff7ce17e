import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'

const BUNDLE = resolve('dist/cli/stowage.cjs')
const START = resolve('scripts/start.mjs')

let folder: string
let home: string
/** A name that a shell would split, expand and end a quotation at. */
const NAME = "Ada's $HOME photos"

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-next-'))
  home = join(folder, 'home')
  const source = join(folder, NAME)
  mkdirSync(join(source, 'again'), { recursive: true })
  const random = seededRandom(91)
  for (let index = 0; index < 30; index++) {
    const words = Array.from({ length: 1000 }, () => `word${random.below(900)} `).join('')
    writeFileSync(join(source, `text ${index}.txt`), words)
    if (index % 3 === 0) writeFileSync(join(source, 'again', `text ${index}.txt`), words)
  }
  symlinkSync('text 1.txt', join(source, 'a link'))
})
// Two tests plan the source to the name that is proposed, and others name it by its beginning.
afterEach(() => rmSync(join(folder, `${NAME}-plan`), { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface End {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What a shell does with this text, in the test's folder; `stowage` is the built command. */
function typed(text: string, env: Record<string, string> = {}): Promise<End> {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, npm_lifecycle_event: ___, ...own } = process.env
  return new Promise((done) => {
    const script = `stowage() { '${process.execPath}' '${BUNDLE}' "$@"; }\n${text}\n`
    const options = { cwd: folder, env: { ...own, STOWAGE_HOME: home, ...env } }
    const child = execFile('bash', ['-c', script], options, (_error, stdout, stderr) =>
      done({ code: child.exitCode, stdout, stderr }),
    )
  })
}

/** The command after a label such as `Next:`, with the lines that continue it. */
function commandAfter(label: string, output: string): string {
  const lines = output.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`${label} `))
  expect(from, output).toBeGreaterThanOrEqual(0)
  const length = lines.slice(from).findIndex((line) => !line.endsWith('\\'))
  return lines
    .slice(from, from + length + 1)
    .join('\n')
    .slice(label.length)
}

function expectShort({ stdout, stderr }: End): void {
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length, stdout).toBeLessThanOrEqual(25)
  for (const line of [...lines, ...stderr.split('\n')]) expect(line.length, line).toBeLessThanOrEqual(100)
}

describe('the commands that the output names', () => {
  it('pack the folder that holds most of many tiny files', { tags: 'long' }, async () => {
    const cache = join(folder, 'many', 'a cache')
    mkdirSync(cache, { recursive: true })
    for (let index = 0; index < 1100; index++) writeFileSync(join(cache, `${index}`), `number ${index}`)
    const survey = await typed('stowage survey many --samples none')
    expect(survey.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `1,100 files under 4 KiB, 1,100 of them in ${cache}: on discs 2.24 MB are lost in last sectors`,
    )
    const planned = await typed(commandAfter('  To pack them:', survey.stdout))
    expect(planned.code, planned.stderr).toBe(0)
    expect(planned.stdout).toContain('Packed as tar-zst-19-1m-path')
  })

  it('lead from a survey to restored files, each output in 25 lines of 100 columns', async () => {
    let end = await typed(
      `stowage survey ${JSON.stringify(NAME).replace('$', String.raw`\$`)} --samples fast`,
    )
    const seen: string[] = []
    for (const label of ['Next:', 'Next:', 'Next:', 'Next:', 'To get the files back:']) {
      expect(end.code, end.stderr).toBe(0)
      expectShort(end)
      const command = commandAfter(label, end.stdout)
      seen.push(command.trim().split(' ')[1] ?? '')
      end = await typed(command)
    }
    expect(end.code, end.stderr).toBe(0)
    expectShort(end)
    expect(seen).toEqual(['options', 'plan', 'build', 'verify', 'restore'])
    for (const name of ['text 0.txt', 'again/text 0.txt', 'text 29.txt']) {
      const back = readFileSync(join(folder, 'restored', name))
      expect(back.equals(readFileSync(join(folder, NAME, name))), name).toBe(true)
    }
  })

  const inFolder = (...names: string[]): string => join(folder, ...names)
  const run = (...args: readonly string[]): Promise<End> => stowage(args, { home })
  const options = (...more: string[]): Promise<End> =>
    run('options', '--samples', 'none', ...more, inFolder(NAME))

  it.each<[what: string, command: () => Promise<End>]>([
    [
      'survey, of a folder with nothing in it',
      () => {
        mkdirSync(inFolder('empty'), { recursive: true })
        return run('survey', inFolder('empty'), '--quick')
      },
    ],
    ['options, for two media', () => options('--medium', 'bd-r-25', '--medium', 'disk')],
    ['options, candidates', () => options('--medium', 'bd-r-25', '--table', 'candidates')],
    ['options, without any that meets a limit', () => options('--max-ram', '1kB')],
    ['catalog list', () => run('catalog', 'list')],
    [
      'find',
      async () => {
        await run('plan', '--medium', 'disk', '--out', inFolder('found'), inFolder(NAME))
        return run('find', 'text')
      },
    ],
    ['tools', () => run('tools')],
    ['media', () => run('media')],
    [
      'options build',
      async () => {
        const { stdout } = await run('survey', inFolder(NAME), '--samples', 'none', '--json')
        const { id } = JSON.parse(stdout) as { id: string }
        const out = inFolder('built')
        return run('options', 'build', 'plain-hardlinks', '--survey', id, '--out', out)
      },
    ],
    ['compare', () => run('compare')],
    ['measure', () => run('measure', folder, '--budget', '100MB')],
    [
      'bands',
      () => {
        const sizes = ['--sizes', '1MiB,2MiB', '--full-size', '10GB', '--budget', '200MB', '--repeats', '3']
        return run('bands', folder, ...sizes)
      },
    ],
    ['image create', () => run('image', 'create', inFolder('new.sparsebundle'), '--size', '1GB')],
    [
      'image info',
      async () => {
        await run('image', 'create', inFolder('shown.sparsebundle'), '--size', '1GB')
        return run('image', 'info', inFolder('shown.sparsebundle'))
      },
    ],
  ])('%s prints at most 25 lines of 100 columns', async (_what, command) => {
    const end = await command()
    expect([0, 4, 7], end.stderr).toContain(end.code)
    expect(end.stdout, end.stderr).not.toBe('')
    expectShort(end)
  })
})

describe('npm start without a display', () => {
  it('ends with the candidates and a command that plans the recommended one', {
    tags: 'long',
  }, async (context) => {
    if (process.platform !== 'linux') context.skip('other systems always have a display')
    const end = await typed(`'${process.execPath}' '${START}' "${folder}/Ada's "*`, {
      npm_lifecycle_event: 'start',
    })
    expect(end.code, end.stderr).toBe(0)
    expectShort(end)
    for (const name of ['Plain discs', 'Smallest', 'Encrypted vault'])
      expect(end.stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect(end.stdout).toMatch(/^ {2}[A-Z][a-z ]+ \(recommended\) /m)
    const command = commandAfter('Next:', end.stdout)
    expect(command).toMatch(/npm run -s stowage -- plan/)
    const planned = await typed(command.replace('npm run -s stowage --', 'stowage'))
    expect(planned.code, planned.stderr).toBe(0)
    expect(planned.stdout).toMatch(/ on 1 × BD-R 25 GB/)
  })

  it('says that a folder without files has nothing to store', async (context) => {
    if (process.platform !== 'linux') context.skip('other systems always have a display')
    const end = await typed(`mkdir nothing && '${process.execPath}' '${START}' "${folder}/nothing"`)
    expect(end.code, end.stderr).toBe(0)
    expect(end.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'nothing holds no files, so there is nothing to store.',
    )
    expect(end.stdout).not.toContain('Next:')
  })
})
