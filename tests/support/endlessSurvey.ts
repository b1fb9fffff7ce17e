import { ADDON } from './nativeAddon'
import { hole } from './surveyedFolder'

/** A script that starts a survey of a quarter of an hour and, once that is at work, goes on with `whenBusy`. */
export function endlessSurvey(whenBusy: string): string {
  return `
    const { startSurvey } = require(${JSON.stringify(ADDON)})
    const survey = startSurvey({ roots: [Buffer.from(${JSON.stringify(hole())})], leaveOut: [], rules: null, countExcluded: false, walkOnly: false, listFirst: false, blocksFrom512: false, blockSizes: new Float64Array(), sha256: true, chunkers: new Float64Array(), anchors: false, sampleBytes: 0,
      maxTableBytes: 1 << 20, marks: true, fingerprints: null, known: null, threads: 2 })
    const look = () => survey.progress().bytesDone > 0 ? goOn() : setImmediate(look)
    const goOn = () => { ${whenBusy} }
    look()
  `
}

/** What a worker does then that is to be terminated. */
export const TELLS_BUSY = "require('node:worker_threads').parentPort.postMessage('busy')"
