import type { ProjectForm, ProjectState, RecentProject } from '../../../../../src/contract/dto/project'
import { NO_RULES } from '../../../../../src/contract/dto/survey'

export interface WindowProject {
  /** The project that is open; null where none is. */
  readonly open: ProjectState | null
  /** The values that a save would write, as the person set them last. */
  readonly form: ProjectForm
  readonly recents: readonly RecentProject[]
}

export type WindowProjectAction =
  | { type: 'opened'; open: ProjectState; form: ProjectForm }
  | { type: 'closed' }
  | { type: 'noted'; open: ProjectState | null }
  | { type: 'form'; form: Partial<ProjectForm> }
  | { type: 'recents'; recents: readonly RecentProject[] }

export const initialProject: WindowProject = {
  open: null,
  form: {
    rules: NO_RULES,
    layout: null,
    medium: null,
    option: null,
    encryption: 'none',
    label: null,
    protection: null,
    copies: null,
    goal: 'balanced',
  },
  recents: [],
}

export function reduceProject(state: WindowProject, action: WindowProjectAction): WindowProject {
  switch (action.type) {
    case 'opened':
      return { ...state, open: action.open, form: action.form }
    case 'closed':
      return { ...initialProject, recents: state.recents }
    case 'noted':
      return { ...state, open: action.open }
    case 'form':
      return { ...state, form: { ...state.form, ...action.form } }
    case 'recents':
      return { ...state, recents: action.recents }
  }
}
