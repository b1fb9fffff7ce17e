import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { wordsOf } from '../support/builtOption'
import { commandOnTerminal } from '../support/commandOnTerminal'
import { temporaryFolder } from '../support/temporaryFolder'

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

/** Runs `stowage options` and types Ctrl-C as soon as a text is shown. */
function interruptedAt(folder: string, source: string, shown: RegExp, ...more: readonly string[]) {
  return commandOnTerminal(['options', source, ...OPTIONS, ...more], join(folder, 'home'), [[shown, CTRL_C]])
}

it('Ctrl-C on a terminal ends sampling and compares the options with what is known', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs script(1) of util-linux')
  const folder = await temporaryFolder()
  const { code, shown } = await interruptedAt(folder, await sourceIn(folder), /Ctrl-C: enough/)
  expect(code, shown).toBe(0)
  expect(shown).toContain('stopped sampling; ranges are wider')
  expect(shown).toContain('Next: stowage plan --survey s-')
  // Ranges of the rough forecasts, not a survey without any.
  expect(shown).toMatch(/\d–\d.* ◐/)
})

it('with --json Ctrl-C during sampling cancels the survey, also on a terminal', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs script(1) of util-linux')
  const folder = await temporaryFolder()
  const { code, shown } = await interruptedAt(folder, await sourceIn(folder), /sampling 2\/3/, '--json')
  expect(code, shown).toBe(130)
  expect(shown).toContain('survey cancelled; the completed part is saved as s-')
})
