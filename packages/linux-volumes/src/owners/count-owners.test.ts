import { expect, it } from 'vitest'
import { printing } from '../../tests/printing.ts'
import { countOwners } from './count-owners.ts'

it('countOwners adds up space and files by owner, for each directory', async () => {
  const printed = '0 0 0 8\n1 1000 50 16\n2 1000 0 0\n0 7 7 4\n'
  const [first, second, ...others] = await countOwners(['/v', '/w'], printing(printed))
  expect(first?.all).toEqual({ space: 24 * 512, files: 3 })
  expect(first?.users).toEqual(
    new Map([
      ['0', { space: 8 * 512, files: 1 }],
      ['1000', { space: 16 * 512, files: 2 }],
    ]),
  )
  expect(first?.groups.get('0')).toEqual({ space: 8 * 512, files: 2 })
  expect(second?.all).toEqual({ space: 4 * 512, files: 1 })
  expect(others).toEqual([])
})

it.each([
  '',
  '0 1000 8',
  '0 1000 1000 x',
  '0 1000 1000 9007199254740991',
  '1 1000 1000 8',
  '0 1 1 8\n0 1 1 8',
])('countOwners refuses the output %j', async (output) => {
  await expect(countOwners(['/v'], printing(`${output}\n`))).rejects.toThrow('not understood')
})
