import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FileSystemIdentity } from '../../domain/sets/copies/fileSystemIdentity'
import { pathFromBytes, pathToBytes } from '../../primitives/pathText'
import { deviceFacts } from '../native/timing'
import { fsPath, lstatAt, realPathAt } from './fileSystem'

/** The file systems of this machine, by what they are. */
export interface FileSystems {
  /** That of an existing path, links followed; null where the system does not tell it. */
  of(path: string): Promise<FileSystemIdentity | null>
  /** Those that are mounted now, as far as the system lists them. */
  mounted(): Promise<readonly FileSystemIdentity[]>
}

/**
 * On Linux by the table of mounts: nothing is asked of the file systems themselves, so that one
 * that does not answer hinders nobody. Elsewhere by the facts of the device, of one path at a time;
 * their disks are not known.
 */
export const fileSystems: FileSystems = {
  async of(path) {
    if (process.platform === 'linux') return mountOf(await realPathOf(path), await linuxMounts())
    try {
      const facts = deviceFacts(path)
      return { id: fileSystemId(facts), disk: null, mountPoint: facts.mountPoint }
    } catch {
      return null
    }
  },
  async mounted() {
    if (process.platform === 'linux') return (await linuxMounts()).map(({ identity }) => identity)
    const places = await likelyMountPoints()
    return (await Promise.all(places.map((place) => fileSystems.of(place)))).filter((one) => one !== null)
  },
}

/** Where Linux names file systems by what is written in them, whatever device they are found on. */
const BY_UUID = '/dev/disk/by-uuid'
/** The same of whole disks, by model and serial number. */
const BY_ID = '/dev/disk/by-id'

/** The facts that name a file system. */
interface MountFacts {
  readonly device: string
  readonly fileSystem: string
  readonly mountPoint: string
  readonly kind?: string
  readonly model?: string | null
  readonly uuid?: string | null
}

/** The file system's own identity where the system tells it; else what names the device here. */
export function fileSystemId({ device, fileSystem, mountPoint, kind, model, uuid }: MountFacts): string {
  if (uuid != null) return `uuid:${uuid}`
  if (kind === 'memory') return `memory:${mountPoint}`
  return [kind, model, fileSystem, device]
    .filter((part) => part != null && part !== '')
    .join(':')
    .slice(0, 400)
}

/** The UUID of the file system on a device; null where the system does not list it. */
export async function uuidOf(device: string): Promise<string | null> {
  return (await namesOfDevices(BY_UUID)).get(basename(device)) ?? null
}

interface LinuxMount {
  readonly mountPoint: string
  readonly identity: FileSystemIdentity
}

/** The mounts of this process, in their order. */
async function linuxMounts(): Promise<LinuxMount[]> {
  const text = pathFromBytes(await readFile('/proc/self/mountinfo'))
  const uuids = await namesOfDevices(BY_UUID)
  const serials = await namesOfDevices(BY_ID)
  const disks = new Map<string, Promise<string | null>>()
  const rows = text.split('\n').flatMap((line) => parsedMount(line) ?? [])
  return Promise.all(
    rows.map(async ({ mountPoint, fileSystem, device, number }) => {
      const isDevice = device.startsWith('/dev/')
      // The root may be on `/dev/root`, which is nowhere; several disks of one file system have no number.
      const name = (await deviceOf(number)) ?? basename(isDevice ? await realPathOf(device) : device)
      const isMemory = fileSystem === 'tmpfs' || fileSystem === 'ramfs'
      const facts = {
        device: isMemory ? number : device,
        fileSystem,
        mountPoint,
        uuid: uuids.get(name) ?? null,
      }
      if (isDevice && !disks.has(name)) disks.set(name, diskOf(name, serials))
      const disk = (await disks.get(name)) ?? null
      return { mountPoint, identity: { id: fileSystemId(facts), disk, mountPoint } }
    }),
  )
}

