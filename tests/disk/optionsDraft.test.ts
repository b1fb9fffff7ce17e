import { spawn, spawnSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { lookDocumentSchema } from '../../src/contract/dto/look'
import { EXIT } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { placeOfEachTest } from '../support/place'

const BUNDLE = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))
const HEADING = 'Preliminary estimate from'
const HAS_TERMINAL = spawnSync('script', ['--version']).status === 0
const NO_TERMINAL = 'there is no script(1) of util-linux'
const CTRL_C = '\u0003'
/** A hole of so many bytes is read in seconds, and an SSD would take half a minute for it. */
const HOLE_BYTES = 10e9

const here = placeOfEachTest('draft')

interface Screen {
  readonly code: number | null
  /** All that was written, control characters included. */
  readonly written: string
  /** The lines that are left in the end, from the beginning. */
  readonly lines: string[]
}

/**
 * Runs a command on a terminal of its own.
 * @param more.awaited what `onAwaited` is called once after; by default the draft and the line of
 * progress below it, because a terminal discards lines that it has not shown yet where Ctrl-C is typed
 */
function onTerminal(
  args: readonly string[],
  {
    rows,
    awaited = /replaces it\..*reading/s,
    onAwaited,
  }: { rows: number; awaited?: RegExp; onAwaited?: (type: (keys: string) => void) => void },
): Promise<Screen> {
  const command = [process.execPath, BUNDLE, ...args].map((word) => `'${word}'`).join(' ')
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', `stty cols 100 rows ${rows}; exec ${command}`, '/dev/null'], {
      env: { ...process.env, STOWAGE_HOME: here.home },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let written = ''
    let isAsked = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text
      if (isAsked || !awaited.test(written)) return
      isAsked = true
      onAwaited?.((keys) => child.stdin.write(keys))
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, written, lines: linesLeft(written) }))
  })
}

/** A terminal as far as the command uses one: rows of text, line ends, and what it erases. */
function linesLeft(written: string): string[] {
  const lines = ['']
  let at = 0
  const put = (text: string): void => {
    for (const part of text.split(/([\r\n])/)) {
      if (part === '\n') lines[++at] ??= ''
      else if (part !== '\r' && part !== '') lines[at] = part
    }
  }
  const [first = '', ...pieces] = written.split('\u001b[')
  put(first)
  for (const piece of pieces) {
    const [, count, order, text = ''] = /^(\d*)([A-Z])(.*)$/s.exec(piece) ?? []
    if (order === 'A') at = Math.max(0, at - Number(count))
    else if (order === 'J') lines.splice(at, lines.length, '')
    put(text)
  }
  return lines
}

/** Why there can be no draft of such a source here; null where there can. Asked once. */
let hindrance: Promise<string | null> | null = null
async function findHindrance(): Promise<string | null> {
  const { stdout } = await here.done('look', here.source, '--json')
  const { value } = lookDocumentSchema.parse(JSON.parse(stdout)).surveySeconds
  return value < 20 ? `the disk is too fast: ${value.toFixed(0)} s for 10 GB` : null
}

/** Text, a long hole, and two files that differ at one place, where a look does not read. */
function makeSource(): void {
  const twin = new Uint8Array(20_000_000)
  seededRandom(1).fillBytes(twin)
  const other = twin.slice()
  other[3_000_000] = (other[3_000_000] ?? 0) ^ 1
  here.files({
    ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, 'content '.repeat(3000 + at)])),
    'one.bin': twin,
    'other.bin': other,
    'hole.bin': '',
  })
  truncateSync(here.at('source', 'hole.bin'), HOLE_BYTES)
}

describe('stowage options on a terminal', { tags: 'long' }, () => {
  beforeEach(({ skip }) => {
    if (!HAS_TERMINAL) skip(NO_TERMINAL)
  })
  const command = (): string[] => ['options', here.source, '--medium', 'bd-r-25']

  it('shows the options of a look while the survey reads, and puts its answer in their place', async ({
    skip,
  }) => {
    makeSource()
    const why = await (hindrance ??= findHindrance())
    if (why !== null) skip(why)
    const { code, written, lines } = await onTerminal(command(), { rows: 40 })
    expect(code).toBe(EXIT.done)
    expect(written).toContain(HEADING)
    expect(lines.filter((line) => line.includes(HEADING))).toEqual([])
    expect(lines.filter((line) => /BD-R 25 GB +size/.test(line))).toHaveLength(1)
    expect(lines.some((line) => line.startsWith('Next: stowage plan '))).toBe(true)
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(
      'The preliminary estimate of identical files was 20.0 MB; the survey says 0 B.',
    )
  })

  it('leaves them above the answer on a screen that is too low', async ({ skip }) => {
    makeSource()
    const why = await (hindrance ??= findHindrance())
    if (why !== null) skip(why)
    const { code, lines } = await onTerminal(command(), { rows: 8 })
    expect(code).toBe(EXIT.done)
    const order = [HEADING, 'BD-R 25 GB ', 'The answer of the survey:', 'BD-R 25 GB ', 'Next: stowage plan ']
    let from = -1
    for (const text of order) {
      from = lines.findIndex((line, at) => at > from && line.includes(text))
      expect(from, text).toBeGreaterThanOrEqual(0)
    }
  })

  it('leaves them on the screen where Ctrl-C ends the survey', async ({ skip }) => {
    makeSource()
    const why = await (hindrance ??= findHindrance())
    if (why !== null) skip(why)
    const { code, lines } = await onTerminal(command(), { rows: 40, onAwaited: (type) => type(CTRL_C) })
    expect(code).toBe(EXIT.cancelled)
    expect(lines.some((line) => line.includes(HEADING))).toBe(true)
    expect(lines.some((line) => /BD-R 25 GB +size/.test(line))).toBe(true)
    expect(lines.some((line) => line.startsWith('Next: '))).toBe(false)
  })

  it.each([
    ['what only a survey carries out', ['--samples', 'none']],
    ['one JSON document', ['--json']],
    ['a table', ['--csv', 'options.csv']],
  ])('reads at once where it is asked for %s', async (_, args) => {
    makeSource()
    const { code, written } = await onTerminal([...command(), ...args], {
      rows: 40,
      awaited: /reading/,
      onAwaited: (type) => type(CTRL_C),
    })
    expect(code).toBe(EXIT.cancelled)
    expect(written).not.toMatch(/listing|looking/)
  })
})
