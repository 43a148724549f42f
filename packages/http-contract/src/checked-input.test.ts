import * as v from 'valibot'
import { expect, it } from 'vitest'
import { CheckedInput } from './checked-input.ts'

it('cuts received values to 300 characters, those of the members of a union included', () => {
  const input = new CheckedInput()
  const schema = v.object({ name: v.union([v.literal('a'), v.number()]) })
  expect(input.check('body', schema, { name: 'x'.repeat(10_000) })).toBeUndefined()
  expect(input.issue?.path).toBe('name')
  expect(
    JSON.stringify(input.issue?.issue, (key, value) => (key === 'input' || key === 'path' ? undefined : value)).length,
  ).toBeLessThan(2500)
})
