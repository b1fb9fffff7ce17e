import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rejoinScript } from '../../../../../src/engine/sets/export/rejoinScript'
import type { PartEntry } from '../../../../../src/engine/sets/plannedVolume'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

let folder: string
let target: string
let volumes: string[]
let placed: { label: string; entries: PartEntry[] }[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-rejoin-'))
  target = join(folder, 'joined')
  volumes = [1, 2].map((index) => join(folder, `volume ${index}`))
  for (const volume of volumes) mkdirSync(volume)
  placed = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Splits content between the two volumes, and notes both parts. */
function split(wholePath: string, partStem = wholePath): Buffer {
  const content = Buffer.alloc(3000)
  seededRandom(placed.length + 1).fillBytes(content)
  for (const [at, part] of [content.subarray(0, 2000), content.subarray(2000)].entries()) {
    const path = `${partStem}.00${at + 1}`
    mkdirSync(join(volumes[at] as string, path, '..'), { recursive: true })
    writeFileSync(join(volumes[at] as string, path), part)
    placed.push({
      label: `DISC_0${at + 1}`,
      entries: [
        {
          kind: 'part',
          path,
          source: '/none',
          bytes: part.length,
          sha256: sha256(part),
          offset: at * 2000,
          part: at + 1,
          parts: 2,
          wholePath,
          wholeBytes: content.length,
          wholeSha256: sha256(content),
        },
      ],
    })
  }
  return content
}

function rejoin(shell: string, from: readonly string[] = volumes): { status: number | null; errors: string } {
  const script = join(folder, 'REJOIN.sh')
  writeFileSync(script, rejoinScript(placed) ?? '')
  const { status, stderr, error } = spawnSync(shell, [script, target, ...from], { encoding: 'utf8' })
  if (error) throw error
  return { status, errors: stderr }
}

describe.each(['sh', 'bash'])('the rejoin script, run by %s', (shell) => {
  test('joins parts that it is given in any order', () => {
    const content = split('large')
    placed.reverse()
    expect(rejoin(shell)).toEqual({ status: 0, errors: '' })
    expect(readFileSync(join(target, 'large')).equals(content)).toBe(true)
    expect(readdirSync(target)).toEqual(['large'])
  })

  test('joins names of up to 255 bytes, in one call or in several', () => {
    const names = [246, 247, 248, 254, 255].map((length) => 'n'.repeat(length))
    const contents = names.map((name, at) => split(`deep/${name}`, `deep/p${at}`))
    expect(rejoin(shell, volumes.slice(0, 1)).status).toBe(3)
    expect(rejoin(shell, volumes.slice(1))).toEqual({ status: 0, errors: '' })
    expect(readdirSync(join(target, 'deep'))).toEqual(names)
    for (const [at, name] of names.entries())
      expect(readFileSync(join(target, 'deep', name)).equals(contents[at] as Buffer)).toBe(true)
  })

  test('joins the other files when one cannot be written', () => {
    split('a/blocked')
    const content = split('z')
    mkdirSync(target)
    writeFileSync(join(target, 'a'), 'a file where a folder must be')
    const { status, errors } = rejoin(shell)
    expect(status).toBe(1)
    expect(errors).toContain('cannot write')
    expect(readFileSync(join(target, 'z')).equals(content)).toBe(true)
  })

  test('shows a wrong checksum, and keeps what it joined under another name', () => {
    split('damaged')
    const content = split('good')
    const part = join(volumes[1] as string, 'damaged.002')
    const bytes = readFileSync(part)
    bytes[500] = (bytes[500] as number) ^ 1
    writeFileSync(part, bytes)
    const { status, errors } = rejoin(shell)
    expect(status).toBe(6)
    expect(errors).toContain('the checksum differs')
    expect(existsSync(join(target, 'damaged'))).toBe(false)
    expect(readFileSync(join(target, 'damaged.joining'))).toHaveLength(3000)
    expect(readFileSync(join(target, 'good')).equals(content)).toBe(true)
  })

  test('does not take a part of another length', () => {
    split('short')
    writeFileSync(join(volumes[1] as string, 'short.002'), Buffer.alloc(999))
    const { status, errors } = rejoin(shell)
    expect(status).toBe(3)
    expect(errors).toContain('the next part is on volume DISC_02')
    expect(existsSync(join(target, 'short'))).toBe(false)
    expect(readFileSync(join(target, 'short.joining'))).toHaveLength(2000)
  })

  test('keeps only whole parts when a part cannot be read, and goes on later', () => {
    const content = split('unreadable')
    // A program of this name stands for a disc with an unreadable sector: half of the second part, then an error.
    const cat = join(folder, 'bin', 'cat')
    mkdirSync(join(cat, '..'))
    writeFileSync(
      cat,
      '#!/bin/sh\ncase $1 in *.002) head -c 500 "$1"; exit 1 ;; *) exec /bin/cat "$1" ;; esac\n',
    )
    chmodSync(cat, 0o755)
    const path = process.env['PATH']
    process.env['PATH'] = `${join(cat, '..')}:${path}`
    try {
      const { status, errors } = rejoin(shell)
      expect(status).toBe(1)
      expect(errors).toContain('unreadable.002')
      expect(readFileSync(join(target, 'unreadable.joining'))).toHaveLength(2000)
    } finally {
      process.env['PATH'] = path
    }
    expect(rejoin(shell)).toEqual({ status: 0, errors: '' })
    expect(readFileSync(join(target, 'unreadable')).equals(content)).toBe(true)
  })

  test('exits with the worst of several failures', () => {
    split('a-damaged')
    split('b-missing')
    writeFileSync(join(volumes[0] as string, 'a-damaged.001'), Buffer.alloc(2000))
    writeFileSync(join(volumes[1] as string, 'b-missing.002'), '')
    expect(rejoin(shell).status).toBe(6)
  })
})
