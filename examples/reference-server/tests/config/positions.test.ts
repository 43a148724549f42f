import { describe, expect, it } from 'vitest'
import type { Mistake } from '../../src/config/read/mistakes.ts'
import { parseText } from '../../src/config/read/parse-document.ts'

function positionIn(text: string, path: Mistake['path'], at?: 'key' | 'value'): string {
  const parsed = parseText(text)
  if (!('positionOf' in parsed)) throw new Error('The text is not valid.')
  const { line, column } = parsed.positionOf({ path, ...(at && { at }) })
  return `${line}:${column}`
}

const yaml = `# a comment
upstreams:
  - id: a
    headers: { x-one: "1", "x-two": '2' }
shared: &shared
  one: 1
used: *shared
absent:
`

describe('positionOf', () => {
  it.each([
    [['upstreams', 0, 'id'], 'value', '3:9'],
    [['upstreams', 0, 'id'], 'key', '3:5'],
    [['upstreams', 0], 'value', '3:5'],
    [['upstreams', 0, 'headers', 'x-two'], 'key', '4:28'],
    [['upstreams', 0, 'headers', 'x-two'], 'value', '4:37'],
    // An alias is where its anchor is.
    [['used', 'one'], 'value', '6:8'],
    [['absent'], 'value', '8:1'],
    // What does not exist is where its parent is.
    [['upstreams', 0, 'kind'], 'value', '3:5'],
    [['upstreams', 0, 'headers', 'x-three'], 'value', '4:14'],
    [[], 'value', '2:1'],
  ] as const)('finds %j, the %s, at %s', (path, at, position) => {
    expect(positionIn(yaml, path, at)).toBe(position)
  })

  it('finds values of JSON, and of lines that end as on Windows', () => {
    expect(positionIn('{\n  "PORT": "1",\n  "models": { "a": "b" }\n}', ['models', 'a'])).toBe('3:20')
    expect(positionIn('port: 1\r\nhost: x\r\n', ['host'])).toBe('2:7')
  })
})
