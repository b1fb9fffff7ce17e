/** The parts of a 64-bit Mach-O file that say where it can be loaded, after Apple's <mach-o/loader.h>. */
export interface MachO {
  readonly architecture: 'arm64' | 'x86_64' | 'unknown'
  /** Such as `13.0`; of macOS. */
  readonly oldestSystem: string | null
  /** What the load commands name. */
  readonly libraries: readonly string[]
  readonly exported: readonly string[]
}

const MAGIC = 0xfeedfacf
const ARCHITECTURES: Record<number, MachO['architecture']> = { 0x0100000c: 'arm64', 0x01000007: 'x86_64' }
const COMMAND = { symbols: 0x2, library: 0xc, weakLibrary: 0x80000018, buildVersion: 0x32 }
const MACOS = 1
/** Of a symbol's type: external, private, and where it is defined. */
const [EXTERNAL, PRIVATE, KIND, DEFINED] = [0x01, 0x10, 0x0e, 0x0e]

/** @throws Error if it is none */
export function readMachO(file: Buffer): MachO {
  if (file.readUInt32LE(0) !== MAGIC) throw new Error('not a 64-bit Mach-O file')
  const libraries: string[] = []
  const exported: string[] = []
  let oldestSystem: string | null = null
  let at = 32
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const command = file.readUInt32LE(at)
    if (command === COMMAND.library || command === COMMAND.weakLibrary)
      libraries.push(textAt(file, at + file.readUInt32LE(at + 8)))
    if (command === COMMAND.buildVersion && file.readUInt32LE(at + 8) === MACOS) {
      const version = file.readUInt32LE(at + 12)
      oldestSystem = `${version >>> 16}.${(version >>> 8) & 0xff}`
    }
    if (command === COMMAND.symbols) exported.push(...exportedSymbols(file, at))
    at += file.readUInt32LE(at + 4)
  }
  return { architecture: ARCHITECTURES[file.readUInt32LE(4)] ?? 'unknown', oldestSystem, libraries, exported }
}

function* exportedSymbols(file: Buffer, command: number): Generator<string> {
  const [symbols, count, texts] = [8, 12, 16].map((field) => file.readUInt32LE(command + field)) as [
    number,
    number,
    number,
  ]
  for (let at = symbols; at < symbols + count * 16; at += 16) {
    const type = file[at + 4] ?? 0
    if ((type & EXTERNAL) !== 0 && (type & PRIVATE) === 0 && (type & KIND) === DEFINED)
      yield textAt(file, texts + file.readUInt32LE(at))
  }
}

function textAt(file: Buffer, at: number): string {
  return file.toString('utf8', at, file.indexOf(0, at))
}
