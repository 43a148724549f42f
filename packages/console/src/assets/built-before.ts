import { fileURLToPath } from 'node:url'
import type { AssetsOptions, AssetsState } from './assets.ts'
import { createAssetsState } from './assets-state.ts'
import { readAssets } from './read-assets.ts'

/** Opens the page that the published package contains. */
export function openAssets({ onFault }: AssetsOptions): AssetsState {
  const read = () => readAssets(fileURLToPath(new URL('../app/', import.meta.url)))
  return createAssetsState({ find: read, build: read, onFault })
}
