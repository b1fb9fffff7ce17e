import { describe, expect, it } from 'vitest'
import { ISO_MAX_FILE_BYTES, namesPreflight } from '../../../../../src/domain/sets/naming/names'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'

const item = (path: string, more: Partial<InventoryItem> = {}): InventoryItem => ({
  index: 1,
  path,
  kind: 'file',
  bytes: 1,
  ...more,
})
const codes = (one: InventoryItem): [string, boolean][] =>
  namesPreflight([one], 'image').map(({ code, blocking }) => [code, blocking])

describe('the check of names before packing', () => {
  it('accepts names of 255 bytes and refuses longer ones, whatever the path above them', () => {
    const deep = `${'d'.repeat(200)}/`.repeat(30)
    expect(codes(item(`${deep}${'x'.repeat(255)}`))).toEqual([])
    expect(codes(item(`${deep}${'x'.repeat(256)}`))).toEqual([['name-too-long', true]])
    expect(codes(item('ü'.repeat(128), { kind: 'folder' }))).toEqual([['name-too-long', true]])
    expect(codes(item('\udcff'.repeat(255)))).toEqual([])
    expect(codes(item('😀'.repeat(64)))).toEqual([['name-too-long', true]])
  })

  it('reports files that are split because of the format’s size limit', () => {
    expect(codes(item('a', { bytes: ISO_MAX_FILE_BYTES }))).toEqual([])
    expect(codes(item('a', { bytes: ISO_MAX_FILE_BYTES + 1 }))).toEqual([['file-too-large', false]])
    expect(ISO_MAX_FILE_BYTES).toBe(429_496_524_800)
  })

  it('refuses link targets that no system could read back', () => {
    expect(codes(item('l', { kind: 'symlink', targetBytes: 4_095 }))).toEqual([])
    expect(codes(item('l', { kind: 'symlink', targetBytes: 4_096 }))).toEqual([['target-too-long', true]])
  })

  it('names the entry and keeps the message on one line', () => {
    const path = '\n'.repeat(256)
    const [problem] = namesPreflight([item(path)], 'image')
    expect(problem?.path).toBe(path)
    expect(problem?.message).not.toContain('\n')
  })

  it('reports nothing for folder volumes', () => {
    expect(namesPreflight([item('x'.repeat(300))], 'folder')).toEqual([])
  })
})
