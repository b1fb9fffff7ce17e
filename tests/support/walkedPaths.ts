import { entryPath, NATIVE_KIND, startNativeSurvey } from '../../src/engine/native/addon'
import { pathToBytes } from '../../src/primitives/pathText'

/** The files and folders that a walk of a tree meets, below its root, which has no other kinds. */
export async function walkedPaths(
  root: string,
  given: readonly string[],
  ignoreFiles: boolean,
): Promise<string[]> {
  const survey = startNativeSurvey({
    roots: [root],
    rules: {
      given: given.map(pathToBytes),
      presets: [],
      ignoreFiles,
      caches: false,
      mostBytes: null,
      oneFileSystem: false,
      trials: [],
    },
    walkOnly: true,
    blocksFrom512: false,
    sha256: false,
    maxTableBytes: 1 << 20,
    marks: false,
    threads: 1,
  })
  await survey.finished
  const paths: string[] = []
  for (let batch = survey.takeEntries(); batch; batch = survey.takeEntries()) {
    for (let index = 0; index < batch.count; index++) {
      const kind = batch.kinds[index]
      if (kind !== NATIVE_KIND.file && kind !== NATIVE_KIND.folder) throw new Error(`a kind ${kind}`)
      paths.push(entryPath(batch, index))
    }
  }
  await survey.close()
  return paths.filter((path) => path !== '').toSorted()
}
