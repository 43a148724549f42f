import { readFileSync } from 'node:fs'

/**
 * Reads how many files and connections this process may have open on Linux; `undefined` elsewhere or without a limit.
 */
export function descriptorLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
