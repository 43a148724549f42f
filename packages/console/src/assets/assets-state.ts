import type { Assets, AssetsOptions, AssetsState } from './assets.ts'

/** How the files of the page are found, and how they are built. */
export interface AssetsSteps extends Pick<AssetsOptions, 'onFault'> {
  /** Reads an existing build; `undefined` without one. */
  readonly find: () => Promise<Assets | undefined>
  readonly build: () => Promise<Assets>
}

/** Looks for the files with the first call, and builds them where they are absent. */
export function createAssetsState({ find, build, onFault }: AssetsSteps): AssetsState {
  let state: Assets | 'building' | 'failed' = 'building'
  const fail = (error: unknown) => {
    state = 'failed'
    onFault(error)
  }
  const look = () =>
    find().then((found) => {
      if (found) state = found
      else {
        build().then((built) => {
          state = built
        }, fail)
      }
    }, fail)
  let lookup: Promise<void> | undefined
  return async () => {
    lookup ??= look()
    await lookup
    return state
  }
}
