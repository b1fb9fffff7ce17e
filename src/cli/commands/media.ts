import { EXIT } from '../../primitives/exitCode'
import { formatCount } from '../../primitives/quantity'
import { readArguments } from '../arguments'
import { MEDIA } from '../declarations/catalog'
import { openSession } from '../session'
import { formatSize } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'

export async function mediaCommand(args: readonly string[], out: Terminal): Promise<number> {
  readArguments(args, MEDIA)
  await using session = openSession(out)
  const media = await session.engine.media.list()
  out.document({ schema: 'stowage.media/1', media })
  const rows = media.map((medium) => [
    medium.id,
    formatSize(medium.capacityBytes, 'decimal'),
    formatSize(medium.capacityBytes, 'binary'),
    formatCount(medium.capacitySectors),
    medium.name,
  ])
  out.lines(textTable(['medium', 'capacity', '', 'sectors', 'name'], rows, [1, 2, 3]))
  out.line('Also custom:<size> for images and folder:<size> for plain folders of any size, such as 700MB.')
  return EXIT.done
}