/** A line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)); null for none. */
function parsedMount(
  line: string,
): { mountPoint: string; fileSystem: string; device: string; number: string } | null {
  const [before = '', after = ''] = line.split(' - ')
  const [, , number = '', , mountPoint = ''] = before.split(' ')
  const [fileSystem = '', device = ''] = after.split(' ')
  if (mountPoint === '' || fileSystem === '') return null
  return { mountPoint: unescaped(mountPoint), fileSystem, device: unescaped(device), number }
}

/** Spaces and the like are octal in it. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  const bytes = Buffer.from(pathToBytes(text)).toString('latin1')
  const plain = bytes.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  )
  return pathFromBytes(Buffer.from(plain, 'latin1'))
}

/** The last mount whose place is a path or above it: it covers those before it. */
function mountOf(path: string, mounts: readonly LinuxMount[]): FileSystemIdentity | null {
  let found: LinuxMount | null = null
  for (const mount of mounts) {
    const { mountPoint } = mount
    const isAbove = mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`)
    if (isAbove && mountPoint.length >= (found?.mountPoint.length ?? 0)) found = mount
  }
  return found?.identity ?? null
}

/**
 * The disk that a block device is a part of, by its serial number where the system lists it, and
 * for a file that is mounted that of the file; null for what lies on several disks or none.
 */
async function diskOf(name: string, serials: ReadonlyMap<string, string>): Promise<string | null> {
  try {
    const folder = await realpath(`/sys/class/block/${name}`)
    const slaves = await readdir(`${folder}/slaves`).catch(() => [])
    if (slaves.length > 1) return null
    if (slaves[0] !== undefined) return await diskOf(slaves[0], serials)
    const file = await readFile(`${folder}/loop/backing_file`, 'utf8').catch(() => null)
    if (file !== null) return await diskOfFile(file.trimEnd(), serials)
    const isPart = await readFile(`${folder}/partition`).then(
      () => true,
      () => false,
    )
    const disk = basename(isPart ? dirname(folder) : folder)
    return `disk:${serials.get(disk) ?? disk}`
  } catch {
    return null
  }
}

/** The disk of a file that is mounted. */
async function diskOfFile(path: string, serials: ReadonlyMap<string, string>): Promise<string | null> {
  const { dev } = await stat(path, { bigint: true })
  // Both numbers lie in it as gnu_dev_makedev(3) puts them.
  const major = ((dev >> 32n) & 0xffff_f000n) | ((dev >> 8n) & 0xfffn)
  const minor = ((dev >> 12n) & 0xffff_ff00n) | (dev & 0xffn)
  const device = await deviceOf(`${major}:${minor}`)
  return device === null ? null : diskOf(device, serials)
}

/** The name of the block device with a number such as `8:1`; null where there is none. */
async function deviceOf(number: string): Promise<string | null> {
  return realpath(`/sys/dev/block/${number}`).then(basename, () => null)
}

/** The links of a folder in `/dev/disk`, by the device that each leads to. */
async function namesOfDevices(folder: string): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  // Containers and other systems have no such folder.
  const listed: string[] = await readdir(folder).catch(() => [])
  for (const name of listed.toSorted((one, other) => (one < other ? -1 : 1))) {
    const device = basename(await readlink(`${folder}/${name}`).catch(() => ''))
    if (!names.has(device)) names.set(device, name)
  }
  return names
}

/** Where macOS and Windows mount disks. */
async function likelyMountPoints(): Promise<string[]> {
  if (process.platform === 'win32')
    return Array.from({ length: 26 }, (_, at) => `${String.fromCharCode(65 + at)}:/`).filter(
      (drive) => realPathAt(drive) !== null,
    )
  const volumes = await readdir('/Volumes').catch(() => [])
  return ['/', ...volumes.map((name) => `/Volumes/${name}`)].filter((place) => lstatAt(place) !== null)
}

async function realPathOf(path: string): Promise<string> {
  const real = await realpath(fsPath(path), { encoding: 'buffer' }).catch(() => null)
  return real === null ? path : pathFromBytes(real)
}
