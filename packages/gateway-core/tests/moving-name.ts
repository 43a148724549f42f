import type { LookupFunction } from 'node:net'

/** A host name whose address the test changes. */
export interface MovingName {
  readonly lookup: LookupFunction
  /** @param address if absent, the name is not found */
  move(address?: string): void
}

export function movingName(): MovingName {
  let current: string | undefined
  return {
    lookup: (name, _options, found) => {
      if (current) found(null, [{ address: current, family: 4 }])
      else found(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), [])
    },
    move: (address) => {
      current = address
    },
  }
}
