import { said } from '../../../primitives/said'
import { SYSTEMS } from '../optionsDocument'
import type { Reader, ReadingTask, Risk, System } from './variant'

export const EVERYWHERE: readonly System[] = SYSTEMS

function reader(
  task: ReadingTask,
  tool: string,
  systems: readonly System[],
  since: string | null,
  own: boolean,
  source: string,
): Reader {
  return { task, tool, systems, since, own, source }
}

/** A reader of a container that can be encrypted, which this program does not decrypt. */
function plainReader(...facts: Parameters<typeof reader>): Reader {
  return { ...reader(...facts), plainOnly: true }
}

/** A reader of a repository that only the program that makes it reads. */
function onlyReader(...facts: Parameters<typeof reader>): Reader {
  return { ...reader(...facts), onlyOne: true }
}

export const FOLDER_READERS: readonly Reader[] = [
  reader('open', said`the file manager`, EVERYWHERE, null, true, 'files in folders need nothing else'),
]

export const ISO_READERS: readonly Reader[] = [
  reader(
    'mount',
    said`the system`,
    EVERYWHERE,
    'Windows 8, OS X 10.0, Linux 2.4',
    true,
    'ECMA-119, IEEE P1282 and UDF 1.02; Windows mounts images since version 8 (Microsoft, mount-diskimage)',
  ),
]

export const APPLE_READERS: readonly Reader[] = [
  reader('mount', said`the system`, ['macos'], null, true, 'hdiutil(1)'),
]

/** UDZO on systems other than macOS: read back by the programs named. */
export const UDZO_READERS: readonly Reader[] = [
  reader('mount', said`the system`, ['macos'], 'Mac OS X 10.4', true, 'hdiutil(1)'),
  plainReader(
    'unpack',
    '7-Zip',
    ['linux', 'windows'],
    '9.20',
    false,
    'the 7-Zip format list (DMG, HFS); APFS inside since 19.00',
  ),
]

export const RAW_IMAGE_READERS: readonly Reader[] = [
  reader('mount', said`the system`, ['macos'], null, true, 'hdiutil(1)'),
  plainReader('unpack', '7-Zip', ['linux', 'windows'], '9.20', false, 'the 7-Zip format list (HFS, APFS)'),
]

export const SEVEN_ZIP_READERS: readonly Reader[] = [
  reader('unpack', '7-Zip', EVERYWHERE, '9.04', false, '7-Zip history: LZMA2 since version 9.04'),
  plainReader(
    'unpack',
    said`the system`,
    ['windows'],
    'Windows 11 23H2',
    true,
    'Microsoft, Windows 11 release notes of October 2023: libarchive reads 7z',
  ),
  plainReader(
    'unpack',
    'bsdtar of libarchive',
    ['macos'],
    null,
    true,
    'libarchive reads 7z since 3.0, and tar of macOS is bsdtar',
  ),
]

export const ZIP_READERS: readonly Reader[] = [
  reader(
    'unpack',
    said`the system`,
    ['macos', 'windows'],
    'Windows 98, Mac OS X 10.3',
    true,
    'APPNOTE 6.3 of PKWARE; both file managers open zips',
  ),
  reader('unpack', 'unzip', ['linux'], '6.0', false, 'Info-ZIP; zips of more than 4 GiB since 6.0'),
]

export const GZIP_READERS: readonly Reader[] = [
  reader('unpack', 'gzip', ['linux', 'macos'], null, true, 'RFC 1952; part of both systems'),
  reader('unpack', '7-Zip', ['windows'], null, false, 'the 7-Zip format list (GZIP)'),
]

export const ZSTD_READERS: readonly Reader[] = [
  reader('unpack', 'zstd', EVERYWHERE, '1.0', false, 'RFC 8878; stable since zstd 0.8'),
]

export const TAR_ZSTD_READERS: readonly Reader[] = [
  reader(
    'unpack',
    'tar with zstd',
    EVERYWHERE,
    'zstd 1.3.2 with --long',
    false,
    'zstd(1): windows over 128 MiB need --long or --memory to unpack',
  ),
]

export const LZ4_READERS: readonly Reader[] = [
  reader('unpack', 'lz4', EVERYWHERE, '1.4', false, 'LZ4 frame format 1.5 and later'),
]

