import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { losslessArguments, pathsOf } from '../../../src/main/commandLine'
import { temporaryFolder } from '../../support/temporaryFolder'

const cwd = '/home/a'

it('takes every argument that is not a switch for a path, relative to the working folder', () => {
  const argv = ['/opt/stowage', '--no-sandbox', 'photos', '/mnt/x', '--inspect=0']
  expect(pathsOf({ argv, isAppArgument: false, cwd })).toEqual(['/home/a/photos', '/mnt/x'])
})

it('leaves out the app that Electron itself was given, at any position', () => {
  const argv = ['electron', '--no-sandbox', '--inspect=0', '.', 'photos']
  expect(pathsOf({ argv, isAppArgument: true, cwd })).toEqual(['/home/a/photos'])
})

it('takes everything after a double dash as it is', () => {
  const argv = ['electron', '.', 'a', '--', '-dash', '--', '']
  expect(pathsOf({ argv, isAppArgument: true, cwd })).toEqual(['/home/a/a', '/home/a/-dash', '/home/a/--'])
})

it('reads names that are no UTF-8 from the bytes the system keeps', async () => {
  const file = path.join(await temporaryFolder(), 'cmdline')
  await writeFile(file, Buffer.from('electron\0.\0a\xff\0', 'latin1'))
  expect(losslessArguments(['electron', '.', 'a\ufffd'], file)).toEqual(['electron', '.', 'a\udcff'])
})

it('keeps the arguments of Node where those of the system differ or are missing', async () => {
  const file = path.join(await temporaryFolder(), 'cmdline')
  await writeFile(file, 'a retitled process')
  expect(losslessArguments(['electron', '.'], file)).toEqual(['electron', '.'])
  expect(losslessArguments(['electron', '.'], `${file}.missing`)).toEqual(['electron', '.'])
})
