import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SolidFile } from '../../../../../src/engine/forecast/solid/solidFiles'
import { stretchReader } from '../../../../../src/engine/forecast/solid/solidSamples'
import { temporaryFolder } from '../../../../support/temporaryFolder'

function fileOf(folder: string, name: string, number: number): SolidFile {
  const { size, mtimeNs } = statSync(join(folder, name), { bigint: true })
  const bytes = Number(size)
  return { number, id: number, content: number, path: name, rootLength: 0, rootIndex: 0, bytes, mtimeNs }
}

it('short files are read once, long ones again; what has changed is left out', async () => {
  const folder = await temporaryFolder()
  const [short, long] = [join(folder, 'short'), join(folder, 'long')]
  writeFileSync(short, 'abcdefgh')
  writeFileSync(long, Buffer.alloc(100_000, 7))
  const files = new Map(
    [fileOf(folder, 'short', 1), fileOf(folder, 'long', 2)].map((file) => [file.number, file]),
  )
  const read = stretchReader(files, [folder], () => undefined)
  const stretches = {
    fileNumbers: Uint32Array.of(1, 1, 2),
    offsets: Float64Array.of(1, 5, 10),
    lengths: Float64Array.of(2, 3, 4),
  }
  const first = await read(stretches)
  expect(first.data.toString('latin1')).toBe('bcfgh\u0007\u0007\u0007\u0007')
  expect([...first.lengths]).toEqual([2, 3, 4])
  rmSync(short)
  writeFileSync(long, 'changed')
  const second = await read(stretches)
  expect(second.data.toString('latin1')).toBe('bcfgh')
})
