import { expect, it } from 'vitest'
import { describeValue } from './describe-value.ts'

it.each([
  [null, 'None'],
  [[true, 1, "it's"], "[True, 1, 'it\\'s']"],
  [{ a: { b: [] } }, "{'a': {'b': []}}"],
])('prints %j as Python does', (value, text) => {
  expect(describeValue(value)).toBe(text)
})

it('cuts off long and deep values', () => {
  expect(describeValue('x'.repeat(1000))).toHaveLength(103)
  for (const open of ['[', '{"a":']) {
    const deep: unknown = JSON.parse(`${open.repeat(100_000)}1${(open === '[' ? ']' : '}').repeat(100_000)}`)
    expect(describeValue(deep)).toHaveLength(103)
  }
})
