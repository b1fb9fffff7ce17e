import { readFile } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { fileFailure, fsPath } from '../../files/fileSystem'
import { loadAddon } from '../../native/loadAddon'

/**
 * The patterns of a file in the form of gitignore(5), all or none.
 * @throws AppError `bad-input` in one line with the line and column of the first that cannot be
 *   understood, and where the file is not UTF-8; as reading the file fails
 */
export async function patternsOfFile(file: string): Promise<string[]> {
  const content = await readFile(fsPath(file)).catch((thrown: unknown) => {
    throw fileFailure(thrown, 'read', file)
  })
  const { rules, faults, isUtf8 } = loadAddon().rulesOfFile(content)
  const name = pathForDisplay(file)
  if (!isUtf8)
    throw new AppError('bad-input', said`cannot use the rules in ${name}: it is not UTF-8`, { path: file })
  const [fault] = faults
  if (fault) {
    const at = `${name}:${fault.line}:${fault.column}`
    throw new AppError('bad-input', said`cannot use the rules in ${at}: ${fault.cause}`, { path: file })
  }
  return rules.map(({ text }) => pathFromBytes(text))
}
