import type { Handlers } from '../../contract/defineSchema'
import type { RendererSchema } from '../../contract/rendererSchema'
import type { ProjectDesk } from './projectDesk'
import type { ProjectMemory } from './projectMemory'

/** Main's own calls about projects, the group `project` of the schema. */
export function projectHandlers(
  desk: ProjectDesk,
  memory: ProjectMemory,
): Handlers<Pick<RendererSchema, 'project'>>['project'] {
  return {
    make: () => desk.make(),
    open: () => desk.openByDialog(),
    openArchive: ({ archiveId }) => desk.openArchive(archiveId),
    close: () => desk.close(),
    recents: () => memory.recents(),
    openRecent: ({ recent }) => desk.openRecent(recent),
    async forget({ recent }) {
      await memory.forget(recent)
      return memory.recents()
    },
    change: (draft) => desk.change(draft),
    save: ({ as }) => desk.save(as),
    locate: ({ name }) => desk.locate(name),
  }
}
