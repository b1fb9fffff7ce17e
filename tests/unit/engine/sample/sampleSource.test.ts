import { createHash } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeSampleSource } from '../../../../src/engine/sample/sampleSource'
import { sampleTree } from '../../../../src/engine/sample/sampleTree'
import { noNotes } from '../../../support/noNotes'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-sample-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Every name (as bytes), size, time and content under a folder in one digest, with the sum of sizes. */
async function fingerprint(root: string): Promise<{ digest: string; files: number; bytes: number }> {
  const digest = createHash('sha256')
  let files = 0
  let bytes = 0
  const visit = async (path: Buffer): Promise<void> => {
    const names = (await readdir(path, { encoding: 'buffer' })).toSorted((a, b) => Buffer.compare(a, b))
    for (const name of names) {
      const child = Buffer.concat([path, Buffer.from('/'), name])
      const stat = await lstat(child)
      digest.update(name)
      if (stat.isDirectory()) await visit(child)
      else {
        const content = await readFile(child)
        files++
        bytes += content.length
        digest.update(`\0${content.length}\0${Math.floor(stat.mtimeMs / 1000)}\0`).update(content)
      }
    }
  }
  await visit(Buffer.from(root))
  return { digest: digest.digest('hex'), files, bytes }
}

/** The names of the tree that only some platforms can hold. */
function awkward(platform: NodeJS.Platform): string[] {
  return sampleTree(platform)
    .map((item) => item.path.replace(/^.*\//s, ''))
    .filter((name) => /[\n"*?\\]|[\udc80-\udcff]/.test(name))
}

describe('the sample source', () => {
  it('is identical wherever and whenever it is made', { tags: 'long' }, async () => {
    await makeSampleSource(noNotes, join(folder, 'one'))
    await makeSampleSource(noNotes, join(folder, 'deeper', 'two'))
    const one = await fingerprint(join(folder, 'one'))
    expect(await fingerprint(join(folder, 'deeper', 'two'))).toEqual(one)
    expect(one.bytes).toBeGreaterThan(60e6)
    expect(one.bytes).toBeLessThan(100e6)
  })

  it('holds every file of its tree, empty folders and names that are not UTF-8 among them', async () => {
    await makeSampleSource(noNotes, join(folder, 'one'))
    const planned = sampleTree(process.platform)
    expect((await fingerprint(join(folder, 'one'))).files).toBe(
      planned.filter((item) => item.kind === 'file').length,
    )
    expect(await readdir(join(folder, 'one', 'Projects', 'ideas'))).toEqual([])
    const odd = await readdir(Buffer.from(join(folder, 'one', 'Odd names')), { encoding: 'buffer' })
    expect(odd.map((name) => name.toString('latin1'))).toContain('caf\u00e9.txt')
  })

  it('leaves a sample that is already there as it is', async () => {
    const sample = join(folder, 'one')
    await makeSampleSource(noNotes, sample)
    await rm(join(sample, 'Photos'), { recursive: true })
    const before = await fingerprint(sample)
    await makeSampleSource(noNotes, sample)
    expect(await fingerprint(sample)).toEqual(before)
  })

  it('refuses a folder that holds something else, and changes nothing in it', async () => {
    await mkdir(join(folder, 'mine'))
    await writeFile(join(folder, 'mine', 'thesis.txt'), 'years of work')
    await expect(makeSampleSource(noNotes, join(folder, 'mine'))).rejects.toMatchObject({ code: 'exists' })
    expect(await readdir(folder)).toEqual(['mine'])
    expect(await readdir(join(folder, 'mine'))).toEqual(['thesis.txt'])
  })

  it('is made once when several ask at the same time, and leaves no partial folder', {
    tags: 'long',
  }, async () => {
    await Promise.all([1, 2, 3].map(() => makeSampleSource(noNotes, join(folder, 'one'))))
    expect(await readdir(folder)).toEqual(['one'])
  })

  it('reports in one line that a file is in the place of its folder', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(makeSampleSource(noNotes, join(folder, 'file', 'one'))).rejects.toMatchObject({
      code: 'exists',
      message: expect.stringMatching(
        /^cannot make the sample source in .*: it contains other files$/,
      ) as string,
    })
  })

  it('leaves out names that the platform cannot hold', () => {
    expect(awkward('win32')).toEqual([])
    expect(awkward('darwin').some((name) => /[\udc80-\udcff]/.test(name))).toBe(false)
    expect(awkward('linux').length).toBeGreaterThan(awkward('darwin').length)
  })
})
