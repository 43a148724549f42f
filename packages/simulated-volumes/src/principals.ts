import type { KnownPrincipal, Principal } from '@trivium/storage-core/ports'

/** The users, or the groups, of a simulated volume. */
export interface Principals {
  /** Returns the id and the name. A new name gets the next free id, from 20,000 on. */
  resolve(principal: Principal | string): KnownPrincipal
  /** Returns the id, with its name where it has one. */
  describe(id: string): KnownPrincipal
}

/** The id of the superuser and of its group. */
export const ROOT = '0'

export function createPrincipals(known: Readonly<Record<string, number>>): Principals {
  const ids = new Map([['root', ROOT], ...Object.entries(known).map(([name, id]) => [name, String(id)] as const)])
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  let next = 20_000

  const describe = (id: string): KnownPrincipal => {
    const name = names.get(id)
    return name === undefined ? { id } : { id, name }
  }
  const named = (name: string): KnownPrincipal => {
    const kept = ids.get(name)
    if (kept !== undefined) return { id: kept, name }
    while (names.has(String(next))) next += 1
    const id = String(next)
    ids.set(name, id)
    names.set(id, name)
    return { id, name }
  }
  return {
    resolve: (principal) => {
      if (typeof principal === 'string') return /^\d+$/.test(principal) ? describe(principal) : named(principal)
      return 'id' in principal ? describe(principal.id) : named(principal.name)
    },
    describe,
  }
}
