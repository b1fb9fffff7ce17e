import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { followGrowth } from '../../../../../src/engine/sets/unpack/byProgram'

test('what is written below a folder is seen while it is written, also one that is made only then', async () => {
  const place = mkdtempSync(join(tmpdir(), 'stowage-growth-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const folder = join(place, 'members')
  const seen: number[] = []
  let answer = (_bytes: number): void => undefined
  const reaches = (bytes: number): Promise<void> =>
    new Promise((done) => {
      answer = (is) => is === bytes && done()
    })
  const result = await followGrowth(
    folder,
    (bytes) => {
      seen.push(bytes)
      answer(bytes)
    },
    async () => {
      mkdirSync(join(folder, 'deep', 'er'), { recursive: true })
      writeFileSync(join(folder, 'first'), Buffer.alloc(1000))
      await reaches(1000)
      writeFileSync(
        join(folder, 'deep', 'er', Buffer.from([0xff, 0x0a]).toString('latin1')),
        Buffer.alloc(234),
      )
      await reaches(1234)
      return 'ended'
    },
  )
  expect(result).toBe('ended')
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})

test('a program that fails fails', async () => {
  await expect(
    followGrowth(
      '/nowhere',
      () => undefined,
      () => Promise.reject(new Error('no such program')),
    ),
  ).rejects.toThrow('no such program')
})
