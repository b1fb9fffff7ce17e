import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SpeedCurve } from '../../../../src/domain/media/speedCurve.ts'

/** `stowage pipe` widens the pipes on both of its sides to a mebibyte each: they are part of the buffer. */
const PIPES_BYTES = 2 * 1024 * 1024
const LEAST_RING_BYTES = 64 * 1024
const LARGEST_PIPE_BYTES = 1024 * 1024
const STOWAGE = `'${process.execPath}' '${resolve(import.meta.dirname, '../../../../dist/cli/stowage.cjs')}'`

/** What one write did. */
export interface DriveRun {
  /** From the start of the program that reads the source to the end of the last block. */
  readonly seconds: number
  readonly bytes: number
  readonly waited: number
  readonly stalls: number
}

/**
 * The programs of a bench in a folder of its own. Those that sleep and wake run in the first real-time class where that is allowed, so
 * that other work on the machine does not slow the disk and the drive that they stand for; they take a few per cent of one core.
 */
export class Workbench {
  readonly realTime: string
  readonly mount: string
  private isMounted = false
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    this.mount = join(folder, 'mounted')
    mkdirSync(this.mount, { recursive: true })
    this.realTime = spawnSync('chrt', ['-f', '1', 'true']).status === 0 ? 'chrt -f 1 ' : ''
    const here = import.meta.dirname
    const flags = spawnSync('pkg-config', ['--cflags', '--libs', 'fuse3'], { encoding: 'utf8' })
    if (flags.status !== 0) throw new Error('libfuse3 is missing: apt install libfuse3-dev fuse3')
    const compiled = ['-O2', '-Wall', '-Wextra', '-o']
    const libraries = [...flags.stdout.trim().split(/\s+/), '-lpthread']
    execFileSync('cc', [...compiled, join(folder, 'slowDisk'), join(here, 'slowDisk.c'), ...libraries])
    execFileSync('cc', [...compiled, join(folder, 'pacedDrive'), join(here, 'pacedDrive.c')])
  }

  /** Shows a folder as on a slow disk, in place of the one before. */
  slow(source: string, openMicroseconds: number, bytesPerSecond: number): void {
    this.unmount()
    const words = `'${this.folder}/slowDisk' '${source}' ${openMicroseconds} ${bytesPerSecond} '${this.mount}'`
    execFileSync('bash', ['-c', this.realTime + words])
    this.isMounted = true
  }

  unmount(): void {
    // Lazily, or a program that still reads would keep it.
    if (this.isMounted) execFileSync('fusermount3', ['-u', '-z', this.mount])
    this.isMounted = false
  }

  dispose(): void {
    this.unmount()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Lets this process and all its threads have the class too, or gives it back. */
  raise(isRaised: boolean): void {
    if (this.realTime !== '')
      execFileSync('chrt', ['-a', isRaised ? '-f' : '-o', '-p', isRaised ? '1' : '0', String(process.pid)])
  }

  /**
   * Bytes of the image of what is mounted, and the seconds that mkisofs takes until it begins to write: the second time, when the system
   * knows the files' facts, as it does in the runs.
   */
  imageOf(): { bytes: number; startSeconds: number } {
    const line = `for twice in 1 2; do date +%s.%N; ${this.mkisofs('-print-size')} 2> /dev/null; date +%s.%N; done`
    const words = execFileSync('bash', ['-c', `${this.realTime}bash -c "${line}"`], { encoding: 'utf8' })
    const [began, sectors, ended] = words.trim().split('\n').slice(3).map(Number) as [number, number, number]
    return { bytes: sectors * 2048, startSeconds: ended - began }
  }

  /** Reading alone: the image goes through a pipe that is never full. */
  async sourceAlone(): Promise<number> {
    const { began, ended } = await this.timed(`| ${this.realTime}cat > /dev/null; date +%s.%N`)
    return Number(ended) - began
  }

  /** Through a buffer of so many bytes, the system's pipes included, into a drive. */
  async write(bufferBytes: number, curve: SpeedCurve): Promise<DriveRun> {
    const paces = curve.map(({ fromByte, bytesPerSecond }) => `${fromByte}:${bytesPerSecond}`).join(' ')
    const ring = bufferBytes - PIPES_BYTES
    const isPiped = bufferBytes <= LARGEST_PIPE_BYTES
    const pipe = isPiped
      ? ''
      : `${this.realTime}${STOWAGE} pipe --quiet --buffer ${Math.max(LEAST_RING_BYTES, ring)} | `
    const drive = `${this.realTime}'${this.folder}/pacedDrive' ${isPiped ? bufferBytes : 0} ${paces}`
    const { began, ended } = await this.timed(`| ${pipe}${drive}`)
    const [end, bytes, waited, stalls] = ended.trim().split(' ').map(Number) as [
      number,
      number,
      number,
      number,
    ]
    return { seconds: end - began, bytes, waited, stalls }
  }

  private mkisofs(option = ''): string {
    return `${this.realTime}genisoimage -quiet -R -no-pad ${option} '${this.mount}'`
  }

  /** Runs mkisofs and what follows it in a line of shell; it begins once the others have started: two seconds later. */
  private timed(rest: string): Promise<{ began: number; ended: string }> {
    const clock = join(this.folder, 'began')
    const line = `set -o pipefail; (sleep 2; date +%s.%N > '${clock}'; exec ${this.mkisofs()}) ${rest}`
    return new Promise((done, fail) => {
      const child = spawn('bash', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] })
      let ended = ''
      child.stdout.on('data', (text: Buffer) => {
        ended += text.toString()
      })
      child.on('error', fail)
      child.on('close', (code) => {
        if (code === 0) done({ began: Number(readFileSync(clock, 'utf8')), ended })
        else fail(new Error(`a pipeline ended with ${code}: ${line}`))
      })
    })
  }
}

/** The nearest buffer that can be set: a pipe of the system, or a ring with two wide ones. */
export function settable(bufferBytes: number): number {
  const least = PIPES_BYTES + LEAST_RING_BYTES
  if (bufferBytes >= least) return Math.round(bufferBytes)
  if (bufferBytes > (LARGEST_PIPE_BYTES + least) / 2) return least
  const pages = 2 ** Math.round(Math.log2(Math.max(4096, bufferBytes)))
  return Math.min(LARGEST_PIPE_BYTES, pages)
}
