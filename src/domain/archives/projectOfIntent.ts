import type { Project } from '../project/project'
import { withForm } from '../project/projectForm'
import type { ArchiveIntent } from './archive'

/** An intent as a project file would hold it. @param sources where they are now */
export function projectOfIntent(intent: Omit<ArchiveIntent, 'createdWallMs' | 'folder'>): Project {
  const { id, name, sources } = intent
  const places = Object.fromEntries(sources.map((source) => [source.name, source.path]))
  // Without rules a project would take those of the settings.
  return { rules: {}, ...withForm({ id, name, sources: places }, { ...intent, layout: null }) }
}
