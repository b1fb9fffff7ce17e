import { expect, it } from 'vitest'
import { writtenDats, writtenSource } from '../../../src/files/projectSources'

it.each([
  ['/a/b/photos', 'photos'],
  ['/a/b', '.'],
  ['/a/b2', '/a/b2'],
  ['/a', '/a'],
])('the source %s of a project in /a/b is written as %s', (source, written) => {
  expect(writtenSource(source, '/a/b')).toBe(written)
})

it('a project names DATs as it named them before, and others as it does sources', () => {
  const project = { id: 'pr-0123456789ab', name: 'roms', sources: { roms: 'ROMs' } }
  const file = '/a/b/roms.stowage.yaml'
  const one = { ...project, dat: 'DATs/nes.dat' }
  expect(writtenDats(one, ['/a/b/DATs/nes.dat'], file)).toBe('DATs/nes.dat')
  expect(writtenDats(one, ['/a/b/DATs/nes.dat', '/c/gb.dat'], file)).toEqual(['DATs/nes.dat', '/c/gb.dat'])
  expect(writtenDats({ ...project, dat: ['/a/b/nes.dat'] }, ['/a/b/nes.dat', '/a/b/gb.dat'], file)).toEqual([
    '/a/b/nes.dat',
    'gb.dat',
  ])
  expect(writtenDats(project, ['/a/b/nes.dat'], null)).toEqual(['/a/b/nes.dat'])
  expect(writtenDats(one, [], file)).toBeUndefined()
})
