import { execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

// Bundles `server.js` with the bundler that the argument names, into `built/NAME/`. No package is external.

/** Dependencies in CommonJS call `require`, which esbuild leaves to the program. */
const defineRequire = "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)"

const name = process.argv[2]
const directory = `built/${name}`

const bundlers = {
  'esbuild-esm': async () => {
    const { build } = await import('esbuild')
    const banner = { js: defineRequire }
    await build({ ...esbuildOptions, format: 'esm', outfile: `${directory}/server.mjs`, banner })
  },
  'esbuild-cjs': async () => {
    const { build } = await import('esbuild')
    await build({ ...esbuildOptions, format: 'cjs', outfile: `${directory}/server.cjs`, minify: true })
  },
  rollup: async () => {
    const [{ rollup }, { nodeResolve }, { default: commonjs }] = await Promise.all([
      import('rollup'),
      import('@rollup/plugin-node-resolve'),
      import('@rollup/plugin-commonjs'),
    ])
    const bundle = await rollup({
      input: 'server.js',
      external: /^node:/,
      plugins: [nodeResolve({ exportConditions: ['node'], preferBuiltins: true }), commonjs()],
      onwarn: ({ code, message }) => {
        if (code !== 'CIRCULAR_DEPENDENCY') throw new Error(message)
      },
    })
    await bundle.write({ dir: directory, entryFileNames: 'server.mjs', chunkFileNames: '[name]-[hash].mjs' })
  },
  webpack: async () => {
    const { default: webpack } = await import('webpack')
    const stats = await promisify(webpack)({
      mode: 'production',
      target: 'node22',
      entry: './server.js',
      output: { path: `${process.cwd()}/${directory}`, filename: 'server.cjs' },
    })
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'))
  },
  vite: async () => {
    const { build } = await import('vite')
    await build({
      configFile: false,
      logLevel: 'warn',
      build: { ssr: 'server.js', outDir: directory, rollupOptions: { output: { entryFileNames: 'server.mjs' } } },
      ssr: { noExternal: true },
    })
  },
  next: async () => {
    const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
    execFileSync('node_modules/.bin/next', ['build', 'next-host'], { env: environment, stdio: 'inherit' })
  },
}

const esbuildOptions = { entryPoints: ['server.js'], bundle: true, platform: 'node', logLevel: 'error' }

try {
  await bundlers[name]()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
