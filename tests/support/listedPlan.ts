import type { PlanListItem } from '../../src/contract/dto/plan'

/** An exported plan of three discs, of which nothing was built, as the catalog lists it. */
export function listedPlan(createdWallMs: number): PlanListItem {
  return {
    id: 'p1',
    createdWallMs,
    surveyId: 's1',
    roots: ['/media/photos'],
    mediumId: 'bd-r-25',
    mediumName: 'BD-R 25 GB',
    mediumKind: 'image',
    volumes: 3,
    built: 0,
    written: 0,
    verified: 0,
    failed: 0,
    files: 10,
    bytes: 1e9,
    directory: '/plans/photos',
    directoryExists: true,
    firstLabel: 'PHOTOS_01',
    lastLabel: 'PHOTOS_03',
    project: null,
    onMedia: 0,
    good: 0,
    verifiedWallMs: null,
    checkByWallMs: null,
    lastRun: null,
  }
}
