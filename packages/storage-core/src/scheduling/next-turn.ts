import { pause, timerScheduler } from './scheduler.ts'

const neverAborted = new AbortController().signal

/** Resolves in a later turn of the event loop, so that long work lets others run in between. */
export const nextTurn = (): Promise<void> => pause(timerScheduler, 0, neverAborted)
