import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Options } from 'tsup'

/**
 * Builds the JavaScript of every package in one process, since loading the bundler takes most of the time of a build.
 * The compiler writes the declarations, see `npm run build`.
 */
const root = process.cwd()
for (const file of globSync('packages/*/tsup.config.ts').sort()) {
  const directory = resolve(root, dirname(file))
  // The options are those of the package in the working directory. The bundler would keep the first directory.
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
