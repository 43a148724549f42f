/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve)
  })
