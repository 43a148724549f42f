import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Asset, Assets } from './assets.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads a directory that Vite built into memory. Files of other types are left out. */
export async function readAssets(directory: string): Promise<Assets> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = new Map(
    await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => {
          const file = join(entry.parentPath, entry.name)
          return [relative(directory, file).replaceAll(sep, '/'), await readFile(file)] as const
        }),
    ),
  )
  const assets = new Map<string, Asset>()
  for (const [path, plain] of files) {
    const contentType = contentTypes[extname(path)]
    if (contentType === undefined) continue
    const brotli = files.get(`${path}.br`)
    const gzip = files.get(`${path}.gz`)
    assets.set(path, {
      contentType,
      immutable: path.startsWith('assets/'),
      plain,
      ...(brotli && { brotli }),
      ...(gzip && { gzip }),
    })
  }
  return assets
}
