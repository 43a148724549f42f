import { isObject } from '../../chat/is-object.ts'
import { endOfToken } from './json-tokens.ts'
import type { Place, TextSlot } from './text-slots.ts'

/** The changes of a value and of what is in it. */
interface Change {
  text?: string
  name?: string
  /** Whether the members are tokens of a JSON text, named by the places where they begin. */
  isJson?: true
  readonly members: Map<string | number, Change>
}

const unchanged = (): Change => ({ members: new Map() })

/** The texts in place of others. */
export class TextChanges {
  readonly #all = unchanged()

  get isEmpty(): boolean {
    return this.#all.members.size === 0
  }

  set({ place, kind, write }: TextSlot, text: string): void {
    const change = this.#at(place)
    if (kind === 'name') change.name = text
    else change.text = write ? write(text) : text
  }

  /** Returns a value with the changes, in which what is unchanged is the same object. */
  applyTo(value: unknown): unknown {
    return changed(value, this.#all)
  }

  #at({ parent, key, isJson }: Place): Change {
    const within = parent ? this.#at(parent) : this.#all
    const change = within.members.get(key) ?? unchanged()
    if (isJson) change.isJson = true
    within.members.set(key, change)
    return change
  }
}

function changed(value: unknown, change: Change): unknown {
  if (change.text !== undefined) return change.text
  if (change.members.size === 0) return value
  if (change.isJson && typeof value === 'string') return changedTokens(value, change)
  return changedMembers(value, change)
}

/** Numbers that stay keep all of their digits, and escapes their form. */
function changedTokens(json: string, { members }: Change): string {
  const parts: string[] = []
  let done = 0
  const changes = [...members].map(([start, change]) => ({ start: Number(start), change }))
  for (const { start, change } of changes.sort((one, other) => one.start - other.start)) {
    parts.push(json.slice(done, start), JSON.stringify(change.text ?? change.name))
    done = endOfToken(json, start)
  }
  return parts.join('') + json.slice(done)
}

function changedMembers(value: unknown, { members }: Change): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = [...value]
    for (const [key, change] of members) list[Number(key)] = changed(list[Number(key)], change)
    return list
  }
  if (!isObject(value)) return value
  const isRenamed = [...members.values()].some(({ name }) => name !== undefined)
  if (!isRenamed) {
    const object: Record<string, unknown> = { ...value }
    for (const [key, change] of members) object[key] = changed(object[key], change)
    return object
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const change = members.get(key)
      return change ? [change.name ?? key, changed(member, change)] : [key, member]
    }),
  )
}
