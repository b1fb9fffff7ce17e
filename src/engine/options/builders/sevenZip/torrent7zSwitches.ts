import {
  torrent7zBlockFiles,
  torrent7zDictionary,
  torrent7zSourceOf,
} from '../../../../domain/forecast/torrent7z'

const MIB = 1024 * 1024

/**
 * The method, dictionary rule and blocks of torrent7z, for an archive of files with these bytes. It
 * was built on 7-Zip 4.65, which sorted by type without being asked.
 */
export function torrent7zSwitches(fileBytes: readonly number[]): string[] {
  const dictionary = torrent7zDictionary(torrent7zSourceOf(fileBytes)) / MIB
  const method = `-m0=LZMA:a1:d${dictionary}m:mf=BT4:fb128:mc80:lc4:lp0:pb2`
  const solid = `-ms=${torrent7zBlockFiles(fileBytes.length)}f4g`
  return ['-mx=9', '-mf=on', '-mhc=on', '-mhe=off', method, solid, '-mqs=on']
}
