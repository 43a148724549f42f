import { readFileSync } from 'node:fs'
import type { Options } from 'tsup'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@trivium/source': string }>>
  readonly bin?: Readonly<Record<string, string>>
}

/** Returns the source of every export and every program of the package in the working directory. */
function entrySources(): Readonly<Record<string, string>> {
  const { exports, bin = {} }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const exported = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target['@trivium/source']],
  )
  const programs = Object.values(bin).map((file) => file.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))
  return Object.fromEntries(
    [...exported, ...programs].map((source) => [source.replace(/^\.\/src\/|\.ts$/g, ''), source]),
  )
}

/** Builds the JavaScript of every export and every program of the package in the working directory. `tsc -b` writes the declarations. */
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
