import { describe, expect, it } from 'vitest'
import { AnswerReader } from '../../benchmarks/load/answer-reader.ts'

const withLength = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole'
const inChunks = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n'

const read = (reader: AnswerReader, ...pieces: readonly string[]) =>
  pieces.map((piece) => reader.add(Buffer.from(piece)))

describe('a reader of answers', () => {
  it.each([withLength, inChunks])('reports the end of %j, in one piece or several', (answer) => {
    const reader = new AnswerReader('whole')
    expect(read(reader, answer)).toEqual([true])
    const middle = answer.length - 3
    expect(read(reader, answer.slice(0, middle), answer.slice(middle))).toEqual([false, true])
  })

  it('begins a new answer after a complete one', () => {
    expect(read(new AnswerReader('whole'), withLength, inChunks, withLength)).toEqual([true, true, true])
  })

  it('throws on another status than 200', () => {
    expect(() => read(new AnswerReader('whole'), withLength.replace('200', '429'))).toThrow('not complete')
  })

  it('throws on an answer without the sign', () => {
    expect(() => read(new AnswerReader('[DONE]'), inChunks)).toThrow('not complete')
  })
})
