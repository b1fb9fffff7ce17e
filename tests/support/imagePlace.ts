import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type ImageDocument, imageDocumentSchema } from '../../src/contract/dto/image'
import { commandInProcess } from '../fixtures/commandInProcess'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { noiseOf } from './containers/referenceWriter'

export const MEBI = 1024 * 1024
export const DISK_BYTES = 6 * MEBI

/** Where a file's tests work on images: a folder fresh for each, and a disk with a real file system. */
export interface ImagePlace {
  readonly folder: string
  readonly home: string
  /** The bytes of an ext4 file system with content. */
  readonly ext4: Buffer
  inFolder(name: string): string
  /** Puts that disk into the folder; gives its path. */
  diskFile(): string
  passwordFile(password: string, name?: string): string
  /** Starts `stowage image …`; the other two run it in this process. */
  image(args: readonly string[], options?: Partial<Parameters<typeof stowage>[1]>): Promise<CommandEnd>
  /** Runs `stowage image … --json`, expects it to end well, and gives the document it printed. */
  done(...args: string[]): Promise<ImageDocument>
  /** Expects one line on stderr, nothing on stdout and this exit code. */
  refused(code: number, line: RegExp, ...args: string[]): Promise<void>
}

export function imagePlace(): ImagePlace {
  let all = ''
  let folder = ''
  let ext4 = Buffer.alloc(0)
  let made = 0
  beforeAll(() => {
    all = mkdtempSync(join(tmpdir(), 'stowage-image-'))
    const tree = join(all, 'tree')
    mkdirSync(tree)
    writeFileSync(join(tree, 'noise'), noiseOf('a file', 2 * MEBI))
    const disk = join(all, 'disk.img')
    writeFileSync(disk, '')
    truncateSync(disk, DISK_BYTES)
    execFileSync('mkfs.ext4', ['-q', '-d', tree, disk])
    ext4 = readFileSync(disk)
  })
  afterAll(() => rmSync(all, { recursive: true, force: true }))
  beforeEach(() => {
    made += 1
    folder = join(all, String(made))
    mkdirSync(folder)
  })
  const written = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const place: ImagePlace = {
    get folder() {
      return folder
    },
    get home() {
      return join(all, 'home')
    },
    get ext4() {
      return ext4
    },
    inFolder: (name) => join(folder, name),
    diskFile: () => written('disk.img', ext4),
    passwordFile: (password, name = 'password') => written(name, `${password}\n`),
    image: (args, options = {}) => stowage(['image', ...args], { home: place.home, ...options }),
    async done(...args) {
      const end = await commandInProcess(['image', ...args, '--json'], place)
      expect(end.code, end.stderr).toBe(0)
      expect(end.stdout.trimEnd().split('\n')).toHaveLength(1)
      return imageDocumentSchema.parse(JSON.parse(end.stdout))
    },
    async refused(code, line, ...args) {
      const end = await commandInProcess(['image', ...args], place)
      expect(end.stderr).toMatch(line)
      expect([end.code, end.stdout, end.stderr.trimEnd().split('\n').length]).toEqual([code, '', 1])
    },
  }
  return place
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
