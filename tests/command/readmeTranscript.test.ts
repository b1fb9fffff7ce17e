import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'

/** The folder that the README's paths name. */
const SHOWN_FOLDER = '/home/ada/stowage'

const SURELY_SHOWN = 20

let folder: string
let home: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-readme-'))
  home = join(folder, 'home')
  mkdirSync(join(folder, 'work'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A command of the README with the lines that it is said to print. */
interface Step {
  readonly args: readonly string[]
  readonly lines: readonly string[]
}

function transcript(): Step[] {
  const [, block = ''] =
    /```text\n(\$ stowage survey[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  return block.split(/^\$ stowage /m).flatMap((part) => {
    const [command = '', ...lines] = part.split('\n')
    const printed = lines.filter((line) => line !== '' && line !== '[…]')
    return command === '' ? [] : [{ args: command.split(' '), lines: printed }]
  })
}

/** Figures, identifiers and the breaks of lines differ from run to run. */
function withoutFigures(text: string): string {
  return text
    .replaceAll(/\b[sp]-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/\b(about|under) (?=\d)/g, '')
    .replaceAll(/<?\d[\d.,]*(–[\d.,]+)?( (ms|s|min|h)\b( \d+ (s|min)\b)?)?/g, 'N')
    .replaceAll(/\s+/g, ' ')
}

/** How much of a name is shown depends on the width of the figures in its row. */
function beforeCut(line: string): string {
  return line.includes('…') ? line.slice(0, SURELY_SHOWN) : line
}

it('the README shows what its six commands print', { tags: 'long', timeout: 300_000 }, async () => {
  const steps = transcript()
  expect(steps.map(({ args }) => args[0])).toEqual([
    'survey',
    'options',
    'plan',
    'build',
    'verify',
    'restore',
  ])
  const work = join(folder, 'work')
  const inside = (word: string): string =>
    ['Sample', 'plan', 'restored'].includes(word) ? join(work, word) : word
  expect((await stowage(['sample', join(work, 'Sample')], { home, spawned: true })).code).toBe(0)
  let surveyId = ''
  for (const { args, lines } of steps) {
    const [command = '', ...words] = args
    const typed = words.map((word) => (/^s-[0-9a-f]{12}$/.test(word) ? surveyId : inside(word)))
    const { code, stdout, stderr } = await stowage([command, ...typed], {
      home,
      asTyped: true,
      spawned: true,
    })
    expect(code, stderr).toBe(0)
    surveyId ||= /\bs-[0-9a-f]{12}\b/.exec(stdout)?.[0] ?? ''
    // The next commands name paths from the folder that they are typed in, which is another one here.
    const shown = withoutFigures(stdout.replaceAll(work, SHOWN_FOLDER))
    for (const line of lines.filter((each) => !/^(Next|To get the files back): /.test(each)))
      expect(shown, line).toContain(withoutFigures(beforeCut(line)).trim())
  }
})
