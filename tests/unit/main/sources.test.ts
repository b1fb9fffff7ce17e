import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nativePath } from '../../../src/files/nativePath'
import { Grants } from '../../../src/main/ipc/grants'
import { takeSources } from '../../../src/main/sources'
import { temporaryFolder } from '../../support/temporaryFolder'

it('distinguishes folders and files, keeps the order, takes each once and grants reading it', async () => {
  const folder = await temporaryFolder()
  const file = path.join(folder, 'a file')
  await writeFile(file, '')
  const grants = new Grants()
  const { sources, failures } = await takeSources([file, folder, `${folder}/`, file], grants)
  expect(sources).toEqual([
    { path: file, kind: 'file', name: 'a file' },
    { path: folder, kind: 'folder', name: path.basename(folder) },
  ])
  expect(failures).toEqual([])
  expect([await grants.isAllowed('read', folder), await grants.isAllowed('write', folder)]).toEqual([
    true,
    false,
  ])
})

it('names what cannot be taken and why, and grants nothing for it', async () => {
  const folder = await temporaryFolder()
  const fifo = path.join(folder, 'fifo')
  execFileSync('mkfifo', [fifo])
  const missing = path.join(folder, 'missing\nname')
  const grants = new Grants()
  const { sources, failures } = await takeSources([fifo, missing, folder], grants)
  expect(sources.map((source) => source.path)).toEqual([folder])
  expect(failures.map(({ code, message }) => [code, message])).toEqual([
    ['special-file', `cannot archive ${fifo}: neither a folder nor a file`],
    ['not-found', `cannot open ${folder}/missing␊name: no such file or folder`],
  ])
})

it('finds the exact name that Electron passes with replacement characters', async () => {
  const folder = await temporaryFolder()
  const odd = `${folder}/caf\udce9 \u00fc`
  await mkdir(nativePath(`${odd}/in\udcffside`), { recursive: true })
  const { sources } = await takeSources([`${folder}/caf\ufffd \u00fc/in\ufffdside`], new Grants())
  expect(sources).toEqual([{ path: `${odd}/in\udcffside`, kind: 'folder', name: 'in\udcffside' }])
})

it('does not guess when two names read the same', async () => {
  const folder = await temporaryFolder()
  for (const name of ['x\udce9', 'x\udcea']) await mkdir(nativePath(`${folder}/${name}`))
  const { sources, failures } = await takeSources([`${folder}/x\ufffd`], new Grants())
  expect([sources, failures.map((failure) => failure.code)]).toEqual([[], ['not-found']])
})

it('takes a name that really holds a replacement character', async () => {
  const folder = await temporaryFolder()
  await mkdir(`${folder}/x\ufffd`)
  await mkdir(nativePath(`${folder}/x\udce9`))
  const { sources } = await takeSources([`${folder}/x\ufffd`], new Grants())
  expect(sources.map((source) => source.name)).toEqual(['x\ufffd'])
})
