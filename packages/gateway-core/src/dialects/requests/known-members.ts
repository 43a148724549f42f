import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr } from '../json-values.ts'

/** The members of an object that a reader knows. Those with a reader of their own have objects or lists of them. */
export interface KnownMembers {
  readonly members: ReadonlyMap<string, KnownOf | undefined>
  /** Whether another member asks for nothing with this value. */
  readonly isIdle?: (name: string, value: unknown) => boolean
}

/** Returns the members of one object. `undefined` for one that is carried, refused or left out as a whole. */
export type KnownOf = (value: JsonObject) => KnownMembers | undefined

/** @param names separated by spaces @param inner the members whose own members are known, too */
export function knownMembers(
  names: string,
  inner: Readonly<Record<string, KnownMembers | KnownOf>> = {},
  isIdle?: KnownMembers['isIdle'],
): KnownMembers {
  const leaves = names.split(' ').map((name): [string, KnownOf | undefined] => [name, undefined])
  const nested = Object.entries(inner).map(([name, known]): [string, KnownOf] => [name, knownOf(known)])
  return { members: new Map([...leaves, ...nested]), ...(isIdle && { isIdle }) }
}

const knownOf = (known: KnownMembers | KnownOf): KnownOf => (typeof known === 'function' ? known : () => known)

/** Chooses the members by the `type` of an object. Others are carried, refused or left out as a whole. */
export function knownByType(types: Readonly<Record<string, KnownMembers | KnownOf>>): KnownOf {
  const byType = new Map<unknown, KnownOf>(Object.entries(types).map(([type, known]) => [type, knownOf(known)]))
  return (value) => byType.get(value.type)?.(value)
}

/** The most members that are listed as left out, and the most characters of each. */
const MOST = 64
const MOST_CHARACTERS = 128

/**
 * Collects what a request has below its top level and no reader knows, as hints: `{ 'messages.foo': true }`. Vendors and
 * agents add members of their own everywhere, so a translation leaves them out and lists them.
 */
export function unknownMembers(body: JsonObject, { members }: KnownMembers): JsonObject {
  const found = new Set<string>()
  const visit = (value: unknown, at: string, known: KnownOf): void => {
    if (!isObject(value)) {
      for (const one of listOr(value)) if (isObject(one)) visit(one, at, known)
      return
    }
    const inner = known(value)
    if (!inner || found.size >= MOST) return
    for (const name of Object.keys(value)) {
      const of = inner.members.get(name)
      if (of) {
        if (typeof value[name] === 'object') visit(value[name], `${at}.${name}`, of)
      } else if (!inner.members.has(name) && value[name] != null && !inner.isIdle?.(name, value[name])) {
        if (found.size < MOST) found.add(`${at}.${name.slice(0, MOST_CHARACTERS)}`)
      }
    }
  }
  for (const [name, known] of members) if (known) visit(body[name], name, known)
  return Object.fromEntries([...found].map((name) => [name, true]))
}
