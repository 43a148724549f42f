import { randomBytes } from 'node:crypto'

/** A kind of wrong credentials: each call gives the header of another guess. */
export interface Guess {
  readonly name: string
  /** Guesses are held against the first one of their group. */
  readonly group: 'key' | 'password'
  readonly header: () => string
}

const RANDOM_LENGTH = 43

const randomText = (length: number): string => randomBytes(length).toString('base64url').slice(0, length)

const bearer = (secret: string): string => `Bearer ${secret}`
const basic = (user: string, password: string): string => `Basic ${btoa(`${user}:${password}`)}`

/** Another character in the place of one. */
function changedAt(text: string, index: number): string {
  const other = text[index] === 'x' ? 'y' : 'x'
  return text.slice(0, index) + other + text.slice(index + 1)
}

/**
 * @param secrets of keys that the store has
 * @param replaced secrets that were good until their keys were rotated
 */
export function guessesOf(secrets: readonly string[], replaced: readonly string[], password: string): readonly Guess[] {
  let turn = 0
  const next = (of: readonly string[]): string => {
    turn += 1
    return of[turn % of.length] ?? ''
  }
  // The same each time, as the nearer ones are: a processor is quicker with what it has met before.
  const wrong = randomText(password.length)
  const shown = 'tvm_'.length + 4
  return [
    { name: 'a key that nobody has', group: 'key', header: () => bearer(`tvm_${randomText(RANDOM_LENGTH)}`) },
    {
      name: 'the part of a key that lists show, and a wrong rest',
      group: 'key',
      header: () => bearer(next(secrets).slice(0, shown) + randomText(RANDOM_LENGTH - 4)),
    },
    {
      name: 'a key but for its first character',
      group: 'key',
      header: () => bearer(changedAt(next(secrets), 'tvm_'.length)),
    },
    {
      name: 'a key but for its last character',
      group: 'key',
      header: () => bearer(changedAt(next(secrets), 'tvm_'.length + RANDOM_LENGTH - 1)),
    },
    { name: 'a secret that was replaced', group: 'key', header: () => bearer(next(replaced)) },
    { name: 'a wrong password', group: 'password', header: () => basic('admin', wrong) },
    {
      name: 'the password but for its first character',
      group: 'password',
      header: () => basic('admin', changedAt(password, 0)),
    },
    {
      name: 'the password but for its last character',
      group: 'password',
      header: () => basic('admin', changedAt(password, password.length - 1)),
    },
    {
      name: 'the password by a user who is not there',
      group: 'password',
      header: () => basic('adnim', password),
    },
  ]
}
