import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { changeFile } from '../../../src/files/atomicFile'
import { temporaryFolder } from '../../support/temporaryFolder'

async function fileWith(text: string): Promise<string> {
  const file = path.join(await temporaryFolder(), 'settings.yaml')
  writeFileSync(file, text)
  return file
}

it('a change is on the disk as a whole before it takes the place of the file', async () => {
  const file = await fileWith('before')
  const handle = await open(file, 'r')
  const handles = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const flushed: (readonly [string | null, string])[] = []
  const { sync } = handles
  const spy = vi.spyOn(handles, 'sync').mockImplementation(function flush(this: FileHandle) {
    const lock = `${file}.lock`
    flushed.push([existsSync(lock) ? readFileSync(lock, 'utf8') : null, readFileSync(file, 'utf8')])
    return sync.call(this)
  })
  onTestFinished(() => spy.mockRestore())
  await changeFile(file, () => 'after')
  expect(flushed[0]).toEqual(['after', 'before'])
})

it('a change whose lock was taken away is made again to what the other process left', async () => {
  const file = await fileWith('before')
  const seen: (string | null)[] = []
  const end = await changeFile(file, (text) => {
    seen.push(text)
    if (seen.length === 1) {
      // Another process takes the lock for an abandoned one, and makes its own change.
      rmSync(`${file}.lock`)
      writeFileSync(`${file}.lock`, 'half a change')
      setImmediate(() => {
        writeFileSync(file, 'theirs')
        rmSync(`${file}.lock`, { force: true })
      })
    }
    return `${text} and ours`
  })
  expect([seen, end, readFileSync(file, 'utf8')]).toEqual([
    ['before', 'theirs'],
    'theirs and ours',
    'theirs and ours',
  ])
  expect(await readdir(path.dirname(file))).toEqual(['settings.yaml'])
})
