import { fileURLToPath } from 'node:url'
import type { Asset, Assets } from './assets.ts'
import { readAssets } from './read-assets.ts'

let assets: Promise<Assets> | undefined

/** A file of the page as the package brings it. */
export async function findAsset(path: string): Promise<Asset | undefined> {
  assets ??= readAssets(fileURLToPath(new URL('../app/', import.meta.url)))
  return (await assets).get(path)
}
