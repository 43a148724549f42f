import { copyFileSync, readFileSync } from 'node:fs'
import type { Options } from 'tsup'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@trivium/source': string }>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Its 44 modules take longer to load than most packages. Copies of it share what an SDK registers. */
const BUNDLED = '@opentelemetry/api'

const readManifest = (): Manifest => JSON.parse(readFileSync('package.json', 'utf8'))

/** Adds the licence of the bundled package to the output. */
async function copyLicence(): Promise<void> {
  if (readManifest().dependencies?.[BUNDLED] === undefined) return
  copyFileSync(`../../node_modules/${BUNDLED}/LICENSE`, 'dist/LICENSE-opentelemetry-api')
}

/** Returns the source of every export and every program of the package in the working directory. */
function entrySources(): Readonly<Record<string, string>> {
  const { exports, bin = {} } = readManifest()
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
  noExternal: [BUNDLED],
  onSuccess: copyLicence,
  sourcemap: true,
  splitting: true,
  treeshake: false,
  silent: true,
  // Modules such as node:sqlite exist only with the prefix.
  removeNodeProtocol: false,
})
