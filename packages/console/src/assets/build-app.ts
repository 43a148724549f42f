import { resolve } from 'node:path'
import { build } from 'vite'

/** Builds the page into the directory that is named. */
const [, , directory] = process.argv
if (directory === undefined) throw new TypeError('A directory is needed')
await build({
  configFile: resolve(import.meta.dirname, '../../vite.config.ts'),
  build: { outDir: resolve(directory) },
  logLevel: 'warn',
})
