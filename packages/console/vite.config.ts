import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

// The page is the same whoever builds it: a test's server would get React's development build.
process.env.NODE_ENV = 'production'

/** Smaller files gain nothing. */
const LEAST_BYTES = 1024

/** Writes each file compressed beside itself, so that a server need not. */
function compressed(): Plugin {
  let directory = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ build, root }) {
      directory = resolve(root, build.outDir)
    },
    async closeBundle() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && /\.(js|css|html|svg)$/.test(entry.name))
      await Promise.all(
        files.map(async ({ parentPath, name }) => {
          const file = join(parentPath, name)
          const content = await readFile(file)
          if (content.length < LEAST_BYTES) return
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
          await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality))
          await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }))
        }),
      )
    },
  }
}

export default defineConfig({
  root: join(import.meta.dirname, 'src/app'),
  // Assets are found relative to the page, wherever a host mounts it.
  base: './',
  publicDir: false,
  cacheDir: join(import.meta.dirname, 'node_modules/.cache/vite'),
  resolve: { conditions: ['@trivium/source', ...defaultClientConditions] },
  build: {
    outDir: join(import.meta.dirname, 'dist/app'),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy lets no inline script or style in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onwarn(warning, tell) {
        // Libraries mark what a server may not render; nothing is rendered there.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') tell(warning)
      },
    },
  },
  plugins: [compressed()],
})
