import type { DriveMedium } from '../../../contract/dto/run'
import { cdrskin } from '../../tools/cdrskin'
import type { ExternalTool } from '../../tools/externalTool'
import { growisofs } from '../../tools/growisofs'
import { xorriso } from '../../tools/xorriso'
import { cdrecordOutput, growisofsOutput, type LineReading } from './burnOutput'

/** One disc to burn, from standard input. */
export interface BurnOrder {
  /** A device, or for libburn's programs `stdio:` and a path. */
  readonly device: string
  readonly medium: DriveMedium
  readonly sectors: number
  /** Multiples of the medium's 1x. */
  readonly speed: number | null
}

/** A program that burns an image from its standard input. */
export interface Burner {
  readonly name: 'xorriso' | 'cdrskin' | 'growisofs'
  readonly tool: ExternalTool
  /** True when it can write this disc. */
  takes(medium: DriveMedium): boolean
  args(order: BurnOrder): string[]
  /** Reads one line of its output. */
  read(line: string): LineReading
}

/**
 * In the order in which they are tried. The images come without padding of the burner's: their own
 * 300 KiB are enough.
 */
export const BURNERS: readonly Burner[] = [
  {
    name: 'xorriso',
    tool: xorriso,
    takes: () => true,
    args: ({ device, medium, speed }) => [
      '-as',
      'cdrecord',
      '-v',
      `dev=${device}`,
      ...(speed === null ? [] : [`speed=${speed}`]),
      // What can be erased may have to be formatted first; a disc that was exchanged meanwhile is never erased.
      ...(medium.rewritable && medium.kind !== 'file' ? ['blank=as_needed'] : []),
      'stream_recording=on',
      'padsize=0',
      '-',
    ],
    read: cdrecordOutput,
  },
  {
    name: 'cdrskin',
    tool: cdrskin,
    takes: () => true,
    args: ({ device, medium, sectors, speed }) => [
      ...(medium.kind === 'file' ? ['--allow_emulated_drives'] : []),
      '-v',
      `dev=${device}`,
      ...(speed === null ? [] : [`speed=${speed}`]),
      ...(medium.rewritable && medium.kind !== 'file' ? ['blank=as_needed'] : []),
      // The size must be known before it begins where a session is written at once.
      'stream_recording=on',
      `tsize=${sectors}s`,
      'padsize=0',
      '-',
    ],
    read: cdrecordOutput,
  },
  {
    name: 'growisofs',
    tool: growisofs,
    // Pointed at a regular file as root it may unmount /proc.
    takes: ({ kind }) => kind.startsWith('dvd') || kind.startsWith('bd'),
    args: ({ device, medium, sectors, speed }) => [
      // The tray stays closed: the disc is read back.
      `-use-the-force-luke=notray${medium.kind === 'bd-r' && sectors > BD_R_WITH_SPARE ? ',spare:none' : ''}`,
      '-dvd-compat',
      ...(speed === null ? [] : [`-speed=${speed}`]),
      '-Z',
      `${device}=/dev/fd/0`,
    ],
    read: growisofsOutput,
  },
]

/** Sectors of a single-layer BD-R that growisofs formats by default. */
const BD_R_WITH_SPARE = 12_088_320
