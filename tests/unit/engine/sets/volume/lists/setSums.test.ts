import { expect, test } from 'vitest'
import { readSetSums } from '../../../../../../src/engine/sets/volume/lists/setSums'
import { sha256Line } from '../../../../../../src/engine/sets/volume/lists/sha256Sums'
import { pathFromBytes, pathToBytes } from '../../../../../../src/primitives/pathText'

const SHA = 'a'.repeat(64)

test('checksums are read back under every name that they are written with', () => {
  const names = [
    'a',
    '-',
    'a  b',
    'back\\slash',
    'line\nfeed',
    '\\n',
    'r\r',
    pathFromBytes(Buffer.from([0xff, 0x41])),
  ]
  const text = names.map((name) => sha256Line(SHA, name)).join('')
  expect([...(readSetSums(Buffer.from(pathToBytes(text))) ?? [])]).toEqual(names.map((name) => [name, SHA]))
})

test('damaged checksums are not used', () => {
  expect(readSetSums(Buffer.from(`${SHA}  a\n${SHA.slice(1)}  b\n`))).toBeNull()
})
