/** What sockets use of the package `ws`. */
export type WebSocketModule = Pick<typeof import('ws'), 'WebSocketServer'>

/**
 * Loads the package `ws`, which is optional. Bundlers leave a name alone that is not a literal, so the program finds the
 * package where it runs.
 *
 * @throws {Error} naming the package to install, where it is missing
 */
export async function webSocketModule(name = 'ws'): Promise<WebSocketModule> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name)
  } catch (cause) {
    throw new Error(`WebSockets need the package ${name}: npm install ${name}`, { cause })
  }
}
