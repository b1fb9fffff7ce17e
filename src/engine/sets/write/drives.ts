import { readFile, realpath, stat } from 'node:fs/promises'
import type { Drive } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { cannot, fileFailure, fsPath } from '../../files/fileSystem'
import { requireTool } from '../../tools/externalTool'
import { findProgram } from '../../tools/findProgram'
import { parseMediainfo, parseXorrisoToc } from '../../tools/opticalMedium'
import { runTool } from '../../tools/runTool'
import { xorriso } from '../../tools/xorriso'
import { driveMedium, driveName, listedDevices } from './driveReport'
import { windowsDrives } from './windowsDrives'

/**
 * A drive that spins up a disc answers within half a minute; one that does not answer at all must
 * not hold up the others.
 */
const ASKING_MS = 60_000

/**
 * The optical drives of this machine, each with what is in it. Nothing is written.
 * @throws AppError `tool-missing` without a program that asks drives; Windows needs none
 */
export async function findDrives(signal?: AbortSignal): Promise<Drive[]> {
  if (process.platform === 'win32') return windowsDrives()
  const tool = await xorriso.find(signal)
  if (!tool) await requireMediaInfo()
  const listed = tool ? listedDevices(await reportOf(tool.path, ['-no_rc', '-device_links'], signal)) : []
  const known = new Set(await Promise.all(listed.map(resolved)))
  // xorriso leaves out those that this user may not use.
  const others = (await linuxDrives()).filter((device) => !known.has(device))
  return Promise.all([...listed, ...others].map((device) => readDrive(device, signal)))
}

/**
 * Reads the facts of a drive and of the disc in it: by xorriso, or by dvd+rw-mediainfo where that
 * is missing.
 * @throws AppError `tool-missing` without either, `cancelled`
 */
export async function readDrive(device: string, signal?: AbortSignal): Promise<Drive> {
  const none = { device, vendor: null, model: null, medium: null }
  const tool = await xorriso.find(signal)
  const mediaInfo = tool ? null : await requireMediaInfo()
  try {
    const facts = await stat(fsPath(device))
    // Anything else could be a disk with somebody's data.
    if (!facts.isBlockDevice() && !facts.isCharacterDevice())
      return { ...none, problem: said`it is not a device` }
    const report = tool
      ? await reportOf(tool.path, ['-no_rc', '-outdev', device, '-toc', '-list_speeds'], signal)
      : await reportOf(mediaInfo as string, [device], signal)
    const name = driveName(report)
    const medium = driveMedium(tool ? parseXorrisoToc(report) : parseMediainfo(report))
    if (name.vendor === null && medium === null) return { ...none, problem: problemIn(report.split('\n')) }
    return { device, ...name, medium, problem: null }
  } catch (thrown) {
    const failure = fileFailure(thrown, 'use', device)
    if (failure.code === 'cancelled') throw failure
    return { ...none, problem: failure.message.replace(/^cannot use .*?: /, '') }
  }
}

/** @throws AppError `tool-missing` naming xorriso, which does more */
async function requireMediaInfo(): Promise<string> {
  return (await findProgram('dvd+rw-mediainfo')) ?? (await requireTool(xorriso)).path
}

/**
 * A file that stands in for a drive (libburn's stdio pseudo-drive): blank while it is not there or
 * empty.
 * @throws AppError `refused` for what is no regular file
 */
export async function readDiscFile(path: string): Promise<Drive> {
  const drive = { device: path, vendor: null, model: null, problem: null }
  const medium = { kind: 'file' as const, name: 'file', rewritable: true, capacitySectors: null, speeds: [] }
  try {
    const facts = await stat(fsPath(path))
    if (!facts.isFile()) {
      throw cannot('refused', 'write to', path, said`a file used as a disc must be a regular file`)
    }
    const usedSectors = Math.ceil(facts.size / 2048)
    return { ...drive, medium: { ...medium, blank: facts.size === 0, usedSectors } }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw fileFailure(thrown, 'write to', path)
    return { ...drive, medium: { ...medium, blank: true, usedSectors: 0 } }
  }
}

async function reportOf(program: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const limit = AbortSignal.timeout(ASKING_MS)
  try {
    const both = signal ? AbortSignal.any([signal, limit]) : limit
    const { output, errorLines } = await runTool(program, args, { signal: both })
    return [output, ...errorLines].join('\n')
  } catch (thrown) {
    if (!limit.aborted || signal?.aborted) throw thrown
    throw new AppError('tool-failed', said`it gave no answer within ${ASKING_MS / 1000} s`)
  }
}

const PROBLEM = /^(?:\w+ : (?:SORRY|FAILURE|FATAL) : |:-\( )/

/** The problem that a program reports with a drive, without its severity. */
function problemIn(lines: readonly string[]): string {
  const found = lines.find((line) => PROBLEM.test(line))
  if (found?.includes('not MMC')) return 'it is not an optical drive'
  return found?.replace(PROBLEM, '').slice(0, 200) ?? 'it is not an optical drive'
}

/** The drives that Linux lists, whether or not this user may use them. */
async function linuxDrives(): Promise<string[]> {
  const info = await readFile('/proc/sys/dev/cdrom/info', 'utf8').catch(() => '')
  const names = /^drive name:\s*(.*)$/m.exec(info)?.[1] ?? ''
  return names.split(/\s+/).flatMap((name) => (name === '' ? [] : [`/dev/${name}`]))
}

function resolved(device: string): Promise<string> {
  return realpath(device).catch(() => device)
}
