import { basename, dirname } from 'node:path'
import type { JsonDocument } from '../../contract/documents'
import type { TableColumn } from '../../contract/tables/declaredTable'
import {
  checkedProject,
  PROJECT_ENDING,
  PROJECT_SCHEMA,
  type Project,
  type ProjectRules,
  projectJsonSchema,
  SETTABLE_KEYS,
  surveyRulesOf,
} from '../../domain/project/project'
import { sourceName } from '../../domain/project/sourceName'
import type { ProjectPlan } from '../../domain/sets/projectPlan'
import type { Rules } from '../../domain/survey/rules/rules'
import { newId } from '../../engine/jobs/newId'
import { absolutePath } from '../../files/absolutePath'
import { changedProjectText } from '../../files/projectEdit'
import {
  changeProjectFile,
  createProjectFile,
  projectFileText,
  readProjectFile,
} from '../../files/projectFile'
import { sourcesOf, writtenSource } from '../../files/projectSources'
import { newProjectText, readProjectText, requireProject } from '../../files/projectText'
import { AppError } from '../../primitives/appError'
import { EXIT, exitCodeOf } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount } from '../../primitives/quantity'
import { noPositionals, onlyPositional, readArguments } from '../arguments'
import {
  PROJECT_CHECK,
  PROJECT_INIT,
  PROJECT_SCHEMA_FORM,
  PROJECT_SET,
  PROJECT_SHOW,
  PROJECT_UNSET,
} from '../declarations/project'
import { type FoundProblem, faultsOfUse, isThere, lineOf, moved, problemsOf } from '../project'
import { openSession } from '../session'
import { openSettings } from '../settings'
import { firstRows } from '../shape/firstRows'
import { nextCommand, typedPath } from '../shape/nextCommand'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { encryptionOf } from './optionDemands'
import { rulesText } from './rulesText'
import { givenRules } from './surveyRules'

const VERBS = { init, show, check, set, unset, schema }

/** `stowage project`: files that hold what one archive is about. */
export async function projectCommand(args: readonly string[], out: Terminal): Promise<number> {
  const [verb, ...rest] = args
  const known = Object.keys(VERBS)
  if (verb === undefined || verb.startsWith('-'))
    throw new AppError('usage', `action is missing: one of ${known.join(', ')}`)
  if (!Object.hasOwn(VERBS, verb)) throw unknownName('action', verb, known)
  return VERBS[verb as keyof typeof VERBS](rest, out)
}

async function init(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals, tokens } = readArguments(args, PROJECT_INIT)
  const [name, ...paths] = positionals
  if (name === undefined) throw new AppError('usage', `name is missing: NAME${PROJECT_ENDING}`)
  const file = absolutePath(name)
  if (!file.endsWith(PROJECT_ENDING) || basename(file) === PROJECT_ENDING) {
    const instead = `${basename(name).replace(/\.ya?ml$/, '') || 'NAME'}${PROJECT_ENDING}`
    throw new AppError('usage', `the name of a project file ends in ${PROJECT_ENDING}, as in ${instead}`)
  }
  const sources = namedSources(paths, dirname(file))
  const rules = writtenRules(await givenRules(tokens, values), values['exclude-larger-than'])
  const project: Project = {
    id: newId('pr'),
    name: basename(file).slice(0, -PROJECT_ENDING.length),
    sources,
    ...(Object.keys(rules).length > 0 && { rules }),
    medium: values.medium,
    option: values.option,
    optionFor: values['option-for'],
    encryption: encryptionOf(values.encrypt),
    label: values.label,
  }
  const isEmpty = paths.length === 0
  const { sources: _, ...withoutSources } = project
  const text = newProjectText(isEmpty ? withoutSources : project)
  await requireUsable(isEmpty ? newProjectText({ ...project, sources: { source: '.' } }) : text, file, out)
  await createProjectFile(file, text, values.force)
  out.document(documentOf(project, file))
  out.line(`Project ${project.id} is in ${pathForDisplay(typedPath(file))}.`)
  if (isEmpty) out.line('It has no sources yet: add them to the file.')
  const verb = isEmpty ? 'check' : 'show'
  out.lines(nextCommand('Next:', ['project', verb, typedPath(file)]))
  return EXIT.done
}

/** @throws AppError with the first problem of a file that is not written yet */
async function requireUsable(text: string, file: string, out: Terminal): Promise<void> {
  const read = readProjectText(text, file)
  const settings = await openSettings(out)
  const usualMedium = (): string => settings.used('medium').value
  const [first] = read.project ? faultsOfUse(read.project, read, usualMedium) : read.problems
  if (!first) return
  throw new AppError('code' in first ? (first as FoundProblem).code : 'usage', first.message)
}

