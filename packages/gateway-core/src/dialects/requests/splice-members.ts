import { hasName, type Member, nameOf, topLevelMembers } from './top-level-members.ts'

const encoder = new TextEncoder()

/**
 * Changes members of a JSON object in its bytes and keeps all other bytes. A changed name that occurs twice occurs once
 * afterwards, because parsers disagree on which one counts.
 *
 * @param json the bytes of an object in valid JSON
 * @param changes new values by name; `undefined` removes the member
 * @param names the number of names that the parser found. Where the bytes have more members, only the last one of each
 *   name is kept, as it is the one that the parser has returned
 */
export function spliceMembers(
  json: Uint8Array,
  changes: ReadonlyMap<string, unknown>,
  names = Number.POSITIVE_INFINITY,
): Uint8Array {
  const { members, close } = topLevelMembers(json)
  if (changes.size === 0 && members.length <= names) return json
  const changed = changesOf(json, members, changes)
  if (members.length > names) removeRepeated(json, members, changed)
  const pieces: (Uint8Array | string)[] = []
  let copied = 0
  let kept = 0
  for (const [index, member] of members.entries()) {
    const change = changed[index]
    if (change === undefined) {
      kept += 1
    } else if (change.text !== undefined) {
      pieces.push(json.subarray(copied, member.valueStart), change.text)
      copied = member.end
      kept += 1
    } else if (kept > 0) {
      // Removes the comma before the member, or the one after it where no member is kept before.
      pieces.push(json.subarray(copied, Math.max(copied, members[index - 1]?.end ?? 0)))
      copied = member.end
    } else {
      pieces.push(json.subarray(copied, Math.max(copied, member.start)))
      copied = members[index + 1]?.start ?? member.end
    }
  }
  pieces.push(json.subarray(copied, close))
  for (const [name, value] of changes) {
    if (value === undefined || changed.some((change) => change?.name === name)) continue
    pieces.push(`${kept > 0 ? ',' : ''}${JSON.stringify(name)}:${JSON.stringify(value)}`)
    kept += 1
  }
  pieces.push(json.subarray(close))
  return concatenate(pieces)
}

interface Change {
  readonly name: string
  /** The new value in JSON; `undefined` removes the member. */
  readonly text: string | undefined
}

/** Returns the change of each member. Of several members with one name, only the last may be kept. */
function changesOf(
  json: Uint8Array,
  members: readonly Member[],
  changes: ReadonlyMap<string, unknown>,
): (Change | undefined)[] {
  const changed = new Array<Change | undefined>(members.length)
  for (const [name, value] of changes) {
    const bytes = encodedName(name)
    let text = value === undefined ? undefined : JSON.stringify(value)
    for (let index = members.length - 1; index >= 0; index -= 1) {
      const member = members[index]
      if (!member || !hasName(json, member, bytes)) continue
      changed[index] = { name, text }
      text = undefined
    }
  }
  return changed
}

/** Removes the members with the name of a later one. */
function removeRepeated(json: Uint8Array, members: readonly Member[], changed: (Change | undefined)[]): void {
  const later = new Set<string>()
  for (let index = members.length - 1; index >= 0; index -= 1) {
    const member = members[index]
    if (!member) continue
    const name = nameOf(json, member)
    if (later.has(name)) changed[index] = { name, text: undefined }
    later.add(name)
  }
}

const encodedNames = new Map<string, Uint8Array>()

/** Caches the bytes of names, which come from code and are few. */
function encodedName(name: string): Uint8Array {
  const known = encodedNames.get(name)
  if (known) return known
  const bytes = encoder.encode(JSON.stringify(name))
  if (encodedNames.size < 100) encodedNames.set(name, bytes)
  return bytes
}

const SLAB_BYTES = 65_536

let slab = new Uint8Array(SLAB_BYTES)
let used = 0

/** Returns memory for a body from a shared slab. A separate array for each small body is slower than filling it. */
function allocate(bytes: number): Uint8Array {
  if (bytes > SLAB_BYTES / 8) return new Uint8Array(bytes)
  if (used + bytes > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES)
    used = 0
  }
  used += bytes
  return slab.subarray(used - bytes, used)
}

function concatenate(pieces: readonly (Uint8Array | string)[]): Uint8Array {
  let most = 0
  // In UTF-8 a code unit becomes three bytes at most.
  for (const piece of pieces) most += typeof piece === 'string' ? piece.length * 3 : piece.length
  const whole = allocate(most)
  let length = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      length += encoder.encodeInto(piece, whole.subarray(length)).written
    } else {
      whole.set(piece, length)
      length += piece.length
    }
  }
  return whole.subarray(0, length)
}
