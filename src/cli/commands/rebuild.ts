import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { readArguments, volumeNumbers } from '../arguments'
import { REBUILD } from '../declarations/sets'
import { openSession } from '../session'
import { nextCommand, typedPath } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

export async function rebuildCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, REBUILD)
  if (positionals.length === 0) throw new AppError('usage', 'give the images or devices of the other discs')
  if (values.out === undefined) throw new AppError('usage', '--out IMAGE is missing')
  const image = absolutePath(values.out)
  const [lost = null] = volumeNumbers(values.volume === undefined ? undefined : [values.volume])
  const volumes = positionals.map((path) => absolutePath(path))
  await using session = openSession(out, { canDoWithout: true })
  const { force } = values
  const rebuildId = await session.run(() => session.engine.rebuild.start({ volumes, lost, image, force }))
  const document = await session.engine.rebuild.get({ rebuildId })
  out.document(document)
  const { label, bytes, from, elapsedMs } = document
  const done = `Made ${pathForDisplay(image)} (${formatSize(bytes)}), the image of ${label}, from ${formatCounted(from.length, 'disc')} in ${formatDuration(elapsedMs)}: its SHA-256 is that of the lost one.`
  out.lines(wrapped(done, '  '))
  out.lines(nextCommand('Next, to read it back:', ['verify', typedPath(image)]))
  return EXIT.done
}