/**
 * A name for each path, made of its last part. A path inside the folder of the project file is
 * written relative to it, so that both can be moved together.
 * @throws AppError `not-found` for a path that is not there
 */
function namedSources(paths: readonly string[], folder: string): Record<string, string> {
  const sources: Record<string, string> = {}
  for (const given of paths) {
    const path = absolutePath(given)
    if (!isThere({ path })) {
      const message = `cannot read ${pathForDisplay(path)}: no such file or folder`
      throw new AppError('not-found', message, { path })
    }
    sources[sourceName(path, Object.keys(sources))] = writtenSource(path, folder)
  }
  return sources
}

/** The rules that differ from those of a survey that asks for none. */
function writtenRules(rules: Rules, largerThan: string | undefined): ProjectRules {
  const { patterns, presets, ignoreFiles, caches, oneFileSystem } = rules
  return {
    ...(patterns.length > 0 && { patterns }),
    ...(presets.length > 0 && { presets }),
    ...(!ignoreFiles && { ignoreFiles }),
    ...(caches && { caches }),
    ...(largerThan !== undefined && { largerThan }),
    ...(oneFileSystem && { oneFileSystem }),
  }
}

function documentOf(
  project: Project,
  file: string,
  sources = sourcesOf(project, file),
  plans?: readonly ProjectPlan[],
): JsonDocument {
  const {
    id,
    name,
    rules,
    dat,
    layout,
    medium,
    option,
    optionFor,
    encryption,
    label,
    protection,
    copies,
    goal,
  } = project
  return {
    schema: PROJECT_SCHEMA,
    file,
    id,
    name,
    sources: sources.map(({ name: source, written, path }) => ({
      name: source,
      written,
      path,
      isThere: isThere({ path }),
    })),
    rules: surveyRulesOf(rules),
    dat: [dat ?? []].flat(),
    ...(layout && { layout }),
    medium: medium ?? null,
    option: option ?? null,
    ...(optionFor !== undefined && { optionFor: [optionFor].flat() }),
    encryption: encryption ?? null,
    label: label ?? null,
    protection: protection ?? null,
    copies: copies ?? null,
    goal: goal ?? null,
    ...(plans && { plans }),
  }
}

async function show(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, PROJECT_SHOW)
  const given = onlyPositional(positionals, 'project file')
  const file = absolutePath(given)
  const project = requireProject(await readProjectFile(file), pathForDisplay(given))
  const remapped = values.source ?? []
  const sources = moved(sourcesOf(project, file), remapped)
  await using session = openSession(out, { canDoWithout: true })
  const plans = await session.projectPlans(
    { id: project.id, name: project.name },
    (values.plan ?? []).map((each) => absolutePath(each)),
  )
  out.document(documentOf(project, file, sources, plans))
  out.line(`${project.name} (${project.id})`)
  out.line()
  out.lines(ownTableLines(SOURCE_COLUMNS, sources))
  out.line()
  const { layout, medium, option, optionFor, encryption, label, protection, copies, goal } = project
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['Left out', rulesText(surveyRulesOf(project.rules), { withPatterns: true })],
    ['DATs', project.dat && [project.dat].flat().join(', ')],
    ['Layout of ROM sets', layout],
    ['Medium', medium],
    ['Option', option],
    ['Options by folder', optionFor && [optionFor].flat().join(', ')],
    ['Encryption', encryption],
    ['Labels', label && `${label}_01, ${label}_02 and so on`],
    ['Recovery data', protection],
    ['Copies', copies],
    ['Goal', goal],
  ]
  for (const [what, value] of facts)
    if (value !== undefined) out.lines(wrapped(`${what}: ${pathForDisplay(String(value))}`, '  '))
  printPlans(plans, out)
  out.line()
  const missing = sources.filter((source) => !isThere(source))
  const elsewhere = [...remapped, ...missing.map(({ name }) => `${name}=PATH`)].flatMap((each) => [
    '--source',
    each,
  ])
  out.lines(nextCommand('Next:', ['survey', '--project', typedPath(file), ...elsewhere]))
  return EXIT.done
}

const SOURCE_COLUMNS: readonly TableColumn<ReturnType<typeof sourcesOf>[number], string>[] = [
  { heading: 'source', kind: 'name', of: ({ name }) => name },
  { heading: 'path', kind: 'path', of: ({ path }) => path },
  { heading: 'state', kind: 'words', of: (source) => (isThere(source) ? 'there' : 'not there') },
]

const PLAN_COLUMNS: readonly TableColumn<ProjectPlan, string>[] = [
  { heading: 'plan', kind: 'code', of: ({ id }) => id },
  { heading: 'made', kind: 'minute', of: ({ createdWallMs }) => createdWallMs },
  { heading: 'medium', kind: 'words', of: ({ medium }) => medium ?? '' },
  { heading: 'volumes', kind: 'words', of: ({ volumes }) => volumesText(volumes) },
  { heading: 'exported to', kind: 'path', of: ({ directory }) => directory ?? '' },
]