export const SQUASHFS_READERS: readonly Reader[] = [
  reader(
    'mount',
    said`the system`,
    ['linux'],
    'Linux 2.6.29',
    true,
    'Documentation/filesystems/squashfs.rst',
  ),
  reader('unpack', '7-Zip', ['macos', 'windows'], '9.34', false, 'the 7-Zip format list (SquashFS)'),
]

/** zstd came into the kernel's squashfs later than zlib. */
export const SQUASHFS_ZSTD_READERS: readonly Reader[] = [
  reader('mount', said`the system`, ['linux'], 'Linux 4.14', true, 'commit 87bf54bb43dd of Linux 4.14'),
  reader(
    'unpack',
    '7-Zip',
    ['macos', 'windows'],
    '24.01',
    false,
    '7-Zip history: SquashFS with zstd since 24.01',
  ),
]

/** 7-Zip opens no SquashFS with LZ4. */
export const SQUASHFS_LZ4_READERS: readonly Reader[] = [
  reader('mount', said`the system`, ['linux'], 'Linux 3.19', true, 'Documentation/filesystems/squashfs.rst'),
  reader('unpack', 'squashfs-tools', ['macos'], '4.3', false, 'release notes of squashfs-tools 4.3'),
]

export const ZFS_READERS: readonly Reader[] = [
  reader(
    'mount',
    'OpenZFS',
    ['linux', 'macos'],
    '0.6.5',
    false,
    'OpenZFS documentation; for Windows there are only candidates of a release',
  ),
]

export const BORG_READERS: readonly Reader[] = [
  onlyReader(
    'unpack',
    'BorgBackup',
    ['linux', 'macos'],
    '1.1.4',
    false,
    'BorgBackup documentation, installation; zstd since 1.1.4',
  ),
  onlyReader(
    'mount',
    'borg mount (FUSE)',
    ['linux', 'macos'],
    '1.1.4',
    false,
    'BorgBackup documentation, borg mount',
  ),
]

export const BORG_2_READERS: readonly Reader[] = [
  onlyReader(
    'unpack',
    'BorgBackup',
    ['linux', 'macos'],
    '2.0',
    false,
    'BorgBackup 2 documentation: still in beta test',
  ),
]

export const RESTIC_READERS: readonly Reader[] = [
  onlyReader(
    'unpack',
    'restic',
    EVERYWHERE,
    '0.14',
    false,
    'restic documentation: repository version 2 since 0.14',
  ),
  onlyReader(
    'mount',
    'restic mount (FUSE)',
    ['linux', 'macos'],
    '0.14',
    false,
    'restic documentation, restic mount',
  ),
]

export const KOPIA_READERS: readonly Reader[] = [
  onlyReader('unpack', 'Kopia', EVERYWHERE, '0.8', false, 'Kopia documentation, installation'),
]

/** Block stores that prove a count of blocks. */
export const PROOF_READERS: readonly Reader[] = [
  onlyReader('unpack', 'Stowage', EVERYWHERE, null, false, 'its own store, to test the count'),
]

/** The risks of an option, by permanent codes. */
export const RISKS = {
  solid: {
    code: 'solid-single-point',
    text: said`One damaged byte makes the rest of the archive unreadable, and reading one file means unpacking everything before it.`,
  },
  permanentMemory: {
    code: 'permanent-memory',
    text: said`The deduplication table must stay in memory while data is written.`,
  },
  oldFormat: {
    code: 'format-of-the-past',
    text: said`Apple calls it a legacy format.`,
  },
  youngFormat: {
    code: 'young-format',
    text: said`Readable only by recent systems and programs.`,
  },
  appleOnly: {
    code: 'apple-only',
    text: said`Only Apple systems read it, and there is no public description.`,
  },
  ownRepository: {
    code: 'own-repository',
    text: said`Readable only by the program that made it: keep a copy of the program with the data.`,
  },
  noWindows: {
    code: 'no-windows-reader',
    text: said`Windows cannot read it, and no Windows program does.`,
  },
  manyFiles: {
    code: 'many-small-files',
    text: said`Every file stays a separate file: copying and checking many small files is slow.`,
  },
  indexLoss: {
    code: 'index-single-point',
    text: said`Blocks are shared: a damaged block damages every file that uses it.`,
  },
  proof: {
    code: 'proof-only',
    text: said`A store for testing block deduplication, not an archive format: only Stowage reads it.`,
  },
} as const satisfies Record<string, Risk>
