import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installedNode, modernNode } from '../../../../src/main/engine/modernNode'
import { temporaryFolder } from '../../../support/surveyedFolder'

/** A program that answers as a Node of this version. */
function nodeOf(place: string, napi: number, version: string): string {
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, `#!/bin/sh\necho ${napi} ${version}\n`, { mode: 0o755 })
  return place
}

describe('the Node for the engine', () => {
  it('is the one asked for when the catalog can be opened with it', () => {
    const folder = temporaryFolder()
    expect(modernNode(process.execPath, folder)).toBe(process.execPath)
  })

  it('is the one installed with Stowage when the one asked for is too old', () => {
    const folder = temporaryFolder()
    const old = nodeOf(join(folder, 'old'), 9, '20.20.2')
    const place = join(folder, `app/node_modules/node-${process.platform}-${process.arch}/bin/node`)
    const installed = nodeOf(place, 10, '24.21.0')
    expect(modernNode(old, join(folder, 'app/dist/engine'))).toBe(installed)
  })

  it('is the one installed with Stowage, which is not started to ask for its version', () => {
    const folder = temporaryFolder()
    const place = join(folder, `app/node_modules/node-${process.platform}-${process.arch}/bin/node`)
    const installed = nodeOf(place, 9, '20.19.0')
    expect(modernNode(installed, join(folder, 'app/dist/engine'))).toBe(installed)
  })

  it('is in a package the one next to the unpacked files, and none outside of it', () => {
    const folder = temporaryFolder()
    const packed = nodeOf(join(folder, 'resources/node/bin/node'), 10, '24.21.0')
    expect(installedNode(join(folder, 'resources/app.asar.unpacked/dist/engine'))).toBe(packed)
    expect(installedNode(join(folder, 'resources/other/dist/engine'))).toBeNull()
  })

  it('is missing, with what was found and how to get another, when both are too old', () => {
    const folder = temporaryFolder()
    const old = nodeOf(join(folder, 'old'), 9, '20.20.2')
    const place = join(folder, `app/node_modules/node-${process.platform}-${process.arch}/bin/node`)
    nodeOf(place, 9, '20.19.0')
    expect(() => modernNode(old, join(folder, 'app/dist/engine'))).toThrow(
      `${old} is Node 20.20.2, and the engine needs Node 24. Run npm install, which brings one`,
    )
  })
})
