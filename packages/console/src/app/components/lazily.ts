import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** A part of the page that did not come; it does not before the page is loaded again. */
export class NotLoadedError extends Error {
  override readonly name = 'NotLoadedError'

  constructor(cause: unknown) {
    super('It could not be loaded.', { cause })
  }
}

/** A component whose code comes when it is first shown. */
export const lazily = <Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    load().catch((cause: unknown) => {
      throw new NotLoadedError(cause)
    }),
  )
