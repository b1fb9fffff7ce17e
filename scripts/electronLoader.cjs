/**
 * What the fallback runtime starts with, as the official one's default app does: run the app folder (or file) that is
 * the first argument which is not a switch. Packed into the runtime's resources/default_app.asar.
 */
const { app } = require('electron')
const fs = require('node:fs')
const path = require('node:path')

const args = process.argv.slice(1)
const target = args.find((arg) => !arg.startsWith('-'))
if (target === undefined) {
  process.stderr.write('usage: electron <folder of the app> [arguments]\n')
  process.exit(2)
}

const location = path.resolve(target)
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true })
const manifestPath = path.join(location, 'package.json')
if (fs.existsSync(manifestPath)) {
  const manifest = JSON.parse(fs.readFileSync(manifestPath, 'utf8'))
  app.setName(manifest.productName ?? manifest.name)
  if (manifest.version) app.setVersion(manifest.version)
  app.setAppPath(location)
}
require(location)
