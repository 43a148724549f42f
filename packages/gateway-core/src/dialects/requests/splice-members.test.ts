import fc from 'fast-check'
import { expect, it } from 'vitest'
import { spliceMembers } from './splice-members.ts'
import { hasName, topLevelMembers } from './top-level-members.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const splice = (json: string, changes: Readonly<Record<string, unknown>>) =>
  decoder.decode(spliceMembers(encoder.encode(json), new Map(Object.entries(changes))))

it.each([
  ['{"model":"a/b","messages":[]}', { model: 'b' }, '{"model":"b","messages":[]}'],
  [
    '{ "messages" : [ {"model":"no"} ] ,\n "model" : "a/b" }\n',
    { model: 'b' },
    '{ "messages" : [ {"model":"no"} ] ,\n "model" : "b" }\n',
  ],
  ['{"model":"x","timeout":30,"n":1}', { timeout: undefined }, '{"model":"x","n":1}'],
  ['{"timeout":30}', { timeout: undefined }, '{}'],
  ['{"timeout":30,"n":1.5e3}', { timeout: undefined }, '{"n":1.5e3}'],
  ['{}', { model: 'b' }, '{"model":"b"}'],
  ['{"a":"}\\"\\\\","b":{"c":["]"]}}', { d: { e: true } }, '{"a":"}\\"\\\\","b":{"c":["]"]},"d":{"e":true}}'],
  ['{"model":"a","model":"b"}', { model: 'c' }, '{"model":"c"}'],
  ['{"mod\\u0065l":"a","n":1}', { model: 'c' }, '{"mod\\u0065l":"c","n":1}'],
  [
    '{"a":"0123456789012345678901\\"","b\\\\":"0123456789012345678901\\\\","model":1}',
    { model: 2 },
    '{"a":"0123456789012345678901\\"","b\\\\":"0123456789012345678901\\\\","model":2}',
  ],
  ['{"a":"é🔑\\ud800","model":"x"}', { model: 'ü' }, '{"a":"é🔑\\ud800","model":"ü"}'],
  ['\uFEFF{"model":"x"}', { model: 'y' }, '{"model":"y"}'],
])('turns %j with the changes %j into %j', (json, changes, result) => {
  expect(splice(json, changes)).toBe(result)
})

it('changes only the named members, in any object with any white space', () => {
  const names = fc.constantFrom('model', 'timeout', 'stream_options', 'messages', 'a"b', 'é', '\\', '')
  const object = fc.dictionary(names, fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true })
  const changes = fc.dictionary(names, fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }), {
    noNullPrototype: true,
  })
  fc.assert(
    fc.property(object, changes, fc.constantFrom(undefined, 1, '\t'), (value, changed, indent) => {
      const expected = { ...value, ...changed }
      const spliced = splice(JSON.stringify(value, null, indent), changed)
      expect(JSON.parse(spliced)).toEqual(JSON.parse(JSON.stringify(expected)))
    }),
    { numRuns: 1_000 },
  )
})

it('keeps one of several members with a changed name, in any order', () => {
  const names = fc.constantFrom('model', 'timeout', 'n', 'x')
  const member = fc.tuple(
    names,
    fc.constantFrom('1', '"a"', '{"model":2}', '[1, "]"]'),
    fc.constantFrom('', ' ', '\n\t'),
  )
  const changes = fc.dictionary(names, fc.option(fc.constantFrom(7, 'b'), { nil: undefined }), {
    noNullPrototype: true,
  })
  fc.assert(
    fc.property(fc.array(member, { maxLength: 8 }), changes, (members, changed) => {
      const json = `{${members.map(([name, value, space]) => `${space}"${name}"${space}:${space}${value}${space}`).join(',')}}`
      const spliced = splice(json, changed)
      expect(JSON.parse(spliced)).toEqual(JSON.parse(JSON.stringify({ ...JSON.parse(json), ...changed })))
      for (const [name, value] of Object.entries(changed)) {
        const bytes = encoder.encode(spliced)
        const found = topLevelMembers(bytes).members.filter((one) => hasName(bytes, one, encoder.encode(`"${name}"`)))
        expect(found).toHaveLength(value === undefined ? 0 : 1)
      }
    }),
    { numRuns: 2_000 },
  )
})
