import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/** Lets modules of this repository find their own files where they are, which is not next to the bundle. */
export const ownAddresses: Plugin = {
  name: 'own-addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/](packages|examples)[\\/].*\.(ts|js)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (path.includes('node_modules') || !text.includes('import.meta.')) return undefined
      const addresses = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) }
      const contents = Object.entries(addresses).reduce(
        (changed, [name, address]) => changed.replaceAll(`import.meta.${name}`, JSON.stringify(address)),
        text,
      )
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
}
