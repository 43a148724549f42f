import { isObject } from './chat/is-object.ts'

/** Lets the process exit while a timer runs, where timers are Node's. */
export function releaseTimer(timer: unknown): void {
  if (isObject(timer) && typeof timer.unref === 'function') timer.unref()
}
