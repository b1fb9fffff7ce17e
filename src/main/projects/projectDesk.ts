/**
 * The room `projects` has the project that the window has open, and those of before.
 * How: the file is written only when a person saves; before changes are lost, a dialog asks.
 * Not here: the keys of a project (`src/domain/project`).
 */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { type ArchiveDocument, projectOfIntent } from '../../contract/dto/archive'
import {
  areSameProjects,
  formOf,
  type OpenedProject,
  PROJECT_ENDING,
  type Project,
  type ProjectForm,
  type ProjectState,
  type Source,
  sourceName,
  withForm,
} from '../../contract/dto/project'
import { changeFile } from '../../files/atomicFile'
import { nativePath } from '../../files/nativePath'
import { datsOf, type ProjectSource, sourcesOf, writtenDats, writtenSource } from '../../files/projectSources'
import { AppError } from '../../primitives/appError'
import { fileFailure } from '../../primitives/fileFailure'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Grants } from '../ipc/grants'
import { takeSources } from '../sources'
import { say } from '../words'
import type { ProjectMemory } from './projectMemory'

/** The questions about projects; null and `cancel` mean that the dialog was closed. */
export interface ProjectQuestions {
  file(): Promise<string | null>
  /** The dialog itself asks before a file is replaced. */
  place(suggestedName: string): Promise<string | null>
  /** Where a source is now. */
  source(name: string, kind: 'folders' | 'files'): Promise<string | null>
  unsaved(name: string): Promise<'save' | 'discard' | 'cancel'>
  /** Another program has changed the file. */
  changed(file: string): Promise<'reload' | 'replace' | 'cancel'>
}

/** The archives of the catalog, as the engine knows them. */
export interface KnownArchives {
  /** @throws AppError `not-found` */
  get(archiveId: string): Promise<ArchiveDocument>
  /** Notes where a source is on this computer. */
  place(archiveId: string, source: string, path: string): Promise<void>
}

/** The values of the window: the parameters of `project.change`. */
export interface ProjectDraft {
  readonly form: ProjectForm
  readonly sources: readonly string[]
  readonly dats: readonly string[]
  readonly missing: readonly string[]
}

/** A source of the open project; null where nothing is there. */
interface PlacedSource extends ProjectSource {
  readonly source: Source | null
}

interface OpenProject {
  /** It is an archive of the catalog, which is kept without a file. */
  readonly isArchive: boolean
  /** Null for a new one, and for an archive. */
  readonly saved: { readonly file: string; readonly text: string } | null
  /** As it is in the file. */
  readonly project: Project
  readonly sources: readonly PlacedSource[]
}

const EMPTY: ProjectDraft = { form: formOf({}), sources: [], dats: [], missing: [] }

/**
 * The project that the window has open. A file is written only by `save`; before changes are lost
 * the person is asked.
 */
export class ProjectDesk {
  readonly #memory: ProjectMemory
  readonly #grants: Grants
  readonly #ask: ProjectQuestions
  readonly #archives: KnownArchives
  readonly #rules: () => ProjectForm['rules']
  readonly #onState: (state: ProjectState | null) => void
  #open: OpenProject | null = null
  #draft: ProjectDraft = EMPTY

  constructor(around: {
    memory: ProjectMemory
    grants: Grants
    ask: ProjectQuestions
    archives: KnownArchives
    /** The rules of a project that has none. */
    defaultRules: () => ProjectForm['rules']
    /** Takes every state of the open project. */
    onState: (state: ProjectState | null) => void
  }) {
    this.#memory = around.memory
    this.#grants = around.grants
    this.#ask = around.ask
    this.#archives = around.archives
    this.#rules = around.defaultRules
    this.#onState = around.onState
  }

