import { createHash, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Clock } from '../clock/clock.ts'

/** Checks the passwords of all consoles of a listener. */
export interface PasswordCheck {
  /** Whether the address, with IPv6 its network of 64 bits, has sent too many wrong passwords, and has to wait. */
  isHeldOff(address: string): boolean
  /** Takes as long for a wrong password as for the right one. Counts wrong ones. */
  isRight(address: string, password: Uint8Array): boolean
}

/** After this many wrong passwords within the time, an address waits until it has passed. */
const MAX_WRONG = 10
const HOLD_OFF_MS = 60_000
/** Addresses that are counted. */
const MAX_ADDRESSES = 10_000

/** One subscriber of IPv6 has all addresses of a network of 64 bits. */
function sourceOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [start = '', end] = (address.split('%')[0] ?? '').split('::')
  const groups = start === '' ? [] : start.split(':')
  const ending = end === undefined || end === '' ? [] : end.split(':')
  const zeros = end === undefined ? 0 : 8 - groups.length - ending.length
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...ending].slice(0, 4).join(':')
}

const digest = (password: Uint8Array | string) => createHash('sha256').update(password).digest()

export function createPasswordCheck(password: string, clock: Clock): PasswordCheck {
  const right = digest(password)
  const wrong = new Map<string, { readonly since: number; count: number }>()

  const countOf = (source: string) => {
    const counted = wrong.get(source)
    if (counted === undefined || clock.now() - counted.since < HOLD_OFF_MS) return counted
    wrong.delete(source)
    return undefined
  }

  return {
    isHeldOff: (address) => (countOf(sourceOf(address))?.count ?? 0) >= MAX_WRONG,
    isRight(address, given) {
      if (timingSafeEqual(digest(given), right)) return true
      const source = sourceOf(address)
      const counted = countOf(source)
      if (counted !== undefined) counted.count += 1
      else {
        const [oldest] = wrong.keys()
        if (wrong.size >= MAX_ADDRESSES && oldest !== undefined) wrong.delete(oldest)
        wrong.set(source, { since: clock.now(), count: 1 })
      }
      return false
    },
  }
}
