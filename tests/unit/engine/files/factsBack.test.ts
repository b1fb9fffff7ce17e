import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FactsBack } from '../../../../src/engine/files/factsBack'

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-facts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'file')
  writeFileSync(path, 'content')
  return path
}

const facts = { path: 'file', mode: 0o640, mtimeNs: 5n, attributes: [] }
const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

test('who may not give files away keeps them, and hears how many belong to others', async () => {
  const at = newFile()
  const back = new FactsBack(false)
  back.put(at, { ...facts, owner: { uid: own.uid + 1, gid: 7 } })
  back.put(at, { ...facts, owner: { ...own, gid: 7 } })
  back.put(at, { ...facts, owner: null })
  expect(back).toMatchObject({ ownersLeft: 1, refused: [] })
  const { uid, mode, mtimeMs } = lstatSync(at)
  expect({ uid, mode: mode & 0o7777, mtimeMs }).toEqual({ uid: own.uid, mode: 0o640, mtimeMs: 5e-6 })
})

test('owners are put back by their names, where this system has them', async (context) => {
  if (own.uid !== 0) context.skip('only root may give files away')
  const at = newFile()
  const back = new FactsBack()
  back.put(at, { ...facts, owner: { uid: 4711, gid: 4712, user: 'daemon', group: 'no such group' } })
  expect(back.refused).toEqual([])
  const { uid, gid } = lstatSync(at)
  expect([uid, gid]).toEqual([1, 4712])
})

test('an attribute that cannot be set is listed with the reason, and the rest is put back', async () => {
  const at = newFile()
  const back = new FactsBack()
  back.put(at, { ...facts, owner: null, attributes: [{ name: 'nowhere.note', value: '00' }] })
  expect(back.refused).toMatchObject([{ path: 'file', fact: 'nowhere.note' }])
  expect(back.refused[0]?.error.message).toMatch(
    /^cannot set the extended attribute nowhere.note of file: [^\n]+$/,
  )
  expect(lstatSync(at).mode & 0o7777).toBe(0o640)
})
