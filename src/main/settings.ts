import { readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { type Settings, settingsSchema } from '../contract/rendererSchema'
import { writeAtomically } from './atomicFile'
import { nativePath } from './nativePath'

export const DEFAULT_SETTINGS: Settings = {
  units: 'decimal',
  theme: 'system',
  mediumId: 'bd-r-25',
  sha256: true,
  samples: 'normal',
}

/** The preferences of a person, kept in `settings.json` of the data folder. */
export interface SettingsStore {
  readonly current: Settings
  /**
   * Changes some of them; the new whole is on disk when this resolves. Changes are written one
   * after another.
   */
  save(changes: Partial<Settings>): Promise<Settings>
}

/**
 * Reads the settings. Each one that is missing or makes no sense has its default; a file that is
 * not JSON at all is set aside as `settings.broken.json`, so that nothing a person wrote is lost.
 */
export async function openSettings(dataDir: string): Promise<SettingsStore> {
  const file = path.join(dataDir, 'settings.json')
  let current = { ...DEFAULT_SETTINGS, ...(await readSettings(file)) }
  let lastWrite: Promise<unknown> = Promise.resolve()
  return {
    get current() {
      return current
    },
    async save(changes) {
      current = settingsSchema.parse({ ...current, ...changes })
      const text = `${JSON.stringify(current, null, 2)}\n`
      const write = lastWrite.catch(() => {}).then(() => writeAtomically(file, text))
      lastWrite = write
      await write
      return current
    },
  }
}

async function readSettings(file: string): Promise<Partial<Settings>> {
  let raw: unknown
  try {
    raw = JSON.parse(await readFile(nativePath(file), 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) await setAside(file)
    return {}
  }
  if (typeof raw !== 'object' || raw === null) return {}
  const kept: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const parsed = schema.safeParse((raw as Record<string, unknown>)[key])
    if (parsed.success) kept[key] = parsed.data
  }
  return kept
}

async function setAside(file: string): Promise<void> {
  const aside = path.join(path.dirname(file), 'settings.broken.json')
  await rename(nativePath(file), nativePath(aside)).catch(() => {})
}
