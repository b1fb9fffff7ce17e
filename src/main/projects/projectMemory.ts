import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { RecentProject } from '../../contract/dto/project'
import { writeAtomically } from '../../files/atomicFile'
import { nativePath } from '../../files/nativePath'
import { failureCause } from '../../primitives/fileFailure'

const MOST_RECENTS = 10

const memorySchema = z.object({
  recents: z.array(z.object({ file: z.string(), name: z.string() })),
  /** Where sources are on this computer: by the project's ID and the source's name. */
  places: z.record(z.string(), z.record(z.string(), z.string())),
})
type Memory = z.infer<typeof memorySchema>

/** The projects of this computer: its memory of them besides their files. */
export interface ProjectMemory {
  /** The last one first. */
  recents(): Promise<RecentProject[]>
  /** Calls a listener whenever the list may have changed. */
  onChange(listener: () => void): void
  /** True for a file that is in the list. */
  knows(file: string): boolean
  /** Puts a project at the head of the list. Not being able to keep that is no failure. */
  opened(file: string, name: string): Promise<void>
  forget(file: string): Promise<void>
  placeOf(projectId: string, source: string): string | null
  /** @throws the system's error when it cannot be kept; until the end of the program it holds */
  moved(projectId: string, source: string, place: string): Promise<void>
}

/** Reads the memory in a folder. One that is broken counts as empty. */
export async function openProjectMemory(dataDir: string): Promise<ProjectMemory> {
  const file = path.join(dataDir, 'projects.json')
  let memory = await readMemory(file)
  let listeners: readonly (() => void)[] = []
  const keep = async (next: Memory): Promise<void> => {
    memory = next
    for (const listener of listeners) listener()
    await writeAtomically(file, JSON.stringify(next, null, 2))
  }
  const others = (than: string): Memory['recents'] => memory.recents.filter((each) => each.file !== than)
  return {
    recents: () =>
      Promise.all(
        memory.recents.map(async (each) => ({
          recent: each.file,
          name: each.name,
          problem: await problemOf(each.file),
        })),
      ),
    onChange(listener) {
      listeners = [...listeners, listener]
    },
    knows: (asked) => memory.recents.some((each) => each.file === asked),
    async opened(opened, name) {
      const recents = [{ file: opened, name }, ...others(opened)].slice(0, MOST_RECENTS)
      await keep({ ...memory, recents }).catch(() => {})
    },
    forget: (gone) => keep({ ...memory, recents: others(gone) }),
    placeOf: (projectId, source) => memory.places[projectId]?.[source] ?? null,
    moved: (projectId, source, place) =>
      keep({
        ...memory,
        places: { ...memory.places, [projectId]: { ...memory.places[projectId], [source]: place } },
      }),
  }
}

async function readMemory(file: string): Promise<Memory> {
  try {
    return memorySchema.parse(JSON.parse(await readFile(nativePath(file), 'utf8')))
  } catch {
    return { recents: [], places: {} }
  }
}

async function problemOf(file: string): Promise<string | null> {
  try {
    return (await stat(nativePath(file))).isFile() ? null : 'it is not a file'
  } catch (error) {
    return failureCause(error).because
  }
}
