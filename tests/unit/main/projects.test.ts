import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { formOf, type OpenedProject, type ProjectState } from '../../../src/contract/dto/project'
import { NO_RULES } from '../../../src/contract/dto/survey'
import { Grants } from '../../../src/main/ipc/grants'
import {
  type KnownArchives,
  ProjectDesk,
  type ProjectDraft,
  type ProjectQuestions,
} from '../../../src/main/projects/projectDesk'
import { openProjectMemory, type ProjectMemory } from '../../../src/main/projects/projectMemory'
import { ProjectQuit } from '../../../src/main/projects/projectQuit'
import { temporaryFolder } from '../../support/temporaryFolder'

let folder: string
let file: string
let memory: ProjectMemory
let grants: Grants
let asked: string[]
let answers: {
  file: string | null
  place: string | null
  source: string | null
  unsaved: 'save' | 'discard' | 'cancel'
  changed: 'reload' | 'replace' | 'cancel'
}
let states: (ProjectState | null)[]
let placed: string[]

/** The archives of a catalog with one, whose source is in `folder`. */
const archives: KnownArchives = {
  get: async (id) => ({
    ...formOf({ medium: 'dvd-r', copies: 2 }),
    id,
    name: 'Family',
    createdWallMs: 1,
    folder: null,
    isDerived: false,
    sources: [
      { name: 'photos', path: path.join(folder, 'Photos'), isThere: true },
      { name: 'films', path: '/nowhere/Films', isThere: false },
    ],
    sets: [],
  }),
  async place(id, source, where) {
    placed.push(`${id} ${source} ${where}`)
  },
}

const text = (films: string): string => `# Ana's archive
id: pr-0123456789ab
name: Photos # all of them
sources:
  # next to this file
  photos: Photos
  films: ${films} # on the stick
medium: bd-r-25 # 25 GB each
`

beforeEach(async () => {
  folder = await temporaryFolder()
  file = path.join(folder, 'photos.stowage.yaml')
  await mkdir(path.join(folder, 'Photos'))
  await writeFile(file, text('/nowhere/Films'))
  asked = []
  answers = { file, place: null, source: null, unsaved: 'cancel', changed: 'cancel' }
  states = []
  placed = []
  grants = new Grants()
  memory = await openProjectMemory(path.join(folder, 'data'))
})

function desk(): ProjectDesk {
  const ask: ProjectQuestions = {
    file: async () => answers.file,
    place: async (name) => {
      asked.push(`place ${name}`)
      return answers.place
    },
    source: async (name, kind) => {
      asked.push(`source ${name} ${kind}`)
      return answers.source
    },
    unsaved: async (name) => {
      asked.push(`unsaved ${name}`)
      return answers.unsaved
    },
    changed: async (changed) => {
      asked.push(`changed ${path.basename(changed)}`)
      return answers.changed
    },
  }
  return new ProjectDesk({
    memory,
    grants,
    ask,
    archives,
    defaultRules: () => NO_RULES,
    onState: (state) => states.push(state),
  })
}

function draftOf(
  { form, sources, dats, project }: OpenedProject,
  change: Partial<ProjectDraft['form']> = {},
): ProjectDraft {
  return {
    form: { ...form, ...change },
    sources: sources.map((source) => source.path),
    dats,
    missing: project.missing.map(({ name }) => name),
  }
}

async function opened(open: ProjectDesk): Promise<OpenedProject> {
  const project = await open.openByDialog()
  if (project === null) throw new Error('nothing was opened')
  return project
}

