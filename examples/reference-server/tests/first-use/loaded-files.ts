import { renameSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// Loaded before a program. Writes the files that the program has loaded into the file that LOADED_FILES names, when asked
// by SIGUSR2.
const loaded: string[] = []
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) loaded.push(fileURLToPath(url.split('?')[0] ?? url))
    return next(url, context)
  },
})
const { LOADED_FILES: list = '' } = process.env
process.on('SIGUSR2', () => {
  writeFileSync(`${list}.draft`, JSON.stringify(loaded))
  renameSync(`${list}.draft`, list)
})
