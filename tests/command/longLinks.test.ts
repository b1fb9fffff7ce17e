import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'

/** Rock Ridge takes the first two as they are, the others not at all. */
const TARGETS: Readonly<Record<string, string>> = {
  'longest name': 'x'.repeat(255),
  'longest target': `${'folder/'.repeat(146)}x`,
  'too long a name': 'x'.repeat(256),
  'too long a target': `${'folder/'.repeat(146)}xy`,
  'far too long': 'folder/'.repeat(500),
}

let folder: string
let source: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-links-'))
  source = join(folder, 'source')
  mkdirSync(source)
  writeFileSync(join(source, 'a file'), 'of some content')
  for (const [name, target] of Object.entries(TARGETS)) symlinkSync(target, join(source, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each(['plain', 'iso'])(
  'links with targets that no image holds are restored from the index: %s',
  async (option) => {
    const plan = join(folder, 'plan')
    const back = join(folder, 'back')
    const run = async (...args: string[]) => {
      const end = await stowage(args, { home: join(folder, 'home') })
      expect([end.code, end.stderr]).toEqual([0, expect.any(String)])
      return end
    }
    const planned = await run('plan', source, '--option', option, '--medium', 'custom:20MB', '--out', plan)
    expect(planned.stderr.match(/is too long for an image/g)).toHaveLength(3)
    await run('build', plan)
    await run('verify', plan)
    await run('restore', join(plan, 'images/01.iso'), '--to', back)
    for (const [name, target] of Object.entries(TARGETS)) expect(readlinkSync(join(back, name))).toBe(target)
  },
)
