import { describe, expect, it } from 'vitest'
import {
  ownFolderName,
  type SourceRoot,
  volumePaths,
} from '../../../../../src/domain/sets/naming/volumePaths'

const folder = (path: string): SourceRoot => ({ path, kind: 'folder' })
const file = (path: string): SourceRoot => ({ path, kind: 'file' })
const tops = (roots: SourceRoot[]): string[] => roots.map((_, k) => volumePaths(roots).pathOnVolume(k, ''))

describe('places on a volume', () => {
  it('put the contents of a single folder at the root', () => {
    const paths = volumePaths([folder('/home/me/Photos')])
    expect(paths.pathOnVolume(0, '')).toBe('')
    expect(paths.pathOnVolume(0, '2024/a.jpg')).toBe('2024/a.jpg')
  })

  it('put a single file at the root', () => {
    expect(tops([file('/home/me/disk.iso')])).toEqual(['disk.iso'])
  })

  it('give each of several roots a folder with its name', () => {
    const paths = volumePaths([folder('/a/Photos/'), folder('/b/Music'), file('/c/notes.txt')])
    expect(paths.pathOnVolume(0, 'x/y')).toBe('Photos/x/y')
    expect(paths.pathOnVolume(1, '')).toBe('Music')
    expect(paths.pathOnVolume(2, '')).toBe('notes.txt')
  })

  it('number names that are taken, and leave a name to the root that has it by right', () => {
    expect(tops([folder('/a/x'), folder('/b/x'), folder('/c/X')])).toEqual(['x', 'x (2)', 'X (3)'])
    expect(tops([folder('/a/x'), folder('/b/x'), folder('/c/x (2)')])).toEqual(['x', 'x (3)', 'x (2)'])
    expect(tops([file('/a/n.txt'), file('/b/n.txt'), file('/a/.rc'), file('/b/.rc')])).toEqual([
      'n.txt',
      'n (2).txt',
      '.rc',
      '.rc (2)',
    ])
  })

  it('understand Windows paths and the roots of file systems', () => {
    expect(
      tops([folder('C:\\Users\\me\\Docs\\'), folder('D:\\'), folder('\\\\nas\\share'), folder('/')]),
    ).toEqual(['Docs', 'D', 'share', 'root'])
  })

  it('keep backslashes, newlines and raw bytes in names of other systems', () => {
    const names = ['a\\b', 'new\nline', 'raw\udcff', '-rf', ' ']
    expect(tops(names.map((name) => folder(`/s/${name}`)))).toEqual(names)
  })

  it('refuse a root that does not exist', () => {
    expect(() => volumePaths([folder('/a')]).pathOnVolume(1, 'x')).toThrow(
      expect.objectContaining({ code: 'internal' }),
    )
  })
})

describe("Stowage's own folder", () => {
  it('is STOWAGE unless the source has one', () => {
    expect(ownFolderName(['a', 'stow'])).toBe('STOWAGE')
    expect(ownFolderName(['Stowage'])).toBe('STOWAGE-1')
    expect(ownFolderName(['STOWAGE', 'stowage-1', 'STOWAGE-3'])).toBe('STOWAGE-2')
  })
})
