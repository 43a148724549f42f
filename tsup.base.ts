import { readFileSync } from 'node:fs'
import type { Options } from 'tsup'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@trivium/source': string }>>
}

/** Returns the source of every export of the package in the working directory. */
function entrySources(): Readonly<Record<string, string>> {
  const { exports }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  return Object.fromEntries(
    Object.values(exports).flatMap((target) => {
      if (typeof target === 'string') return []
      const source = target['@trivium/source']
      return [[source.replace(/^\.\/src\/|\.ts$/g, ''), source]]
    }),
  )
}

/** Builds the JavaScript of every export of the package in the working directory. `tsc -b` writes the declarations. */
export default (): Options => ({
  entry: entrySources(),
  outDir: 'dist',
  // Chunks of earlier builds would be published too. Declarations are the compiler's.
  clean: ['!**/*.d.ts', '!**/*.d.ts.map'],
  format: ['esm'],
  target: 'node22',
  platform: 'neutral',
  external: [/^node:/],
  sourcemap: true,
  splitting: true,
  treeshake: false,
  silent: true,
  // Modules such as node:sqlite exist only with the prefix.
  removeNodeProtocol: false,
})
