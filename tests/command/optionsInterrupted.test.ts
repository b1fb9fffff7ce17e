import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
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

/** Runs `stowage options` and types Ctrl-C as soon as each of these texts is shown. */
function interruptedAt(
  folder: string,
  source: string,
  shown: readonly RegExp[],
  ...more: readonly string[]
): ReturnType<typeof commandOnTerminal> {
  const answers = shown.map((text) => [text, CTRL_C] as const)
  return commandOnTerminal(['options', source, ...OPTIONS, ...more], join(folder, 'home'), answers)
}

it('Ctrl-C on a terminal ends sampling and compares the options with what is known', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs script(1) of util-linux')
  const folder = await temporaryFolder()
  const { code, shown } = await interruptedAt(folder, await sourceIn(folder), [/Ctrl-C: enough/])
  expect(code, shown).toBe(0)
  expect(shown).toContain('stopped sampling; ranges are wider')
  expect(shown).toContain('Next: stowage plan --survey s-')
  // Ranges of the rough forecasts, not a survey without any.
  expect(shown).toMatch(/\d–\d.* ◐/)
})

it('a second Ctrl-C on a terminal ends the command at once', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs script(1) of util-linux')
  const folder = await temporaryFolder()
  const source = await sourceIn(folder)
  const { code, shown } = await interruptedAt(folder, source, [/Ctrl-C: enough/, /stopped sampling/])
  expect(code, shown).toBe(130)
  // What was read before is in the catalog, and the next command finds nothing in its way.
  const listed = await stowage(['catalog', 'list'], { home: join(folder, 'home') })
  expect(listed.code, listed.stderr).toBe(0)
  expect(listed.stdout).toMatch(/s-\w+/)
})

it('with --json Ctrl-C during sampling cancels the survey, also on a terminal', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs script(1) of util-linux')
  const folder = await temporaryFolder()
  const { code, shown } = await interruptedAt(folder, await sourceIn(folder), [/sampling 2\/3/], '--json')
  expect(code, shown).toBe(130)
  expect(shown).toContain('survey cancelled; the completed part is saved as s-')
})
