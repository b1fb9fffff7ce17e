import { existsSync } from 'node:fs'
import { type ArchiveDocument, projectOfIntent } from '../contract/dto/archive'
import { resolveMedium } from '../domain/media/resolveMedium'
import { type Project, projectOption, surveyRulesOf } from '../domain/project/project'
import type { ProjectName } from '../domain/survey/projectName'
import type { Rules } from '../domain/survey/rules/rules'
import { fsPath } from '../engine/files/fileSystem'
import { mediaCatalogue } from '../engine/media/mediaCatalogue'
import { packedPlan } from '../engine/sets/plan/packedPlan'
import { ruleFaults } from '../engine/survey/rules/nativeRules'
import { absolutePath } from '../files/absolutePath'
import { readProjectFile } from '../files/projectFile'
import { datsOf, type ProjectSource, sourcesOf } from '../files/projectSources'
import { type ProjectProblem, type ProjectText, requireProject } from '../files/projectText'
import { AppError, type AppErrorCode } from '../primitives/appError'
import { pathForDisplay } from '../primitives/pathText'
import { archiveNamed } from './archives'
import { openSession } from './session'
import type { ProjectSettings, UsedValue } from './settings'
import type { Terminal } from './terminal'
import { unknownName } from './unknownName'

/** The project of a command line: of a file, or an archive of the catalog. */
export interface GivenProject extends ProjectSettings {
  readonly isArchive: boolean
  readonly project: Project
  readonly name: ProjectName
  readonly sources: readonly ProjectSource[]
  readonly rules: Rules
  /** Absolute paths of the DATs by which its surveys group files; absent for none. */
  readonly dats?: readonly string[]
}

interface ProjectValues {
  readonly project?: string | undefined
  readonly archive?: string | undefined
  readonly source?: string[] | undefined
  readonly survey?: string | undefined
}

/**
 * The project file or the archive that a command is given; null for none. Its sources need not be
 * there.
 * @throws AppError `usage` for paths or a survey next to it, `bad-input` for a file with problems,
 *   `not-found` for an archive that the catalog does not know
 */
export async function projectGiven(
  values: ProjectValues,
  positionals: readonly string[],
  out: Terminal,
): Promise<GivenProject | null> {
  const { project: file, archive, source: remapped = [], survey } = values
  if (file !== undefined && archive !== undefined)
    throw new AppError('usage', 'give --project or --archive, not both')
  const given = file ?? archive
  if (given === undefined) {
    if (remapped.length > 0) throw new AppError('usage', '--source goes with --project or --archive')
    return null
  }
  const option = archive === undefined ? '--project' : '--archive'
  if (given === '') throw new AppError('usage', `${option} is empty`)
  const other = survey === undefined ? positionals.join(' ') : `--survey ${survey}`
  if (other !== '') throw new AppError('usage', `give ${other} or ${option} ${given}, not both`)
  if (archive === undefined) return projectOfFile(given, remapped)
  const found = await archiveAsProject(archive, out)
  return { ...found, sources: moved(found.sources, remapped) }
}

async function projectOfFile(given: string, remapped: readonly string[]): Promise<GivenProject> {
  const file = absolutePath(given)
  const text = await readProjectFile(file)
  const project = requireProject(text, pathForDisplay(given))
  const [fault] = faultsOfRules(project, text)
  if (fault) throw new AppError('bad-input', `${fault.place}: ${fault.message}`, { path: file })
  return {
    file,
    isArchive: false,
    project,
    name: { id: project.id, name: project.name },
    sources: moved(sourcesOf(project, file), remapped),
    rules: surveyRulesOf(project.rules),
    ...(project.dat !== undefined && { dats: datsOf(project, file) }),
    medium: project.medium,
    mediumPlace: text.placeOf(['medium']),
  }
}

/** The archive of that name or ID, as a project file would give its sources and answers. */
async function archiveAsProject(word: string, out: Terminal): Promise<GivenProject> {
  await using session = openSession(out)
  return projectOfArchive(archiveNamed((await session.engine.archive.list()).archives, word))
}

/** @throws AppError `not-found` for an archive of which only volumes were seen */
function projectOfArchive(archive: ArchiveDocument): GivenProject {
  const { id, name, sources, rules, medium } = archive
  if (sources.length === 0)
    throw new AppError(
      'not-found',
      `nothing is known of the sources of ${name}: plan them with --archive ${id}`,
    )
  return {
    file: `archive ${name}`,
    isArchive: true,
    name: { id, name },
    sources: sources.map(({ name: source, path }) => ({ name: source, path, written: path })),
    rules,
    medium: medium ?? undefined,
    mediumPlace: `archive ${name}`,
    project: projectOfIntent(archive),
  }
}

/**
 * The sources with the paths that `--source NAME=PATH` gives.
 * @throws AppError `usage` for a name that no source has
 */
export function moved(sources: readonly ProjectSource[], remapped: readonly string[]): ProjectSource[] {
  const paths = new Map<string, string>()
  const names = sources.map(({ name }) => name)
  for (const text of remapped) {
    const at = text.indexOf('=')
    const name = text.slice(0, at)
    if (at <= 0 || at === text.length - 1)
      throw new AppError('usage', `--source takes NAME=PATH, not "${text}"`)
    if (!names.includes(name)) {
      throw unknownName('source', name, names)
    }
    if (paths.has(name)) throw new AppError('usage', `--source gives ${name} twice`)
    paths.set(name, absolutePath(text.slice(at + 1)))
  }
  return sources.map((source) => ({ ...source, path: paths.get(source.name) ?? source.path }))
}

