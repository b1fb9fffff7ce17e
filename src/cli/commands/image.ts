import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { onlyPositional, readArguments } from '../arguments'
import {
  IMAGE_COMPACT,
  IMAGE_INFO,
  IMAGE_PASSWD,
  IMAGE_REBANDS,
  IMAGE_RESIZE,
  IMAGE_VERIFY,
} from '../declarations/image'
import { passwordsOf } from '../passwords'
import { openSession } from '../session'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { announcePlan, bandOf, convertVerb, createVerb, planOf } from './imageMake'
import { printImage, printVerify } from './imageReport'
import { finished, type ImageTools, openedWith, ranJob, withForceHint } from './imageSession'

type Verb = (args: readonly string[], out: Terminal, tools: ImageTools) => Promise<number>

const VERBS: Readonly<Record<string, Verb>> = {
  create: createVerb,
  info: infoVerb,
  convert: convertVerb,
  resize: resizeVerb,
  compact: compactVerb,
  rebands: rebandsVerb,
  verify: verifyVerb,
  passwd: passwdVerb,
}

/** Images of disks: sparse bundles, sparse images, read-write and compressed ones. */
export async function imageCommand(args: readonly string[], out: Terminal): Promise<number> {
  const at = args.findIndex((each) => !each.startsWith('-'))
  const verb = VERBS[args[at] ?? '']
  if (!verb) {
    const known = Object.keys(VERBS)
    if (at >= 0) throw unknownName('verb', args[at] ?? '', known)
    throw new AppError('usage', `image: a verb is missing: one of ${known.join(', ')}`)
  }
  await using session = openSession(out)
  const rest = [...args.slice(0, at), ...args.slice(at + 1)]
  try {
    return await verb(rest, out, { session, passwords: passwordsOf })
  } catch (thrown) {
    throw withForceHint(thrown)
  }
}

async function infoVerb(args: readonly string[], out: Terminal, tools: ImageTools): Promise<number> {
  const { values, positionals } = readArguments(args, IMAGE_INFO)
  const path = absolutePath(onlyPositional(positionals, 'image'))
  const passwords = tools.passwords(values)
  const password = passwords.isGiven ? await passwords.current(path) : null
  const image = await tools.session.engine.image.info({ path, password })
  out.document(image)
  printImage(image, out)
  return EXIT.done
}

async function resizeVerb(args: readonly string[], out: Terminal, tools: ImageTools): Promise<number> {
  const { values, positionals } = readArguments(args, IMAGE_RESIZE)
  const [given, size, ...more] = positionals
  if (given === undefined || size === undefined || more.length > 0)
    throw new AppError('usage', 'resize takes an image and its new size, for example 20GB')
  const path = absolutePath(given)
  const bytes = parseSize(size)
  const { password } = await openedWith(tools, path, tools.passwords(values))
  return finished(tools, out, 'Resized ', () => tools.session.engine.image.resize({ path, password, bytes }))
}

async function compactVerb(args: readonly string[], out: Terminal, tools: ImageTools): Promise<number> {
  const { values, positionals } = readArguments(args, IMAGE_COMPACT)
  const path = absolutePath(onlyPositional(positionals, 'image'))
  const { password } = await openedWith(tools, path, tools.passwords(values))
  return finished(tools, out, 'Compacted ', () => tools.session.engine.image.compact({ path, password }))
}

async function rebandsVerb(args: readonly string[], out: Terminal, tools: ImageTools): Promise<number> {
  const { values, positionals } = readArguments(args, IMAGE_REBANDS)
  const [given, size, ...more] = positionals
  if (given === undefined || size === undefined || more.length > 0)
    throw new AppError(
      'usage',
      'rebands takes a sparse bundle and its new band size, for example 8MiB or fitted',
    )
  const path = absolutePath(given)
  const band = bandOf(size)
  const { password, info } = await openedWith(tools, path, tools.passwords(values))
  if (info.kind === 'UDSB' && info.bytes !== null)
    announcePlan(planOf({ kind: 'UDSB', bytes: info.bytes, band, keyBits: null }), info.bytes, out)
  return finished(tools, out, 'Changed the band size of ', () =>
    tools.session.engine.image.reband({ path, password, band }),
  )
}

async function verifyVerb(args: readonly string[], out: Terminal, tools: ImageTools): Promise<number> {
  const { values, positionals } = readArguments(args, IMAGE_VERIFY)
  const path = absolutePath(onlyPositional(positionals, 'image'))
  const { password } = await openedWith(tools, path, tools.passwords(values))
  const { sha256 } = values
  const { verify } = await ranJob(tools, () => tools.session.engine.image.verify({ path, password, sha256 }))
  if (verify === null) throw new AppError('internal', 'a verification left no report')
  out.document(verify)
  printVerify(verify, out)
  const count = verify.problems.length
  if (count === 0) return EXIT.done
  const message = `${pathForDisplay(path)} is damaged: ${verify.problems[0]}${count > 1 ? ` (and ${count - 1} more)` : ''}`
  throw new AppError('verification-failed', message, { path })
}

async function passwdVerb(args: readonly string[], out: Terminal, tools: ImageTools): Promise<number> {
  const { values, positionals } = readArguments(args, IMAGE_PASSWD)
  const path = absolutePath(onlyPositional(positionals, 'image'))
  const passwords = tools.passwords(values)
  const { password } = await openedWith(tools, path, passwords)
  if (password === null)
    throw new AppError('usage', `${pathForDisplay(path)} is not encrypted: convert it with --encrypt`, {
      path,
    })
  const newPassword = await passwords.fresh(path)
  return finished(tools, out, 'Changed the password of ', () =>
    tools.session.engine.image.changePassword({ path, password, newPassword }),
  )
}
