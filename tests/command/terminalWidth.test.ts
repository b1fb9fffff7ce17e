import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporaryFolder'

const BUNDLE = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))

/** The lines that a command leaves on a terminal of 80 columns. */
function linesOn80(args: readonly string[], home: string): string[] {
  const command = [process.execPath, BUNDLE, ...args].map((word) => `'${word}'`).join(' ')
  const { stdout } = spawnSync('script', ['-qec', `stty cols 80; exec ${command}`, '/dev/null'], {
    env: { ...process.env, STOWAGE_HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const left = (line: string): string => line.split('\u001b[K').at(-1)?.replace(/\r$/, '') ?? ''
  return stdout.split('\n').map((line) => stripVTControlCharacters(left(line)).split('\r').at(-1) ?? '')
}

it('help, prose and tables keep to the width of the terminal', async ({ skip }) => {
  if (spawnSync('script', ['--version']).status !== 0) skip('there is no script(1) of util-linux')
  const folder = await temporaryFolder()
  const [source, home] = [join(folder, 'source'), join(folder, 'home')]
  mkdirSync(source)
  writeFileSync(join(source, 'file.txt'), 'content '.repeat(1000))
  for (const args of [
    ['help'],
    ['help', 'survey'],
    ['help', 'image'],
    ['survey', source, '--samples', 'fast', '--all'],
    ['options', source, '--samples', 'none', '--medium', 'cd-700', '--medium', 'disk'],
    ['tools'],
    ['media'],
  ]) {
    const lines = linesOn80(args, home)
    expect(lines.length, args.join(' ')).toBeGreaterThan(5)
    // A path is never broken.
    const wide = lines.filter((line) => line.length > 80 && !/\S{60}/.test(line))
    expect(wide, args.join(' ')).toEqual([])
  }
})