/** True when something is at the path of a source. */
export function isThere({ path }: Pick<ProjectSource, 'path'>): boolean {
  return existsSync(fsPath(path))
}

/**
 * The paths to survey, in the order of the project.
 * @throws AppError `not-found` naming the first source that is not there
 */
export function pathsOf({ sources }: GivenProject): string[] {
  const missing = sources.find((source) => !isThere(source))
  if (missing) {
    const { name, path } = missing
    const message = `source ${name} is not there: ${pathForDisplay(path)} (mount it, or give --source ${name}=PATH)`
    throw new AppError('not-found', message, { path })
  }
  return sources.map(({ path }) => path)
}

/** The keys of a project that an option of a command can give instead. */
type Key = 'option' | 'optionFor' | 'encryption' | 'label' | 'protection' | 'goal'

/**
 * For `--print-config`: the values that an option or the project gives, and which of the two.
 * @param given each key with the option and its text
 */
export function projectValues(
  { project, file }: GivenProject,
  given: Readonly<Partial<Record<Key, readonly [option: string, text: string | undefined]>>>,
): UsedValue[] {
  return Object.entries(given).flatMap(([key, [option, text]]): UsedValue[] => {
    const own = project[key as Key]
    if (text !== undefined) return [{ key, value: text, origin: 'option', from: option }]
    return own === undefined ? [] : [{ key, value: [own].flat().join(' '), origin: 'project', from: file }]
  })
}

/** A problem of a project, with the code that decides the exit code of `project check`. */
export interface FoundProblem extends ProjectProblem {
  readonly code: AppErrorCode
  readonly path?: string
}

/**
 * Everything in a project that a command would refuse.
 * @param usualMedium the medium of plans where the project names none
 * @param remapped as `--source` has it
 */
export function problemsOf(
  text: ProjectText,
  file: string,
  usualMedium: () => string,
  remapped: readonly string[],
): FoundProblem[] {
  const { project, problems } = text
  if (!project) return problems.map((problem) => Object.assign({}, problem, { code: 'bad-input' as const }))
  const sources = moved(sourcesOf(project, file), remapped)
  const found = [
    ...faultsOfUse(project, text, usualMedium),
    ...missingSources(sources, text),
    ...missingDats(project, text, file),
  ]
  const keyOf = ({ place }: FoundProblem): number => {
    const { line, column } = lineOf(place)
    return line * 1e6 + column
  }
  return found.toSorted((one, other) => keyOf(one) - keyOf(other))
}

/** `/a/b.yaml:3:8` as numbers. */
export function lineOf(place: string): { readonly line: number; readonly column: number } {
  const [column, line] = place.split(':').toReversed()
  return { line: Number(line), column: Number(column) }
}

/** The faults of medium, option, encryption and rules. */
export function faultsOfUse(project: Project, text: ProjectText, usualMedium: () => string): FoundProblem[] {
  const { option, optionFor, encryption } = project
  const rules = faultsOfRules(project, text)
  const found = faultOf(text.placeOf(['medium']), () =>
    resolveMedium(mediaCatalogue, project.medium ?? usualMedium()),
  )
  if ('fault' in found) return [...rules, found.fault]
  if (option === undefined && optionFor === undefined && encryption === undefined) return rules
  const key = optionFor === undefined ? (option === undefined ? 'encryption' : 'option') : 'optionFor'
  const packed = faultOf(text.placeOf([key]), () =>
    packedPlan({ recipe: projectOption(project), encryption, joined: false }, found.value),
  )
  return 'fault' in packed ? [...rules, packed.fault] : rules
}

function faultOf<T>(place: string, work: () => T): { readonly value: T } | { readonly fault: FoundProblem } {
  try {
    return { value: work() }
  } catch (thrown) {
    const { code, message } = AppError.from(thrown)
    return { fault: { place, message, code } }
  }
}

function faultsOfRules({ rules }: Project, text: ProjectText): FoundProblem[] {
  const { patterns } = surveyRulesOf(rules)
  if (patterns.length === 0) return []
  return ruleFaults({ patterns }).map(({ index, message }) => ({
    place: text.placeOf(['rules', 'patterns', index]),
    message,
    code: 'bad-input',
  }))
}

function missingSources(sources: readonly ProjectSource[], text: ProjectText): FoundProblem[] {
  return sources
    .filter((source) => !isThere(source))
    .map(({ name, path }) => ({
      place: text.placeOf(['sources', name]),
      message: `source ${name} is not there: ${pathForDisplay(path)}`,
      code: 'not-found',
      path,
    }))
}

function missingDats(project: Project, text: ProjectText, file: string): FoundProblem[] {
  const isList = typeof project.dat !== 'string'
  return datsOf(project, file).flatMap((path, at): FoundProblem[] => {
    if (isThere({ path })) return []
    const place = text.placeOf(isList ? ['dat', at] : ['dat'])
    return [{ place, message: `the DAT is not there: ${pathForDisplay(path)}`, code: 'not-found', path }]
  })
}
