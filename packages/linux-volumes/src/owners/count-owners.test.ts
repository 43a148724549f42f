import { expect, it } from 'vitest'
import type { RunProgram } from '../programs/run-program.ts'
import { countOwners } from './count-owners.ts'

const printing =
  (lines: readonly string[]): RunProgram =>
  async (_, __, { onLine } = {}) => {
    for (const line of lines) onLine?.(line)
    return ''
  }

it('adds up by owner', async () => {
  const { all, users, groups } = await countOwners('/v', printing(['0 0 8', '1000 50 16', '1000 0 0']))
  expect(all).toEqual({ space: 24 * 512, files: 3 })
  expect(users).toEqual(
    new Map([
      ['0', { space: 8 * 512, files: 1 }],
      ['1000', { space: 16 * 512, files: 2 }],
    ]),
  )
  expect(groups.get('0')).toEqual({ space: 8 * 512, files: 2 })
})

it.each(['', '1000 8', '1000 1000 x', '1000 1000 9007199254740991'])('guesses nothing from %j', async (line) => {
  await expect(countOwners('/v', printing([line]))).rejects.toThrow('not understood')
})