/** Plans that are shown, newest first. */
const SHOWN_PLANS = 5

function printPlans(plans: readonly ProjectPlan[], out: Terminal): void {
  if (plans.length === 0) return
  const { shown, rest } = firstRows(plans, SHOWN_PLANS, '--json')
  out.line()
  out.lines(ownTableLines(PLAN_COLUMNS, shown))
  out.lines(rest)
}

/** `2 verified, 1 planned`. */
function volumesText(volumes: ProjectPlan['volumes']): string {
  const counts = Map.groupBy(volumes, ({ state }) => state ?? 'listed on a volume')
  return [...counts].map(([state, { length: count }]) => `${formatCount(count)} ${state}`).join(', ')
}

async function check(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, PROJECT_CHECK)
  const given = onlyPositional(positionals, 'project file')
  const file = absolutePath(given)
  const text = await readProjectFile(file)
  const settings = await openSettings(out)
  const problems = problemsOf(text, file, () => settings.used('medium').value, values.source ?? [])
  out.document({
    schema: 'stowage.project-check/1',
    file,
    problems: problems.map(({ place, message, code, path }) => ({
      ...lineOf(place),
      code,
      message,
      ...(path !== undefined && { path }),
    })),
  })
  for (const { place, message } of problems) out.line(`${place}: ${message}`)
  if (problems.length === 0) out.line(`${pathForDisplay(given)}: no problems`)
  const codes = problems.map(({ code }) => exitCodeOf(code))
  return codes.includes(EXIT.usage) ? EXIT.usage : (codes[0] ?? EXIT.done)
}

async function set(args: readonly string[], out: Terminal): Promise<number> {
  const [given, key, ...rest] = readArguments(args, PROJECT_SET).positionals
  if (given === undefined || key === undefined)
    throw new AppError('usage', 'project file, key and value are missing')
  if ((key === 'dat' || key === 'optionFor') && rest.length > 1) return changed(given, key, rest, out)
  return changed(given, key, onlyPositional(rest, `value of ${key}`), out)
}

async function unset(args: readonly string[], out: Terminal): Promise<number> {
  const [given, key, ...more] = readArguments(args, PROJECT_UNSET).positionals
  if (given === undefined || key === undefined)
    throw new AppError('usage', 'project file and key are missing')
  noPositionals(more, `project unset FILE ${key}`)
  return changed(given, key, undefined, out)
}

/** @throws AppError before anything is written */
async function changed(
  given: string,
  key: string,
  value: string | readonly string[] | undefined,
  out: Terminal,
): Promise<number> {
  const file = absolutePath(given)
  const shown = pathForDisplay(given)
  const change = (project: Project): Project => withValue(project, key, value)
  const before = await projectFileText(file)
  const now = requireProject(readProjectText(before, shown), shown)
  await requireUsable(changedProjectText(before, shown, change(now)), file, out)
  await changeProjectFile(file, change)
  out.document(documentOf(change(now), file))
  const text = [value ?? []].flat().join(', ')
  const said = value === undefined ? `${key} is no longer in the project` : `${key} is now ${text}`
  out.line(pathForDisplay(`${said}: ${file}`))
  return EXIT.done
}

const SOURCE_KEY = /^sources\.(.+)$/

/** @throws AppError `usage` for a key that cannot be set, or another value than it takes */
function withValue(project: Project, key: string, text: string | readonly string[] | undefined): Project {
  const source = SOURCE_KEY.exec(key)?.[1]
  if (source !== undefined) {
    const { [source]: before, ...others } = project.sources
    if (text === undefined && before === undefined)
      throw new AppError('usage', `the project has no source "${source}"`)
    return checkedProject({
      ...project,
      sources: text === undefined ? others : { ...project.sources, [source]: text },
    })
  }
  const known = SETTABLE_KEYS.find((each) => each === key)
  if (known === undefined) {
    const why = key === 'id' ? 'id is permanent' : key === 'rules' ? 'rules are changed in an editor' : null
    if (why !== null) throw new AppError('usage', why)
    throw unknownName('key', key, SETTABLE_KEYS, ['sources.NAME'])
  }
  if (text === undefined) {
    const { [known]: _, ...others } = project
    return checkedProject(others)
  }
  return checkedProject({
    ...project,
    [known]: known === 'copies' && /^\d+$/.test(String(text)) ? Number(text) : text,
  })
}

async function schema(args: readonly string[], out: Terminal): Promise<number> {
  noPositionals(readArguments(args, PROJECT_SCHEMA_FORM).positionals, 'project schema')
  out.document(projectJsonSchema())
  out.lines(JSON.stringify(projectJsonSchema(), null, 2).split('\n'))
  return EXIT.done
}
