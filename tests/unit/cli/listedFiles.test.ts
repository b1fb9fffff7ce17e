import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listedFiles } from '../../../src/cli/commands/listedFiles'
import { temporaryFolder } from '../../support/surveyedFolder'

const LIST = 'sub/b.txt\r\nä b.txt\r\n'
const PATHS = ['sub/b.txt', 'ä b.txt']
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

function listOf(content: Uint8Array | string): string {
  const file = join(temporaryFolder(), 'list')
  writeFileSync(file, content)
  return file
}

test.each([
  ['UTF-8', Buffer.from(LIST)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${LIST}`)],
  ['UTF-16, little end first', utf16(`\ufeff${LIST}`)],
  ['UTF-16, big end first', utf16(`\ufeff${LIST}`).swap16()],
])('a list in %s is read', async (_, content) => {
  expect(await listedFiles({ 'files-from': listOf(content) })).toEqual(PATHS)
})

test.each([
  ['has no mark', utf16(LIST), /NUL bytes, as in UTF-16/],
  ['ends in half a character', Buffer.concat([utf16(`\ufeff${LIST}`), Buffer.from([0])]), /mark of UTF-16/],
])('a list in UTF-16 that %s is refused by name', async (_, content, because) => {
  const file = listOf(content)
  await expect(listedFiles({ 'files-from': file })).rejects.toMatchObject({
    code: 'bad-input',
    message: expect.stringMatching(because),
  })
})

test('paths that end with NUL are read as they are', async () => {
  expect(await listedFiles({ 'files0-from': listOf('a\nb\0c\r\n\0') })).toEqual(['a\nb', 'c\r\n'])
})
