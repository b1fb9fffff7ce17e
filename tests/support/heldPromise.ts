import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { type SeededRandom, seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { scratchedDisc } from './scratchedDisc'
import { makeShape, type ScratchShape } from './scratchShapes'

/** More lost blocks take minutes to repair. */
const MOST_LOST_BLOCKS = 1500

/** How far the promise of a plan was tried. */
interface Tried {
  readonly discs: number
  readonly unprotected: number
  /** The longest scratch in sectors that every protected disc survives. */
  readonly promised: number
  readonly scratches: number
  readonly repairs: number
  /** Scratches within the promise that are not repairable, and repaired images that are not whole. */
  readonly broken: readonly string[]
}

/**
 * Plans and builds a shape, and tries the promised scratch on every disc: at the worst place by the
 * planner and at random ones by reading the image, and some of them with `stowage repair`.
 * @param folder of its own, which is emptied
 */
export async function triedPromise(
  of: ScratchShape,
  folder: string,
  { random: places, repairs }: { readonly random: number; readonly repairs: number },
): Promise<Tried> {
  const source = join(folder, 'source')
  const plan = join(folder, 'plan')
  const home = join(folder, 'home')
  mkdirSync(folder, { recursive: true })
  makeShape(of, source)
  const run = async (...args: string[]): Promise<CommandEnd> => {
    const end = await stowage(args, { home, asTyped: true })
    if (end.code !== 0) throw new Error(`${of.name}: ${args[0]} ended with ${end.code}: ${end.stderr}`)
    return end
  }
  await run('survey', source, '--samples', 'none', '--sha256')
  await run('plan', source, '--medium', of.mediumId, '--protect', of.protect, '--out', plan)
  await run('build', plan)
  const { volumes } = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')) as PlanDocument
  const random = seededRandom(5)
  const broken: string[] = []
  let scratches = 0
  let repaired = 0
  let promised = Number.POSITIVE_INFINITY
  for (const volume of volumes.filter(({ protection }) => protection)) {
    const number = String(volume.index).padStart(Math.max(2, String(volumes.length).length), '0')
    const disc = await scratchedDisc(join(plan, 'images', `${number}.iso`), volume)
    promised = Math.min(promised, disc.promised)
    const firsts = placesOn(disc, places, random)
    for (const [at, first] of firsts.entries()) {
      const where = `${of.name}, ${volume.label}: ${disc.promised} sectors from ${first}`
      scratches += 1
      if (!disc.survives(first, disc.promised)) broken.push(`${where} are lost`)
      if (at >= repairs || disc.promised === 0) continue
      if (disc.lostBlocks(first, disc.promised) > MOST_LOST_BLOCKS) continue
      const damaged = join(folder, 'damaged.iso')
      const out = join(folder, 'repaired.iso')
      disc.scratchedTo(damaged, first, disc.promised)
      await run('repair', damaged, '--out', out)
      repaired += 1
      if (!disc.isWhole(out)) broken.push(`${where} are repaired wrong`)
      for (const path of [damaged, out]) rmSync(path)
    }
  }
  rmSync(folder, { recursive: true, force: true })
  const unprotected = volumes.filter(({ protection }) => protection === undefined).length
  return {
    discs: volumes.length,
    unprotected,
    promised: Number.isFinite(promised) ? promised : 0,
    scratches,
    repairs: repaired,
    broken,
  }
}

/** The worst place, the ends of the image, and random places. */
function placesOn(
  {
    sectors,
    promised,
    worst,
  }: { readonly sectors: number; readonly promised: number; readonly worst: number },
  count: number,
  random: SeededRandom,
): number[] {
  const last = Math.max(0, sectors - promised)
  const around = [worst, worst - promised, worst + 1, 0, last].map((first) =>
    Math.max(0, Math.min(last, first)),
  )
  return [...around, ...Array.from({ length: count }, () => random.below(last + 1))]
}
