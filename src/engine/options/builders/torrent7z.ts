import {
  torrent7zBlockFiles,
  torrent7zDictionary,
  torrent7zSourceOf,
} from '../../../domain/forecast/torrent7z'
import { sevenZip } from '../../tools/sevenZip'
import type { OptionBuilder } from './optionBuilder'
import { packWhole } from './sevenZipWhole'
import { unknownVariant } from './sizeNames'

const MIB = 1024 * 1024

/**
 * torrent7z's archive as today's 7-Zip makes it: its method, dictionary rule and blocks. It was built on 7-Zip 4.65, which sorted by
 * type without being asked. Its bytes come from that very encoder and are not had again, so its mark at the end is left out.
 */
export const torrent7z: OptionBuilder = {
  family: 'torrent7z',
  tool: sevenZip,
  refuses: (variant) => (variant === '7z-t7z' ? null : unknownVariant(variant)),
  build(request) {
    const dictionary = torrent7zDictionary(torrent7zSourceOf(request.files.map(({ bytes }) => bytes))) / MIB
    const method = `-m0=LZMA:a1:d${dictionary}m:mf=BT4:fb128:mc80:lc4:lp0:pb2`
    const solid = `-ms=${torrent7zBlockFiles(request.files.length)}f4g`
    return packWhole(request, ['-mx=9', '-mf=on', '-mhc=on', '-mhe=off', method, solid], 'type')
  },
}