describe('a project that is opened', () => {
  it('gives its sources to be read, names those that are not there, and is no change', async () => {
    const open = desk()
    const project = await opened(open)
    expect(project).toEqual({
      project: {
        id: 'pr-0123456789ab',
        name: 'Photos',
        file,
        isArchive: false,
        isUnsaved: false,
        missing: [{ name: 'films', path: '/nowhere/Films' }],
      },
      sources: [{ path: path.join(folder, 'Photos'), kind: 'folder', name: 'Photos' }],
      dats: [],
      form: expect.objectContaining({ medium: 'bd-r-25', option: null, encryption: 'none', label: null }),
    })
    expect(await grants.isAllowed('read', path.join(folder, 'Photos'))).toBe(true)
    expect(await grants.isAllowed('read', file)).toBe(false)
    expect(open.change(draftOf(project))).toMatchObject({ isUnsaved: false })
    expect(await open.leave()).toBe(true)
    expect(asked).toEqual([])
  })

  it('with a fault is refused with line and column, and what is open stays', async () => {
    const open = desk()
    await opened(open)
    const broken = path.join(folder, 'broken.stowage.yaml')
    await writeFile(broken, `${text('/f')}medum: dvd-r\n`)
    await expect(open.open(broken)).rejects.toMatchObject({
      code: 'bad-input',
      message: `${broken}:9:1: medum is unknown: did you mean "medium"?`,
    })
    expect(open.state?.file).toBe(file)
    expect((await memory.recents()).map(({ recent }) => recent)).toEqual([file])
  })

  it('takes the place that this computer remembers of a source, and the file does not', async () => {
    const films = path.join(folder, 'mnt', 'Films')
    await mkdir(films, { recursive: true })
    answers.source = films
    const open = desk()
    await opened(open)
    expect(await open.locate('films')).toMatchObject({
      project: { missing: [], isUnsaved: false },
      source: { path: films },
    })
    expect(asked).toEqual(['source films folders'])
    await expect(open.locate('films')).rejects.toMatchObject({ code: 'refused' })
    memory = await openProjectMemory(path.join(folder, 'data'))
    const again = desk()
    const project = await opened(again)
    expect(project.sources.map((source) => source.path)).toEqual([path.join(folder, 'Photos'), films])
    again.change(draftOf(project, { label: 'PHOTOS' }))
    await again.save(false)
    expect(await readFile(file, 'utf8')).toBe(`${text('/nowhere/Films')}label: PHOTOS\n`)
  })
})

describe('the DATs of a project', () => {
  it('may be read once it is opened, and stay in its file as they are written there', async () => {
    await writeFile(file, `${text('/nowhere/Films')}dat: NES.dat # No-Intro\n`)
    const open = desk()
    const project = await opened(open)
    const nes = path.join(folder, 'NES.dat')
    expect(project.dats).toEqual([nes])
    expect(await grants.isAllowed('read', nes)).toBe(true)
    expect(open.change(draftOf(project, { label: 'ROMS' }))).toMatchObject({ isUnsaved: true })
    await open.save(false)
    expect(await readFile(file, 'utf8')).toContain('dat: NES.dat # No-Intro\n')
    const two = [nes, '/elsewhere/GB.dat']
    expect(open.change({ ...draftOf(project), dats: two })).toMatchObject({ isUnsaved: true })
    await open.save(false)
    expect(await readFile(file, 'utf8')).toContain('dat:\n  - NES.dat\n  - /elsewhere/GB.dat\n')
    expect((await opened(desk())).dats).toEqual(two)
    open.change({ ...draftOf(project), dats: [] })
    await open.save(false)
    expect((await opened(desk())).dats).toEqual([])
    expect(await readFile(file, 'utf8')).not.toContain('dat:')
  })

  it('are written below the folder of a new file, so that both can be moved together', async () => {
    const open = desk()
    await open.make()
    answers.place = path.join(folder, 'roms.stowage.yaml')
    const dats = [path.join(folder, 'DATs', 'NES.dat'), '/elsewhere/GB.dat']
    const { form } = await opened(desk())
    open.change({ form, sources: [path.join(folder, 'Photos')], dats, missing: [] })
    await open.save(false)
    expect(await readFile(answers.place, 'utf8')).toContain(
      '\ndat:\n  - DATs/NES.dat\n  - /elsewhere/GB.dat\n',
    )
    answers.file = answers.place
    expect((await opened(desk())).dats).toEqual(dats)
  })
})

