import { stat } from 'node:fs/promises'
import { said } from '../../../primitives/said'
import { attempt, cannot, fsPath } from '../../files/fileSystem'

/** The bytes of a file. @throws AppError `special-file` for a folder, a pipe and a device */
export async function fileLength(path: string): Promise<number> {
  const facts = await attempt('read', path, stat(fsPath(path)))
  if (facts.isFile()) return facts.size
  throw cannot('special-file', 'read', path, said`it is no file`)
}
