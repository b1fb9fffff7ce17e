import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The window's pages come from a scheme of our own: unlike file:, it reaches one folder and carries
 * headers.
 */
export const SCHEME = 'stowage'
export const ORIGIN = `${SCHEME}://window`
export const START_PAGE = `${ORIGIN}/index.html`

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.map': 'application/json; charset=utf-8',
}

/**
 * In the start page this text is replaced by the nonce of its own answer, for the style elements of
 * components.
 */
const NONCE_MARK = '__CSP_NONCE__'

interface PageAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/**
 * Nothing but what this folder holds runs or loads; nothing can be framed, posted or fetched
 * elsewhere.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Answers a URL of our scheme from a folder. Whatever is not a file in it is a plain 404, however
 * the URL is twisted.
 */
export async function answerPage(folder: string, url: string): Promise<PageAnswer> {
  const nonce = randomBytes(16).toString('base64')
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy(nonce),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
  try {
    const { host, pathname } = new URL(url)
    const file = path.join(folder, path.posix.normalize(decodeURIComponent(pathname)))
    const type = TYPES[path.extname(file).toLowerCase()]
    const isInside = file.startsWith(folder + path.sep) && !file.includes('\0')
    if (`${SCHEME}://${host}` !== ORIGIN || !isInside || type === undefined) throw new Error('not ours')
    const content = await readFile(file)
    const isPage = type.startsWith('text/html')
    const body = isPage ? Buffer.from(content.toString('utf8').replaceAll(NONCE_MARK, nonce)) : content
    return { status: 200, headers: { ...headers, 'Content-Type': type }, body }
  } catch {
    return {
      status: 404,
      headers: { ...headers, 'Content-Type': 'text/plain' },
      body: Buffer.from('not found'),
    }
  }
}
