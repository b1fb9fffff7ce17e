import { mkdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Grants } from '../../../../src/main/ipc/grants'
import { temporaryFolder } from '../../../support/temporaryFolder'

it('covers a granted path and what is below it, no sibling or parent', async () => {
  const grants = new Grants()
  grants.allow('read', '/home/a/photos/')
  const asked = [
    '/home/a/photos',
    '/home/a/photos/2020/x.jpg',
    '/home/a',
    '/home/a/photos2',
    '/',
    'home/a/photos',
  ]
  expect(await Promise.all(asked.map((path) => grants.isAllowed('read', path)))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

it('keeps reading and writing apart', async () => {
  const grants = new Grants()
  grants.allow('read', '/source')
  grants.allow('write', '/target')
  expect(await grants.isAllowed('write', '/source')).toBe(false)
  expect(await grants.isAllowed('read', '/target')).toBe(false)
})

it('refuses paths that climb, which a symbolic link could take anywhere', async () => {
  const grants = new Grants()
  grants.allow('read', '/a')
  expect(await grants.isAllowed('read', '/a/link/../b')).toBe(false)
  expect(await grants.isAllowed('read', '/a/..b')).toBe(true)
})

it('treats names as they are, whatever is in them', async () => {
  const grants = new Grants()
  const odd = '/a/new\nline \udcff$%"\'\\..\\'
  grants.allow('read', odd)
  expect(await grants.isAllowed('read', `${odd}/below`)).toBe(true)
  await expect(grants.require('read', '/a/new')).rejects.toThrow(
    '/a/new was not chosen in a dialog to be read from',
  )
})

it('grants everything when the root itself was handed over', async () => {
  const grants = new Grants()
  grants.allow('read', '/')
  expect(await grants.isAllowed('read', '/etc')).toBe(true)
})

it('does not follow a symbolic link out of a granted folder, however deep it lies', async () => {
  const folder = await temporaryFolder()
  const granted = join(folder, 'granted')
  mkdirSync(join(granted, 'a', 'b'), { recursive: true })
  mkdirSync(join(folder, 'private'))
  symlinkSync(join(folder, 'private'), join(granted, 'out'))
  symlinkSync('../../../private', join(granted, 'a', 'b', 'out'))
  symlinkSync(join(folder, 'private', 'not there yet'), join(granted, 'dangling'))
  symlinkSync('a', join(granted, 'in'))
  const grants = new Grants()
  grants.allow('write', granted)
  const asked = [
    'out',
    'out/new',
    'a/b/out',
    'a/b/out/new',
    'dangling',
    'dangling/new',
    'in/b',
    'in/new/file',
    'new',
  ]
  expect(await Promise.all(asked.map((name) => grants.isAllowed('write', join(granted, name))))).toEqual([
    ...Array<boolean>(6).fill(false),
    ...Array<boolean>(3).fill(true),
  ])
})

it('judges a link when it is used, and grants what a link that was handed over leads to', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'photos'))
  mkdirSync(join(folder, 'private'))
  symlinkSync('photos', join(folder, 'link'))
  const grants = new Grants()
  grants.allow('read', join(folder, 'link'))
  grants.allow('read', join(folder, 'photos'))
  expect(await grants.isAllowed('read', join(folder, 'link', 'x.jpg'))).toBe(true)
  symlinkSync('photos', join(folder, 'photos', 'later'))
  expect(await grants.isAllowed('read', join(folder, 'photos', 'later'))).toBe(false)
  unlinkSync(join(folder, 'photos', 'later'))
  symlinkSync('../private', join(folder, 'photos', 'later'))
  expect(await grants.isAllowed('read', join(folder, 'photos', 'later', 'key'))).toBe(false)
})
