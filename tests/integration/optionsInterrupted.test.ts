import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
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

/** Runs `stowage options` on a terminal of its own and types Ctrl-C as soon as it is offered. */
function onTerminal(folder: string, source: string): Promise<{ code: number; text: string }> {
  const words = [process.execPath, BUNDLE, 'options', source, ...OPTIONS]
  const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, STOWAGE_HOME: join(folder, 'home') },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let text = ''
    let isOffered = false
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
      if (isOffered || !text.includes('Ctrl-C: enough')) return
      isOffered = true
      child.stdin.write(CTRL_C)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, text }))
  })
}

it('Ctrl-C on a terminal ends sampling and compares the options with what is known', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs script(1) of util-linux')
  const folder = await temporaryFolder()
  const { code, text } = await onTerminal(folder, await sourceIn(folder))
  expect(code, text).toBe(0)
  expect(text).toContain('stopped sampling; ranges are wider')
  expect(text).toContain('Next: stowage plan --survey s-')
  // Ranges of the rough forecasts, not a survey without any.
  expect(text).toMatch(/\d–\d.* ◐/)
})

it('without a terminal an interrupt during sampling cancels the survey', async () => {
  const folder = await temporaryFolder()
  const args = ['options', await sourceIn(folder), ...OPTIONS]
  let isStopped = false
  const { code, stdout, stderr } = await stowage(args, {
    home: join(folder, 'home'),
    onStderr: (text, kill) => {
      if (isStopped || !text.includes('sampling')) return
      isStopped = true
      kill('SIGINT')
    },
  })
  expect(code).toBe(130)
  expect(stdout).toBe('')
  expect(stderr).toContain('survey cancelled; the completed part is saved as s-')
})
