import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { wordsOf } from '../support/builtOption'
import { temporaryFolder } from '../support/temporaryFolder'

const BUNDLE = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))
const CTRL_C = '\u0003'
/** With these samples it would go on for a minute. */
const OPTIONS = ['--samples', 'thorough']

async function sourceIn(folder: string): Promise<string> {
  const source = join(folder, 'source')
  mkdirSync(source)
  for (let index = 0; index < 40; index++)
    writeFileSync(join(source, `${index}.txt`), wordsOf(index, 30_000 + 1000 * index))
  return source
}

/** Runs `stowage options` on a terminal of its own and types Ctrl-C as soon as a text is there. */
function onTerminal(
  folder: string,
  source: string,
  until: string,
  more: readonly string[] = [],
): Promise<{ code: number; text: string }> {
  const words = [process.execPath, BUNDLE, 'options', source, ...OPTIONS, ...more]
  const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, STOWAGE_HOME: join(folder, 'home') },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let text = ''
    let isTyped = false
    child.stdout.setEncoding('utf8').on('data', (added: string) => {
      text += added
      if (isTyped || !text.includes(until)) return
      isTyped = true
      child.stdin.write(CTRL_C)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, text }))
  })
}

it('Ctrl-C on a terminal ends sampling and compares the options with what is known', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs script(1) of util-linux')
  const folder = await temporaryFolder()
  const { code, text } = await onTerminal(folder, await sourceIn(folder), 'Ctrl-C: enough')
  expect(code, text).toBe(0)
  expect(text).toContain('stopped sampling; ranges are wider')
  expect(text).toContain('Next: stowage plan --survey s-')
  // Ranges of the rough forecasts, not a survey without any.
  expect(text).toMatch(/\d–\d.* ◐/)
})

it('with --json Ctrl-C during sampling cancels the survey, also on a terminal', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs script(1) of util-linux')
  const folder = await temporaryFolder()
  const { code, text } = await onTerminal(folder, await sourceIn(folder), 'sampling 2/3', ['--json'])
  expect(code, text).toBe(130)
  expect(text).toContain('survey cancelled; the completed part is saved as s-')
})
