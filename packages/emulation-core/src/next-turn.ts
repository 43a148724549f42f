/** Resolves in a later turn of the event loop, so that long work lets others run in between. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
