import { randomBytes } from 'node:crypto'

/** A kind of wrong credentials. Each call of `header` returns another guess. */
export interface Guess {
  readonly name: string
  /** Guesses are compared with the first one of their group. */
  readonly group: 'key' | 'password'
  readonly header: () => string
}

const RANDOM_LENGTH = 43

const randomText = (length: number): string => randomBytes(length).toString('base64url').slice(0, length)

const bearer = (secret: string): string => `Bearer ${secret}`
const basic = (user: string, password: string): string => `Basic ${btoa(`${user}:${password}`)}`

/** Replaces one character by another one. */
function changedAt(text: string, index: number): string {
  const other = text[index] === 'x' ? 'y' : 'x'
  return text.slice(0, index) + other + text.slice(index + 1)
}

/**
 * @param secrets of keys that the store has
 * @param replaced secrets that were valid until their keys were rotated
 */
export function guessesOf(secrets: readonly string[], replaced: readonly string[], password: string): readonly Guess[] {
  let turn = 0
  const next = (of: readonly string[]): string => {
    turn += 1
    return of[turn % of.length] ?? ''
  }
  // The same text each time, like the similar ones: a processor is faster with repeated data.
  const wrong = randomText(password.length)
  const shown = 'tvm_'.length + 4
  return [
    { name: 'an unknown key', group: 'key', header: () => bearer(`tvm_${randomText(RANDOM_LENGTH)}`) },
    {
      name: 'the beginning of a key that lists show, and a wrong rest',
      group: 'key',
      header: () => bearer(next(secrets).slice(0, shown) + randomText(RANDOM_LENGTH - 4)),
    },
    {
      name: 'a key with a wrong first character',
      group: 'key',
      header: () => bearer(changedAt(next(secrets), 'tvm_'.length)),
    },
    {
      name: 'a key with a wrong last character',
      group: 'key',
      header: () => bearer(changedAt(next(secrets), 'tvm_'.length + RANDOM_LENGTH - 1)),
    },
    { name: 'a secret that was replaced', group: 'key', header: () => bearer(next(replaced)) },
    { name: 'a wrong password', group: 'password', header: () => basic('admin', wrong) },
    {
      name: 'the password with a wrong first character',
      group: 'password',
      header: () => basic('admin', changedAt(password, 0)),
    },
    {
      name: 'the password with a wrong last character',
      group: 'password',
      header: () => basic('admin', changedAt(password, password.length - 1)),
    },
    {
      name: 'the password with an unknown user',
      group: 'password',
      header: () => basic('adnim', password),
    },
  ]
}
