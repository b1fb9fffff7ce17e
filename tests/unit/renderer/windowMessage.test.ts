import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { windowMessage } from '../../../renderer/src/format/windowMessage'

const ENGINE = resolve(import.meta.dirname, '../../../src/engine')
/** Texts for other places than the window: scripts, notes on volumes, programs' own options, and jobs that only the command line has. */
const ELSEWHERE =
  /^sets\/export\/|^options\/builders\/|^tools\/|^survey\/surveyMerge|^sets\/unpack\/|^codecs\//

/**
 * Texts of the engine that name an option of a command, with something in the place of each inserted value; not comments in lists
 * that it writes.
 */
function textsWithOptions(): string[] {
  return readdirSync(ENGINE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !ELSEWHERE.test(name))
    .flatMap((name) =>
      [...readFileSync(join(ENGINE, name), 'utf8').matchAll(/`[^`\n]*`|'[^'\n]*'/g)]
        .map(([literal]) => literal.slice(1, -1))
        .filter((text) => / \(?--[a-z]{3,}|stowage options/.test(text) && !/^tar |^# /.test(text)),
    )
    .map((text) =>
      text.replaceAll(/\$\{isRepository \? '' : '([^']*)'\}/g, '$1').replaceAll(/\$\{[^}]*\}/g, 'X'),
    )
}

test('every message that names an option of the command line names a control in the window', () => {
  const texts = textsWithOptions()
  expect(texts.length).toBeGreaterThanOrEqual(8)
  expect(texts.map(windowMessage).filter((text) => /--|stowage /.test(text))).toEqual([])
})

test.each([
  [
    'cannot restore a: something else is at this path; --force replaces files',
    'cannot restore a: something else is at this path; “Replace files that differ” replaces it',
  ],
  ['a is already there (--force replaces it)', 'a is already there'],
  [
    'it differs; remove it to write it again (--volume 2 --again replaces it)',
    'it differs; remove it to write it again',
  ],
  ['survey s-1 has no file order: survey again with --full', 'survey s-1 has no file order'],
  ['cannot read /a --joined.txt: permission denied', 'cannot read /a --joined.txt: permission denied'],
])('%s', (said, shown) => {
  expect(windowMessage(said)).toBe(shown)
})
