import { expect, it } from 'vitest'
import { printing } from '../../tests/printing.ts'
import { countOwners } from './count-owners.ts'

it('countOwners adds up space and files by owner', async () => {
  const { all, users, groups } = await countOwners('/v', printing('0 0 8\n1000 50 16\n1000 0 0\n'))
  expect(all).toEqual({ space: 24 * 512, files: 3 })
  expect(users).toEqual(
    new Map([
      ['0', { space: 8 * 512, files: 1 }],
      ['1000', { space: 16 * 512, files: 2 }],
    ]),
  )
  expect(groups.get('0')).toEqual({ space: 8 * 512, files: 2 })
})

it.each([
  '',
  '1000 8',
  '1000 1000 x',
  '1000 1000 9007199254740991',
])('countOwners refuses the line %j', async (line) => {
  await expect(countOwners('/v', printing(`${line}\n`))).rejects.toThrow('not understood')
})
