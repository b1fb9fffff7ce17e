import { resolve } from 'node:path'
import type { RunDocument } from '../../contract/dto/run'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatSize } from '../../primitives/quantity'
import { wipe } from '../../primitives/secretBytes'
import { formatDuration } from '../../primitives/spokenTime'
import { onlyPositional, readArguments, volumeNumbers } from '../arguments'
import { BUILD, VERIFY } from '../declarations/sets'
import { passwordsOf } from '../passwords'
import { openSession } from '../session'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'

export const buildCommand = (args: readonly string[], out: Terminal): Promise<number> =>
  runCommand('build', args, out)

export const verifyCommand = (args: readonly string[], out: Terminal): Promise<number> =>
  runCommand('verify', args, out)

async function runCommand(kind: 'build' | 'verify', args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, kind === 'build' ? BUILD : VERIFY)
  const directory = resolve(onlyPositional(positionals, 'plan folder'))
  const volumes = volumeNumbers(values.volume)
  const session = openSession(out)
  let password: Uint8Array | null = null
  try {
    const { packing } = await session.engine.plan.open({ directory })
    const passwords = passwordsOf(values)
    const isAsked = packing !== undefined && packing.encryption !== 'none'
    if (isAsked || passwords.isGiven)
      password = await passwords[kind === 'build' ? 'fresh' : 'current'](directory)
    const request = { directory, volumes, force: values.force, password }
    const show = async (runId: string): Promise<void> => {
      const document = await session.engine.run.get({ runId })
      out.document(document)
      printRun(document, out)
    }
    await show(await session.run(() => session.engine.run[kind](request), show))
    return EXIT.done
  } finally {
    wipe(password)
    await session.close()
  }
}

/** A run as a person reads it: forecast and actual side by side. */
function printRun(document: RunDocument, out: Terminal): void {
  const rows = document.volumes.map((volume) => [
    String(volume.index),
    volume.label,
    volume.state,
    formatCount(volume.files),
    formatSize(volume.bytes),
    formatCount(volume.forecastSectors),
    volume.actualSectors === null ? '' : formatCount(volume.actualSectors),
    volume.elapsedMs === null ? '' : formatDuration(volume.elapsedMs),
  ])
  const header = ['disc', 'label', 'state', 'files', 'bytes', 'forecast', 'actual sectors', 'time']
  for (const line of textTable(header, rows, [0, 3, 4, 5, 6, 7])) out.line(`  ${line}`)
  for (const { label, errors } of document.volumes) {
    for (const error of errors) out.note(`  ${label}: ${pathForDisplay(error.message)} [${error.code}]`)
  }
  for (const note of document.notes ?? []) out.note(`  ${note}`)
  if (document.outcome !== 'done') return
  out.line()
  const what = document.kind === 'build' ? 'Built' : 'Verified: every file was read back and agrees;'
  out.line(`${what} ${pathForDisplay(document.directory)} in ${formatDuration(document.elapsedMs)}`)
}
