import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

// Tests set another value, which selects React's development build.
process.env.NODE_ENV = 'production'

/** Compression gains nothing for smaller files. */
const MIN_BYTES = 1024

/** Writes each file compressed next to the original, so that servers do not compress. */
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
          if (content.length < MIN_BYTES) return
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
  // Addresses of assets are relative to the page, so that a host can mount it anywhere.
  base: './',
  publicDir: false,
  cacheDir: join(import.meta.dirname, 'node_modules/.cache/vite'),
  resolve: { conditions: ['@trivium/source', ...defaultClientConditions] },
  build: {
    outDir: join(import.meta.dirname, 'dist/app'),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy refuses inline scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'quotas.html'].map((page) => join(import.meta.dirname, 'src/app', page)),
      onwarn(warning, warn) {
        // Libraries mark what a server cannot render, and no server renders this page.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  plugins: [compressed()],
})
