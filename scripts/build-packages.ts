import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Options } from 'tsup'

/**
 * Builds the JavaScript of every package in one process: what takes the time of a single build is loading the bundler.
 * Declarations are the compiler's, see `npm run build`.
 */
const root = process.cwd()
for (const file of globSync('packages/*/tsup.config.ts').sort()) {
  const directory = resolve(root, dirname(file))
  // The options come from the package in the working directory; the compiler behind them keeps the first one.
  process.chdir(directory)
  const { default: options }: { default: () => Options } = await import(pathToFileURL(resolve(root, file)).href)
  await build({
    ...options(),
    config: false,
    esbuildOptions: (settings) => {
      settings.absWorkingDir = directory
    },
  })
}
process.chdir(root)
