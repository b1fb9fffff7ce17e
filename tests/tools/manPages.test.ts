import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import { DECLARATIONS } from '../../src/cli/declarations/every'

let folder: string
let pages: string[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-man-'))
  execFileSync(process.execPath, ['scripts/writeManPages.mjs', folder, '2026-11-30'])
  pages = readdirSync(folder).map((name) => {
    const page = join(folder, name.replace(/\.gz$/, ''))
    writeFileSync(page, gunzipSync(readFileSync(join(folder, name))))
    return page
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a program writes about the pages; skips the test without the program. */
function judged(program: string, args: readonly string[], context: TestContext): string {
  const end = spawnSync(program, [...args, ...pages], { encoding: 'utf8' })
  if (end.error) context.skip(`${program} is not installed`)
  return end.stdout + end.stderr
}

it('there is a man page for stowage and for each command', () => {
  const names = pages.map((page) => page.slice(folder.length + 1)).toSorted()
  const expected = ['stowage.1', ...Object.keys(DECLARATIONS).map((name) => `stowage-${name}.1`)]
  expect(names).toEqual(expected.toSorted())
})

it('groff formats man pages without a warning', (context) => {
  expect(judged('groff', ['-ww', '-man', '-z', '-Tutf8'], context)).toBe('')
})

it('mandoc finds no fault in man pages', (context) => {
  expect(judged('mandoc', ['-T', 'lint', '-W', 'warning'], context)).toBe('')
})

it('options, quotes and dashes of man pages are shown as they are typed', (context) => {
  const shown = judged('groff', ['-man', '-Tascii', '-P-cbou'], context).replaceAll(/\s+/g, ' ')
  expect(shown).toContain(
    "--skip-changed build a volume without files that changed, vanished or cannot be read; only for Stowage's own images",
  )
  expect(shown).toContain('bd-r-25=0.85EUR')
})
