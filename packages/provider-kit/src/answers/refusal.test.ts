import { describe, expect, it } from 'vitest'
import { objectOr } from './json.ts'
import { type Refusal, refusal, refused } from './refusal.ts'

const refusalOf = (fields: Partial<Refusal>, secrets: readonly string[] = []) =>
  refusal(
    { status: 429, headers: {}, text: '', ...fields },
    { secrets, errorIn: (body) => objectOr(objectOr(body).error), now: () => new Date(1_700_000_000_000) },
  ).error

describe('refusal', () => {
  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after-ms': '1500', 'retry-after': '7' }, 1.5],
    [{ 'retry-after': 'Tue, 14 Nov 2023 22:13:30 GMT' }, 10],
    [{ 'retry-after': 'Tue, 14 Nov 2023 22:13:10 GMT' }, 0],
    [{ 'retry-after': '1e9' }, 86_400],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': '', 'retry-after': '7' }, 7],
    [{ 'retry-after': '-1' }, undefined],
    [{}, undefined],
  ])('reads the retry time of the headers %o', (headers, seconds) => {
    expect(refusalOf({ headers: { ...headers } }).retryAfterSeconds).toBe(seconds)
  })

  it.each([301, 302, 303, 307, 308])('reports status %i as a redirect that is not followed', (status) => {
    expect(refusalOf({ status })).toMatchObject({ type: 'malformed', message: expect.stringContaining('redirect') })
  })

  it.each([
    [408, true],
    [400, false],
    [404, false],
    [409, true],
    [425, true],
    [429, true],
    [500, true],
    [529, true],
  ])('sets whether status %i may be retried: %s', (status, retryable) => {
    expect(refusalOf({ status })).toMatchObject({ type: 'refused', status, retryable, beforeFirstByte: true })
  })

  it.each([401, 403])('names no credentials in the message of status %i', (status) => {
    const text = JSON.stringify({ error: { message: 'Incorrect API key provided: sk-ups*****cret' } })
    expect(refusalOf({ status, text }).message).toBe('The upstream refused the credentials of the gateway.')
  })

  it.each([
    '',
    '<html>',
    '[]',
    '{"error":"no"}',
    '{"error":{"message":""}}',
    '{"error":{"message":7}}',
  ])('names the status when the body is %j', (text) => {
    expect(refusalOf({ text }).message).toBe('The upstream answered with status 429.')
  })

  it('removes every secret from the texts of an upstream, and shortens them', () => {
    const word = `Key s3cret and t0ken ${'x'.repeat(9000)}`
    const text = JSON.stringify({ error: { message: word, type: word, code: word, param: word } })
    const shown = `Key *** and *** ${'x'.repeat(1984)}`
    expect(refusalOf({ text }, ['s3cret', 't0ken'])).toMatchObject({
      message: shown,
      upstreamType: shown,
      code: shown,
      param: shown,
    })
  })
})

describe('refused', () => {
  const details = { error_code: 'thread_not_found', at: { index: 1 } }

  it('keeps details', () => {
    expect(refused(400, { details }, { secrets: ['s3cret'] })).toMatchObject({ details })
  })

  it.each([
    { error_code: 's3cret' },
    { error_code: 'x'.repeat(2000) },
    ['thread_not_found'],
    'text',
    null,
  ])('leaves out details that are %j', (unusable) => {
    expect(refused(400, { details: unusable }, { secrets: ['s3cret'] })).not.toHaveProperty('details')
  })
})

it('refused sets no field that the upstream leaves out', () => {
  expect(refused(404, { type: null, code: '', param: 7 })).toEqual({
    type: 'refused',
    status: 404,
    message: 'The upstream answered with status 404.',
  })
})
