import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { CommandEnd } from '../fixtures/stowageCommand'
import { bundle } from '../support/bundle'
import { temporaryFolder } from '../support/temporaryFolder'
import { underWine, WINDOWS_NODE, winePath } from '../support/wine'

/** The processes of this machine with a text in their command lines. */
function processesWith(text: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return readFileSync(`/proc/${Number(name)}/cmdline`, 'utf8').includes(text) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

/** A process that runs a command file as a tool, which has started Windows' Node and waits for it. */
async function running(): Promise<{ end: Promise<CommandEnd>; cancel: () => void }> {
  const folder = await temporaryFolder()
  const runner = await bundle('tests/fixtures/toolRunner.ts', folder, ['better-sqlite3'])
  const waiting = join(folder, 'waiting.cjs')
  writeFileSync(waiting, 'setInterval(() => {}, 1000)')
  const tool = join(folder, 'tool.cmd')
  // Windows' Node under Wine takes no pipes as its standard streams.
  writeFileSync(tool, `@"${winePath(WINDOWS_NODE)}" "${winePath(waiting)}" <NUL >NUL 2>&1\r\n`)
  const cancelFile = join(folder, 'cancel')
  const words = [WINDOWS_NODE, runner, winePath(cancelFile), 'cmd.exe', '/c', winePath(tool)]
  const end = underWine(words, {
    env: { STOWAGE_ADDON: winePath(resolve('build/native/win32-x64/stowage.node')) },
  })
  await expect.poll(() => processesWith('waiting.cjs')).toHaveLength(1)
  return { end, cancel: () => writeFileSync(cancelFile, '') }
}

it('the programs of a process that is killed end with all that they started', async () => {
  const { end } = await running()
  const [runner] = processesWith('toolRunner.cjs')
  process.kill(runner as number, 'SIGKILL')
  await end
  await expect.poll(() => processesWith('waiting.cjs')).toEqual([])
})

it('a program that is cancelled ends with all that it started', async () => {
  const { end, cancel } = await running()
  cancel()
  expect((await end).stdout).toContain('cancelled')
  await expect.poll(() => processesWith('waiting.cjs')).toEqual([])
})
