import type { CallLifetime } from '../providers/call-lifetime.ts'

/** The most requests that wait for a place. */
const MAX_WAITING = 1_000

/** Places for running requests. Each is freed once. */
export class Places {
  readonly #most: number
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Takes a place where one is free and no request waits for it. */
  take(): boolean {
    if (this.#taken >= this.#most) return false
    this.#taken += 1
    return true
  }

  /** Waits for a place, in the order of the requests. @returns whether it was taken */
  wait(milliseconds: number, lifetime: CallLifetime): Promise<boolean> {
    if (this.take()) return Promise.resolve(true)
    if (milliseconds <= 0 || lifetime.ended || this.#waiting.size >= MAX_WAITING) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (taken: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(take)
        lifetime.onInterrupt = undefined
        resolve(taken)
      }
      const take = () => end(true)
      const timer = setTimeout(() => end(false), milliseconds)
      lifetime.onInterrupt = () => end(false)
      this.#waiting.add(take)
    })
  }

  /** Frees a place, or passes it on to the request that has waited longest. */
  free(): void {
    const [next] = this.#waiting
    if (next) next()
    else this.#taken -= 1
  }
}

/** Takes a place of each, or none. @returns what frees them; `undefined` where one was not free in time */
export async function takeAll(
  all: readonly Places[],
  milliseconds: number,
  lifetime: CallLifetime,
): Promise<(() => void) | undefined> {
  const taken: Places[] = []
  const until = performance.now() + milliseconds
  for (const places of all) {
    if (!(await places.wait(until - performance.now(), lifetime))) {
      for (const place of taken) place.free()
      return undefined
    }
    taken.push(places)
  }
  return () => {
    for (const place of taken.splice(0)) place.free()
  }
}
