import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** A part of the page could not be loaded. Browsers can keep the failure until the page is loaded again. */
export class NotLoadedError extends Error {
  override readonly name = 'NotLoadedError'

  constructor(cause: unknown) {
    super('A part of the page could not be loaded.', { cause })
  }
}

/** A component whose code is loaded when it is first shown. Throws a `NotLoadedError` when that fails. */
export const lazyComponent = <Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    load().catch((cause: unknown) => {
      throw new NotLoadedError(cause)
    }),
  )
