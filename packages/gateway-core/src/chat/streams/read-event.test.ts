import { expect, it } from 'vitest'
import { readEvent } from './read-event.ts'

it.each([
  [': ping\n\n', { type: 'nothing' }],
  ['\n', { type: 'nothing' }],
  ['event: ping\n\n', { type: 'nothing' }],
  ['id: 7\nretry: 100\n\n', { type: 'nothing' }],
  ['data: [DONE]\n\n', { type: 'done' }],
  ['data:[DONE]\r\n\r\n', { type: 'done' }],
  [': note\ndata: [DONE]\r\r', { type: 'done' }],
  ['data: {"choices":[{"delta":{"content":"x"}}]}\n\n', { type: 'chunk', value: undefined }],
  ['data: {"choices":[{"finish_reason":null}],"usage":null}\n\n', { type: 'chunk', value: undefined }],
  [
    'data: {"choices":[],"usage":{"total_tokens":1}}\n\n',
    { type: 'chunk', value: { choices: [], usage: { total_tokens: 1 } } },
  ],
  [
    'data: {"choices":[{"finish_reason" : "stop"}]}\n\n',
    { type: 'chunk', value: { choices: [{ finish_reason: 'stop' }] } },
  ],
  ['data: {"error":{"message":"no"}}\n\n', { type: 'error', value: { message: 'no' } }],
  ['data: {"error":"no"}\n\n', { type: 'error', value: 'no' }],
  ['event: error\ndata: {"message":"no"}\n\n', { type: 'error', value: { message: 'no' } }],
  ['event: error\r\ndata: overloaded\r\n\r\n', { type: 'error', value: 'overloaded' }],
  ['data: {"choices":[],\ndata: "usage":{}}\n\n', { type: 'chunk', value: { choices: [], usage: {} } }],
  [
    'data: {"choices":[{"delta":{"content":"\\"usage\\":{ \\"error\\":\\"x\\""}}]}\n\n',
    { type: 'chunk', value: undefined },
  ],
])('classifies the event %j', (text, event) => {
  expect(readEvent(text, false)).toEqual(event)
})

it('parses the first event even where its text seems irrelevant', () => {
  expect(readEvent('data: {"choices":[]}\n\n', true)).toEqual({ type: 'chunk', value: { choices: [] } })
  expect(readEvent('\uFEFFdata: {"choices":[]}\n\n', true)).toEqual({ type: 'chunk', value: { choices: [] } })
  expect(readEvent('data: <html>\n\n', true)).toEqual({ type: 'unreadable' })
  expect(readEvent('data: null\n\n', true)).toEqual({ type: 'unreadable' })
  expect(readEvent('data: {"error":null,"choices":[]}\n\n', true)).toMatchObject({ type: 'chunk' })
})
