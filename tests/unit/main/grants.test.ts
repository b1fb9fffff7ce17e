import { expect, it } from 'vitest'
import { Grants } from '../../../src/main/grants'

it('covers a granted path and what lies below it, nothing beside or above', () => {
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
  expect(asked.map((path) => grants.isAllowed('read', path))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

it('keeps reading and writing apart', () => {
  const grants = new Grants()
  grants.allow('read', '/source')
  grants.allow('write', '/target')
  expect(grants.isAllowed('write', '/source')).toBe(false)
  expect(grants.isAllowed('read', '/target')).toBe(false)
})

it('refuses paths that climb, which a symbolic link could take anywhere', () => {
  const grants = new Grants()
  grants.allow('read', '/a')
  expect(grants.isAllowed('read', '/a/link/../b')).toBe(false)
  expect(grants.isAllowed('read', '/a/..b')).toBe(true)
})

it('treats names as they are, whatever is in them', () => {
  const grants = new Grants()
  const odd = '/a/new\nline \udcff$%"\'\\..\\'
  grants.allow('read', odd)
  expect(grants.isAllowed('read', `${odd}/below`)).toBe(true)
  expect(() => grants.require('read', '/a/new')).toThrow('/a/new was not chosen by you to be read from')
})

it('grants everything when the root itself was handed over', () => {
  const grants = new Grants()
  grants.allow('read', '/')
  expect(grants.isAllowed('read', '/etc')).toBe(true)
})
