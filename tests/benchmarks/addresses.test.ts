import { describe, expect, it } from 'vitest'
import { addressesOf } from '../../benchmarks/gateway/addresses.ts'

describe('addressesOf', () => {
  it('returns the host, the port and the path before /v1', () => {
    const address = ['LiteLLM=http://127.0.0.1:4000,TensorZero=http://[::1]:3000/openai/', 'Bifrost=http://b/v1']
    expect(addressesOf({ address }).map(({ name, host, port, path }) => [name, host, port, path])).toEqual([
      ['LiteLLM', '127.0.0.1', 4000, ''],
      ['TensorZero', '::1', 3000, '/openai'],
      ['Bifrost', 'b', 80, ''],
    ])
  })

  it('gives a header and a model to all servers, or to the one that is named', () => {
    const [one, other] = addressesOf({
      address: ['one=http://a:1,other=http://b:2'],
      header: ['authorization: Bearer a=b', 'other=x-team: red'],
      model: ['mock', 'other=openai/mock'],
      pid: ['one=12+34'],
    })
    expect(one).toMatchObject({ headers: ['authorization: Bearer a=b'], model: 'mock', pids: [12, 34] })
    expect(other).toMatchObject({
      headers: ['authorization: Bearer a=b', 'x-team: red'],
      model: 'openai/mock',
      pids: [],
    })
  })

  it('returns no addresses without an option', () => {
    expect(addressesOf({})).toEqual([])
  })

  it.each([
    [{ address: ['http://a'] }, 'NAME=URL'],
    [{ address: ['a=b'] }, 'not a URL'],
    [{ address: ['a=https://b'] }, 'not encrypted'],
    [{ address: ['a=http://b'], header: ['token'] }, 'NAME: VALUE'],
    [{ address: ['a=http://b'], header: ['x: y\r\nz: 1'] }, 'NAME: VALUE'],
    [{ address: ['a=http://b'], pid: ['c=1'] }, 'names no server'],
    [{ address: ['a=http://b'], pid: ['a=one'] }, 'SERVER=PID'],
  ])('refuses %j with a message that has %j', (options, message) => {
    expect(() => addressesOf(options)).toThrow(message)
  })
})
