import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builderOf } from '../../../src/engine/builders/registry'
import { requireTool } from '../../../src/engine/tools/externalTool'
import { sevenZip } from '../../../src/engine/tools/sevenZip'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf, requestFor } from '../../support/buildSource'

let folder: string
let source: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-seven-zip-'))
  source = join(folder, 'source')
  mkdirSync(source)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function unpacked(archive: string, name: string): Promise<string> {
  const to = join(folder, name)
  const { path } = await requireTool(sevenZip)
  execFileSync(path, ['x', `-o${to}`, archive], { stdio: 'pipe' })
  return to
}

const build = (variant: string, roots = [source]) => {
  const request = requestFor(roots, folder, variant)
  return builderOf(variant)
    ?.build(request)
    .then((built) => ({ built, path: request.path }))
}

describe('whole archives', () => {
  it.each(['7z-files', '7z-solid-1m-path', '7z-solid-1m-type', '7z-t7z'])(
    '%s hold every file and empty folder, whatever its name, and are the same again',
    async (variant) => {
      makeHostileTree(source, { seed: 3 })
      const one = await build(variant)
      expect(one?.built).toMatchObject({
        tool: '7-Zip',
        repeatable: true,
        notes: ['7 symbolic links are left out'],
      })
      expect(one?.built.bytes).toBe(statSync(one?.path as string).size)
      const wanted = { folders: false, links: false }
      expect(contentOf(await unpacked(one?.path as string, 'out'), wanted)).toEqual(contentOf(source, wanted))
      const again = await build(variant)
      expect(readFileSync(again?.path as string).equals(readFileSync(one?.path as string))).toBe(true)
    },
  )
})
