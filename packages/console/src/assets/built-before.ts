import { fileURLToPath } from 'node:url'
import type { Assets } from './assets.ts'
import { readAssets } from './read-assets.ts'

let assets: Promise<Assets> | undefined

/** The page as the package brings it. */
export function openAssets(): Promise<Assets> {
  assets ??= readAssets(fileURLToPath(new URL('../app/', import.meta.url)))
  return assets
}
