import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consoleClient, consoleServer, createTelnetDecoder, encodeTelnet, type TelnetRole } from './telnet.ts'

function decode(role: TelnetRole, chunks: readonly (readonly number[])[]) {
  const data: number[] = []
  const replies: number[][] = []
  const sizes: [number, number][] = []
  const decoder = createTelnetDecoder(role, {
    data: (bytes) => data.push(...bytes),
    reply: (bytes) => replies.push([...bytes]),
    resize: (columns, rows) => sizes.push([columns, rows]),
  })
  for (const chunk of chunks) decoder.push(Uint8Array.from(chunk))
  return { data, replies, sizes }
}

const text = (value: string) => [...new TextEncoder().encode(value)]

describe('createTelnetDecoder', () => {
  it('sends the greeting of a console', () => {
    const { greeting } = createTelnetDecoder(consoleServer, { data: () => {}, reply: () => {} })
    expect([...greeting]).toEqual([255, 251, 1, 255, 251, 3, 255, 251, 0, 255, 253, 0, 255, 253, 31, 255, 253, 3])
  })

  it('ignores confirmations of options that it has offered', () => {
    expect(decode(consoleServer, [[255, 253, 1, 255, 253, 3, 255, 251, 0]]).replies).toEqual([])
  })

  it('refuses an unknown option once', () => {
    const { replies } = decode(consoleServer, [[255, 253, 24, 255, 251, 39, 255, 253, 24, 255, 251, 39]])
    expect(replies).toEqual([
      [255, 252, 24],
      [255, 254, 39],
    ])
  })

  it('answers the greetings of QEMU and VPCS', () => {
    const qemu = decode(consoleClient, [[255, 251, 1, 255, 251, 3, 255, 251, 0, 255, 253, 0, ...text('boot')]])
    expect(qemu.data).toEqual(text('boot'))
    expect(qemu.replies).toEqual([
      [255, 253, 1],
      [255, 253, 3],
      [255, 253, 0],
      [255, 251, 0],
    ])
    const vpcs = decode(consoleClient, [[255, 253, 1, 255, 251, 1, 255, 253, 3, 255, 251, 3, ...text('PC> ')]])
    expect(vpcs.data).toEqual(text('PC> '))
    expect(vpcs.replies).toEqual([
      [255, 252, 1],
      [255, 253, 1],
      [255, 251, 3],
      [255, 253, 3],
    ])
  })

  it('reads the window size', () => {
    expect(
      decode(consoleServer, [
        [255, 250, 31, 0, 132],
        [0, 43, 255, 240],
      ]).sizes,
    ).toEqual([[132, 43]])
    expect(decode(consoleServer, [[255, 250, 31, 0, 255, 255, 0, 43, 255, 240]]).sizes).toEqual([[255, 43]])
  })

  it.each([
    ['CR NUL', [13, 0]],
    ['CR LF', [13, 10]],
    ['CR alone', [13]],
  ])('reads %s as Enter', (_name, enter) => {
    expect(decode(consoleServer, [[97, ...enter, 98]]).data).toEqual([97, 13, 98])
  })

  it('keeps the line ends of a program', () => {
    expect(decode(consoleClient, [text('a\r\r\nb\r\n')]).data).toEqual(text('a\r\r\nb\r\n'))
  })

  it('ignores the rest of an endless subnegotiation', () => {
    const { data } = decode(consoleServer, [[255, 250, 24, ...Array<number>(10_000).fill(1), 255, 240, 120]])
    expect(data).toEqual([120])
  })

  it('decodes encoded bytes in pieces of any size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(200)), (bytes, cuts) => {
        const plain = bytes.map((byte) => (byte === 13 ? 12 : byte))
        const encoded = encodeTelnet(plain)
        const chunks: number[][] = []
        let start = 0
        for (const cut of [...cuts.sort((one, other) => one - other), encoded.length]) {
          chunks.push([...encoded.subarray(start, cut)])
          start = Math.max(start, cut)
        }
        expect(decode(consoleServer, chunks).data).toEqual([...plain])
      }),
    )
  })
})
