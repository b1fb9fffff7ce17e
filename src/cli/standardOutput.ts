import { fstatSync } from 'node:fs'
import { attemptAtOnce } from '../engine/files/fileSystem'
import { writeAllAtOnce } from '../engine/files/write'
import type { Streams } from './terminal'

const STDOUT = 1

/**
 * Where results go. To a file they are written to the last byte, which Node's own stream does not
 * do on a disk that fills up: it drops what the system did not take, without an error.
 * @throws AppError `no-space`, `io` from `write`, when it is a file
 */
export function standardOutput(): Streams['out'] {
  if (!isFile()) return process.stdout
  return {
    write(text) {
      attemptAtOnce('write', 'the output', () =>
        writeAllAtOnce(STDOUT, Buffer.from(text, 'utf8'), 'the output'),
      )
    },
  }
}

function isFile(): boolean {
  try {
    return fstatSync(STDOUT).isFile()
  } catch {
    return false
  }
}