describe('saving', () => {
  it('writes what has changed into the file and keeps its comments and its order', async () => {
    const open = desk()
    const project = await opened(open)
    const films = path.join(folder, 'Films')
    await mkdir(films)
    open.change({
      ...draftOf(project, { medium: 'dvd-r', encryption: 'aes-256', option: '7z-files' }),
      missing: [],
      sources: [...project.sources.map((source) => source.path), films],
    })
    expect(open.state?.isUnsaved).toBe(true)
    await open.save(false)
    expect(await readFile(file, 'utf8')).toBe(`# Ana's archive
id: pr-0123456789ab
name: Photos # all of them
sources:
  # next to this file
  photos: Photos
  films-2: Films
medium: dvd-r # 25 GB each
option: 7z-files
encryption: aes-256
`)
    expect(open.state?.isUnsaved).toBe(false)
    expect(states.at(-1)?.isUnsaved).toBe(false)
  })

  it('asks where the file was changed meanwhile: nothing, the new one or ours is taken', async () => {
    const open = desk()
    const project = await opened(open)
    open.change(draftOf(project, { label: 'OURS' }))
    const theirs = text('/theirs')
    await writeFile(file, theirs)
    expect(await open.save(false)).toBeNull()
    expect([await readFile(file, 'utf8'), open.state?.isUnsaved]).toEqual([theirs, true])
    answers.changed = 'replace'
    expect(await open.save(false)).toMatchObject({ reloaded: null, project: { isUnsaved: false } })
    expect(await readFile(file, 'utf8')).toBe(`${text('/nowhere/Films')}label: OURS\n`)
    open.change(draftOf(project, { label: 'MORE' }))
    await writeFile(file, theirs)
    answers.changed = 'reload'
    expect(await open.save(false)).toMatchObject({
      project: { isUnsaved: false },
      reloaded: { form: { label: null }, project: { missing: [{ name: 'films', path: '/theirs' }] } },
    })
    expect(await readFile(file, 'utf8')).toBe(theirs)
    expect(asked).toEqual(Array(3).fill('changed photos.stowage.yaml'))
  })

  it('is refused where the folder is gone, and makes none', async () => {
    const away = path.join(folder, 'away')
    await mkdir(away)
    answers.file = path.join(away, 'photos.stowage.yaml')
    await rename(file, answers.file)
    const open = desk()
    const project = await opened(open)
    open.change(draftOf(project, { label: 'A' }))
    await rm(away, { recursive: true })
    await expect(open.save(false)).rejects.toMatchObject({
      code: 'not-found',
      message: `cannot write ${answers.file}: no such file or folder`,
    })
    expect([existsSync(away), open.state?.isUnsaved]).toEqual([false, true])
  })

  it('as another file makes another project of it, whose sources are where they were', async () => {
    const open = desk()
    const project = await opened(open)
    open.change(draftOf(project, { label: 'COPY' }))
    await mkdir(path.join(folder, 'other'))
    answers.place = path.join(folder, 'other', 'copy')
    const saved = await open.save(true)
    const copy = path.join(folder, 'other', 'copy.stowage.yaml')
    expect(saved?.project).toMatchObject({ file: copy, name: 'copy', isUnsaved: false })
    expect(saved?.project.id).not.toBe('pr-0123456789ab')
    const written = await readFile(copy, 'utf8')
    expect(written).toContain(`\n  # next to this file\n  photos: ${path.join(folder, 'Photos')}\n`)
    expect(written).toContain('name: copy # all of them\n')
    expect(await readFile(file, 'utf8')).toBe(text('/nowhere/Films'))
    answers.place = path.join(folder, 'photos.yaml')
    await expect(open.save(true)).rejects.toMatchObject({
      code: 'exists',
      message: `cannot write ${file}: it already exists; choose another name`,
    })
  })

  it('makes a new file with a comment for each key where no project is open', async () => {
    const open = desk()
    const { form } = await opened(desk())
    answers.place = path.join(folder, 'new.stowage.yaml')
    await expect(open.save(false)).rejects.toThrow(
      'cannot save a project without sources: add a folder or file first',
    )
    expect(open.change({ form, sources: [path.join(folder, 'Photos')], dats: [], missing: [] })).toBeNull()
    await open.save(false)
    const written = await readFile(answers.place, 'utf8')
    expect(asked).toEqual(['place photos.stowage.yaml'])
    expect(written).toContain('\nname: new\n')
    expect(written).toContain('\nsources:\n  photos: Photos\n')
    expect(written).toContain('\n# label: PHOTOS\n')
  })
})

describe('unsaved changes', () => {
  it('are asked about before another project takes their place, and stay where that is cancelled', async () => {
    const open = desk()
    const project = await opened(open)
    open.change(draftOf(project, { label: 'MINE' }))
    expect(await open.make()).toBeNull()
    expect(await open.openByDialog()).toBeNull()
    expect(open.state).toMatchObject({ file, isUnsaved: true })
    answers.unsaved = 'discard'
    expect(await open.make()).toMatchObject({ project: { file: null, isUnsaved: false }, sources: [] })
    expect(await readFile(file, 'utf8')).toBe(text('/nowhere/Films'))
    expect(asked).toEqual(Array(3).fill('unsaved Photos'))
  })

  it('are asked about before the project is closed, and none is open afterwards', async () => {
    const open = desk()
    const project = await opened(open)
    open.change(draftOf(project, { encryption: 'aes-256' }))
    answers.unsaved = 'cancel'
    expect(await open.close()).toBe(false)
    expect(open.state?.name).toBe('Photos')
    answers.unsaved = 'discard'
    expect(await open.close()).toBe(true)
    expect([open.state, states.at(-1)]).toEqual([null, null])
    expect(await open.current()).toBeNull()
    expect(await open.leave()).toBe(true)
  })

  it('hold up the closing of the window until they are saved or given up', async () => {
    const open = desk()
    const project = await opened(open)
    open.change(draftOf(project, { label: 'MINE' }))
    let closed = 0
    const failures: string[] = []
    const quit = new ProjectQuit(
      open,
      () => {
        closed += 1
      },
      (failure) => failures.push(failure.message),
    )
    expect(quit.mayClose()).toBe(false)
    await expect.poll(() => asked).toEqual(['unsaved Photos'])
    expect([closed, quit.mayClose()]).toEqual([0, false])
    answers.unsaved = 'save'
    await expect
      .poll(() => {
        quit.mayClose()
        return closed
      })
      .toBe(1)
    expect(quit.mayClose()).toBe(true)
    expect(await readFile(file, 'utf8')).toContain('label: MINE\n')
    expect(failures).toEqual([])
  })

  it('are those of a new project too, and never of a window without one', async () => {
    const open = desk()
    const made = await open.make()
    if (made === null) throw new Error('nothing was made')
    expect(open.change(draftOf(made))).toMatchObject({ isUnsaved: false })
    expect(open.change({ ...draftOf(made), sources: [path.join(folder, 'Photos')] })).toMatchObject({
      isUnsaved: true,
    })
    const none = desk()
    none.change({ ...draftOf(made), sources: [folder] })
    expect(await none.leave()).toBe(true)
  })
})

