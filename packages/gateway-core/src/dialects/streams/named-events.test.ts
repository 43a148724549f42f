import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedEvents } from './named-events.ts'

const events = namedEvents(['end', 'error'], (type, value) => ({ type: type === 'end' ? 'done' : 'chunk', value }))

const usual = (type: string, rest = ',"delta":"a"') => `event: ${type}\ndata: {"type":"${type}"${rest}}\n\n`

describe('events with names', () => {
  it('pass unread where none is relevant', () => {
    expect(events.arePlain(usual('delta'))).toBe(true)
    expect(events.arePlain(usual('delta') + usual('part', ''))).toBe(true)
    expect(events.arePlain(`data: {"type":"delta"}\n\n${usual('delta')}`)).toBe(true)
    expect(events.read(usual('delta'), false)).toEqual({ type: 'chunk', value: undefined })
  })

  it.each([
    ['a relevant event', usual('end')],
    ['a relevant event after others', usual('delta') + usual('part') + usual('end')],
    ['a relevant event before others', usual('end') + usual('delta')],
    ['a name that its data lacks', 'event: end\ndata: {"a":1}\n\n'],
    ['data of a relevant type, and another name', 'event: delta\ndata: {"type":"end"}\n\n'],
    ['data of a type that the name begins with', 'event: endless\ndata: {"type":"end"}\n\n'],
    ['a second line of data', 'event: delta\ndata: {"type":"delta",\ndata: "a":{"type":"end"}}\n\n'],
    ['a second name', 'event: delta\ndata: {"type":"delta"}\nevent: end\n\n'],
    ['a second name after CR', 'event: delta\ndata: {"type":"delta"}\revent: end\n\n'],
    ['the end of chats', `${usual('delta')}data: [DONE]\n\n`],
    ['a comment', `${usual('delta')}: ping\n\n`],
  ])('count as relevant with %s', (_name, text) => {
    expect(events.arePlain(text)).toBe(false)
  })

  it('read a relevant event however it is written', () => {
    for (const text of [usual('end'), 'data: {"type" : "end"}\n\n', 'event: end\r\ndata: {"type":"end"}\r\n\r\n']) {
      expect(events.read(text, false)).toMatchObject({ type: 'done', value: { type: 'end' } })
    }
  })

  it('take no relevant event for a plain one, at any place among others', () => {
    const type = fc.constantFrom('delta', 'part', 'ended', 'end', 'error')
    const text = fc.constantFrom('', 'a', 'event: end', '"type":"end"', '\n\nevent: end\n', '\r')
    fc.assert(
      fc.property(fc.array(fc.record({ type, text }), { minLength: 1, maxLength: 5 }), (written) => {
        const all = written.map((one) => usual(one.type, `,"text":${JSON.stringify(one.text)}`)).join('')
        const isRelevant = written.some((one) => one.type === 'end' || one.type === 'error')
        expect(events.arePlain(all)).toBe(!isRelevant)
      }),
    )
  })
})