  get state(): ProjectState | null {
    const open = this.#open
    if (open === null) return null
    const { id, name } = open.project
    return {
      id,
      name,
      file: open.saved?.file ?? null,
      isArchive: open.isArchive,
      isUnsaved: !open.isArchive && !areSameProjects(open.project, this.#wanted(open)),
      missing: open.sources
        .filter((each) => isKeptMissing(each, this.#draft))
        .map(({ name: missing, path: place }) => ({ name: missing, path: place })),
    }
  }

  /** The project as the window had it last. */
  async current(): Promise<OpenedProject | null> {
    const { state } = this
    if (state === null) return null
    const { sources } = await takeSources(this.#draft.sources, this.#grants)
    return { project: state, sources, dats: [...this.#draft.dats], form: this.#draft.form }
  }

  /** Begins a project with nothing in it. */
  async make(): Promise<OpenedProject | null> {
    if (!(await this.leave())) return null
    this.#open = { isArchive: false, saved: null, project: newProject(), sources: [] }
    return this.#opened()
  }

  /** Closes the open project. @returns false where the person keeps its unsaved changes */
  async close(): Promise<boolean> {
    if (!(await this.leave())) return false
    this.#open = null
    this.#draft = EMPTY
    this.#report()
    return true
  }

  async openByDialog(): Promise<OpenedProject | null> {
    if (!(await this.leave())) return null
    const file = await this.#ask.file()
    return file === null ? null : this.#openFile(file)
  }

  /** @throws AppError `refused` for a file that is not in the list */
  async openRecent(file: string): Promise<OpenedProject | null> {
    if (!this.#memory.knows(file))
      throw new AppError('refused', said`${pathForDisplay(file)} is not among the recent projects`, {
        path: file,
      })
    return this.open(file)
  }

  /** Opens a project that was handed over. @throws AppError with line and column of a fault */
  async open(file: string): Promise<OpenedProject | null> {
    if (!(await this.leave())) return null
    return this.#openFile(file)
  }

  /** Opens an archive of the catalog. @throws AppError `not-found` */
  async openArchive(archiveId: string): Promise<OpenedProject | null> {
    if (!(await this.leave())) return null
    const { sources, ...archive } = await this.#archives.get(archiveId)
    const placed = await Promise.all(
      sources.map(async ({ name, path: place }) => {
        const taken = await takeSources([place], this.#grants)
        return { name, written: place, path: place, source: taken.sources[0] ?? null }
      }),
    )
    this.#open = {
      isArchive: true,
      saved: null,
      project: projectOfIntent({ ...archive, sources }),
      sources: placed,
    }
    return this.#opened()
  }

  change(draft: ProjectDraft): ProjectState | null {
    this.#draft = draft
    return this.#report()
  }

  /**
   * Writes the project into its file, or, with `isAs` or where it has none, into a new one.
   * @returns null where the person closed a dialog
   */
  async save(isAs: boolean): Promise<{ project: ProjectState; reloaded: OpenedProject | null } | null> {
    const open = this.#open ?? { isArchive: false, saved: null, project: newProject(), sources: [] }
    if (Object.keys(this.#wanted(open).sources).length === 0)
      throw new AppError('bad-input', said`cannot save a project without sources: add a folder or file first`)
    if (isAs || open.saved === null) return this.#saveAs(open)
    const { file } = open.saved
    try {
      await this.#write(
        open,
        file,
        this.#wanted(open),
        (there) => there === null || there === open.saved?.text,
      )
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'changed') throw thrown
      const answer = await this.#ask.changed(file)
      if (answer === 'cancel') return null
      if (answer === 'reload') {
        const reloaded = await this.#openFile(file)
        return { project: reloaded.project, reloaded }
      }
      await this.#write(open, file, this.#wanted(open), () => true)
    }
    return { project: this.#requireState(), reloaded: null }
  }

  /** Asks where a source is that is not there. This computer remembers it; the file does not. */
  async locate(name: string): Promise<{ project: ProjectState; source: Source } | null> {
    const open = this.#open
    const missing = open?.sources.find((each) => each.name === name && each.source === null)
    if (open === null || missing === undefined)
      throw new AppError('refused', said`the project misses no source "${name}"`)
    const chosen = await this.#ask.source(name, FILE_NAME.test(missing.path) ? 'files' : 'folders')
    if (chosen === null) return null
    const { sources, failures } = await takeSources([chosen], this.#grants)
    const [source] = sources
    if (source === undefined) throw failures[0] ?? new AppError('internal', 'a source without a path')
    const place = { ...missing, path: source.path, source }
    this.#open = { ...open, sources: open.sources.map((each) => (each === missing ? place : each)) }
    const { sources: paths, missing: names } = this.#draft
    this.#draft = {
      ...this.#draft,
      sources: [...paths, source.path],
      missing: names.filter((each) => each !== name),
    }
    this.#report()
    if (open.isArchive) await this.#archives.place(open.project.id, name, source.path)
    else
      await this.#memory.moved(open.project.id, name, source.path).catch((error: unknown) => {
        throw fileFailure(error, 'remember', source.path)
      })
    return { project: this.#requireState(), source }
  }

  /** Asks what becomes of unsaved changes. @returns whether another may take its place */
  async leave(): Promise<boolean> {
    const { state } = this
    if (state === null || !state.isUnsaved) return true
    const answer = await this.#ask.unsaved(state.name)
    if (answer === 'save') return (await this.save(false)) !== null
    return answer === 'discard'
  }

  async #openFile(file: string): Promise<OpenedProject> {
    const { projectFileText, readProjectText, requireProject } = await projectRoom()
    const text = await projectFileText(file)
    const project = requireProject(readProjectText(text, pathForDisplay(file)), pathForDisplay(file))
    this.#open = {
      isArchive: false,
      saved: { file, text },
      project,
      sources: await this.#placed(project, file),
    }
    await this.#memory.opened(file, project.name)
    return this.#opened()
  }

  /** The sources of a project as they are now, each where this computer has it. */
  async #placed(project: Project, file: string): Promise<PlacedSource[]> {
    return Promise.all(
      sourcesOf(project, file).map(async ({ name, written, path: usual }) => {
        const place = this.#memory.placeOf(project.id, name) ?? usual
        const { sources } = await takeSources([place], this.#grants)
        return { name, written, path: place, source: sources[0] ?? null }
      }),
    )
  }

  #opened(): OpenedProject {
    const open = this.#open
    if (open === null) throw new AppError('internal', 'no project is open')
    const there = open.sources.flatMap(({ source }) => source ?? [])
    const dats = datsOf(open.project, open.saved?.file ?? '/')
    // Whoever opens a project hands over what it names; a DAT that is not there is named by a survey.
    for (const dat of dats) this.#grants.allow('read', dat)
    this.#draft = {
      form: formOf(open.project, this.#rules()),
      sources: there.map((source) => source.path),
      dats,
      missing: open.sources.filter(({ source }) => source === null).map(({ name }) => name),
    }
    this.#report()
    return { project: this.#requireState(), sources: there, dats, form: this.#draft.form }
  }

  /** The project as the window has it. */
  #wanted({ project, sources, saved }: OpenProject): Project {
    const { form, sources: paths, dats } = this.#draft
    const kept = sources.filter((each) =>
      each.source === null ? isKeptMissing(each, this.#draft) : paths.includes(each.path),
    )
    const written = Object.fromEntries(kept.map((each) => [each.name, each.written]))
    for (const added of paths) {
      if (kept.some((each) => each.path === added)) continue
      const name = sourceName(added, [...Object.keys(project.sources), ...Object.keys(written)])
      written[name] = saved === null ? added : writtenSource(added, path.dirname(saved.file))
    }
    const dat = writtenDats(project, dats, saved?.file ?? null)
    const { dat: _before, ...rest } = project
    return withForm({ ...rest, sources: written, ...(dat !== undefined && { dat }) }, form, this.#rules())
  }

  async #saveAs(open: OpenProject): Promise<{ project: ProjectState; reloaded: null } | null> {
    const chosen = await this.#ask.place(
      `${open.saved ? open.project.name : suggestedName(this.#draft)}${PROJECT_ENDING}`,
    )
    if (chosen === null) return null
    const file = chosen.endsWith(PROJECT_ENDING)
      ? chosen
      : `${chosen.replace(/\.ya?ml$/, '')}${PROJECT_ENDING}`
    if (file !== chosen && existsSync(nativePath(file))) {
      const message = said`cannot write ${pathForDisplay(file)}: it already exists; choose another name`
      throw new AppError('exists', message, { path: file })
    }
    const wanted = this.#wanted(open)
    const dat = writtenDats({ ...wanted, dat: undefined }, this.#draft.dats, file)
    const project = {
      ...wanted,
      ...(dat !== undefined && { dat }),
      // The file of an archive is that archive's; a copy of a project is another one.
      id: open.isArchive ? open.project.id : newProject().id,
      name: path.basename(file).slice(0, -PROJECT_ENDING.length),
      sources: Object.fromEntries(
        sourcesOf(wanted, open.saved?.file ?? file).map((each) => [
          each.name,
          path.isAbsolute(each.written) && open.saved !== null
            ? each.written
            : writtenSource(each.path, path.dirname(file)),
        ]),
      ),
    }
    for (const { name, path: place } of open.sources)
      if (this.#memory.placeOf(open.project.id, name) !== null)
        await this.#memory.moved(project.id, name, place).catch(() => {})
    await this.#write(open, file, project, () => true)
    return { project: this.#requireState(), reloaded: null }
  }

  /**
   * @param mayReplace takes what is in the file, null for none
   * @throws AppError `changed` where it may not be replaced
   */
  async #write(
    open: OpenProject,
    file: string,
    project: Project,
    mayReplace: (there: string | null) => boolean,
  ): Promise<void> {
    const { changedProjectText, newProjectText } = await projectRoom()
    const shown = pathForDisplay(file)
    await stat(nativePath(path.dirname(file))).catch((error: unknown) => {
      throw fileFailure(error, 'write', file)
    })
    const text =
      open.saved === null ? newProjectText(project) : changedProjectText(open.saved.text, shown, project)
    await changeFile(file, (there) => {
      if (mayReplace(there)) return text
      throw new AppError('changed', said`cannot write ${shown}: another program has changed it`, {
        path: file,
      })
    })
    this.#open = {
      isArchive: false,
      saved: { file, text },
      project,
      sources: await this.#placed(project, file),
    }
    await this.#memory.opened(file, project.name)
    this.#report()
  }

  #report(): ProjectState | null {
    const { state } = this
    this.#onState(state)
    return state
  }

  #requireState(): ProjectState {
    const { state } = this
    if (state === null) throw new AppError('internal', 'no project is open')
    return state
  }
}

/** The end of the name of a file, as against `Photos.2020`. */
const FILE_NAME = /\.[a-z][a-z0-9]{0,4}$/i

function isKeptMissing({ source, name }: PlacedSource, { missing }: ProjectDraft): boolean {
  return source === null && missing.includes(name)
}

function newProject(): Project {
  return { id: `pr-${randomBytes(6).toString('hex')}`, name: say('project.untitled'), sources: {} }
}

function suggestedName({ sources: [first] }: ProjectDraft): string {
  return first === undefined ? say('project.untitled') : sourceName(first, [])
}

/** Reading YAML is loaded only where there is some. */
async function projectRoom() {
  const [file, edit, text] = await Promise.all([
    import('../../files/projectFile'),
    import('../../files/projectEdit'),
    import('../../files/projectText'),
  ])
  return { ...file, ...edit, ...text }
}