describe('recent projects', () => {
  it('are kept for the next start, the last one first, with the reason where one is gone', async () => {
    const other = path.join(folder, 'other.stowage.yaml')
    await writeFile(other, text('/f').replace('Photos #', 'Other #'))
    const open = desk()
    await open.open(other)
    await open.open(file)
    await rm(other)
    memory = await openProjectMemory(path.join(folder, 'data'))
    expect(await memory.recents()).toEqual([
      { recent: file, name: 'Photos', problem: null },
      { recent: other, name: 'Other', problem: 'no such file or folder' },
    ])
    await expect(desk().openRecent(other)).rejects.toMatchObject({ code: 'not-found' })
    await memory.forget(other)
    expect((await memory.recents()).map(({ recent }) => recent)).toEqual([file])
  })

  it('are the only files that the window can name', async () => {
    await expect(desk().openRecent(file)).rejects.toMatchObject({
      code: 'refused',
      message: `${file} is not among the recent projects`,
    })
    await desk().open(file)
    expect(await desk().openRecent(file)).toMatchObject({ project: { file } })
  })

  it('are none where the memory is broken, and are kept again from then on', async () => {
    const data = path.join(folder, 'data')
    await mkdir(data)
    await writeFile(path.join(data, 'projects.json'), '{ "recents": 3')
    memory = await openProjectMemory(data)
    expect(await memory.recents()).toEqual([])
    await desk().open(file)
    expect(await (await openProjectMemory(data)).recents()).toHaveLength(1)
  })
})

describe('an archive of the catalog', () => {
  const ID = 'pr-fedcba987654'

  it('opens with its sources and answers, and is never unsaved', async () => {
    const open = desk()
    const archive = await open.openArchive(ID)
    expect(archive).toMatchObject({
      project: {
        id: ID,
        name: 'Family',
        file: null,
        isArchive: true,
        missing: [{ name: 'films', path: '/nowhere/Films' }],
      },
      sources: [{ path: path.join(folder, 'Photos') }],
      form: { medium: 'dvd-r', copies: 2, rules: NO_RULES },
    })
    if (archive === null) throw new Error('it was not opened')
    expect(open.change(draftOf(archive, { medium: 'bd-r-25' }))).toMatchObject({ isUnsaved: false })
    expect(await open.leave()).toBe(true)
    expect(asked).toEqual([])
  })

  it('notes in the catalog where a source is now', async () => {
    const open = desk()
    await open.openArchive(ID)
    answers.source = path.join(folder, 'Photos')
    expect(await open.locate('films')).toMatchObject({ project: { missing: [] } })
    expect(placed).toEqual([`${ID} films ${path.join(folder, 'Photos')}`])
  })

  it('is written as a project file under its own ID', async () => {
    const open = desk()
    const archive = await open.openArchive(ID)
    if (archive === null) throw new Error('it was not opened')
    open.change(draftOf(archive, { label: 'FAMILY' }))
    answers.place = path.join(folder, 'Family.stowage.yaml')
    expect(await open.save(true)).toMatchObject({ project: { id: ID, isArchive: false } })
    const written = await readFile(answers.place, 'utf8')
    for (const line of [`id: ${ID}`, 'medium: dvd-r', 'label: FAMILY', 'copies: 2', '/nowhere/Films'])
      expect(written).toContain(line)
  })
})
