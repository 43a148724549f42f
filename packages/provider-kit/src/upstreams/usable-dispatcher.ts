/**
 * Returns the dispatcher. Bun has a module `undici` of its own, whose dispatchers do nothing.
 *
 * @throws {Error} where the dispatcher cannot send requests
 */
export function usableDispatcher<Given extends object>(dispatcher: Given): Given {
  if ('dispatch' in dispatcher && typeof dispatcher.dispatch === 'function') return dispatcher
  throw new Error('@trivium/provider-kit needs the package undici, which Bun replaces: bundle the host for Bun.')
}
