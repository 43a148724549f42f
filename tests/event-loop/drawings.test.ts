import { embeddedLab } from '@trivium/embedded-emulators'
import { createEmulation, type Emulation } from '@trivium/emulation-core'
import { emulationRoutes } from '@trivium/emulation-core/http'
import { fetchHandler } from '@trivium/fetch-adapter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longestBlockMs } from './longest-block.ts'

/** The limit that `docs/security.md` promises. */
const MAX_BLOCK_MS = 100
const PROJECT = '11111111-1111-4111-8111-111111111111'
const DRAWINGS = `/v1/projects/${PROJECT}/drawings`

/** The most characters of an SVG, and of each where a project has as many as it can have. */
const LONGEST = 2 ** 18
const SHARE = Math.floor(2 ** 23 / 1000)

const filled = (start: string, part: string, end: string, length = LONGEST) =>
  `${start}${part.repeat(Math.floor((length - start.length - end.length) / part.length))}${end}`

/** Each takes the parser long in another way. */
const svgs: Readonly<Record<string, string>> = {
  'many elements': filled('<svg>', '<g/>', '</svg>'),
  'deep elements': filled(`<svg>${'<g>'.repeat(98)}`, '<rect x="1" y="2"/>', `${'</g>'.repeat(98)}</svg>`),
  'many attributes': filled(
    '<svg>',
    `<g ${'abcdefghijklm'.replaceAll(/./g, '$&=""')}/>`.replaceAll('""', '"" '),
    '</svg>',
  ),
  'many characters that are escaped': filled('<svg>', '&#38;', '</svg>'),
  'many references': filled('<svg><rect fill="', 'url(#a)', '"/></svg>'),
  'a long style sheet': filled('<svg><style>', 'a{fill:url(#a)}', '</style></svg>'),
  'many comments': filled('<svg>', '<!---->', '</svg>'),
  'an image': filled('<svg><image href="data:image/png;base64,', 'A', '"/></svg>'),
}

describe.each(['memory', 'SQLite'])('the emulation with drawings in %s', (store) => {
  let emulation: Emulation
  let handle: ReturnType<typeof fetchHandler>

  const call = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers: { authorization: 'Bearer x' } }
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
    const answer = await handle(new Request(`http://127.0.0.1${path}`, sent))
    await answer?.arrayBuffer()
    return answer?.status
  }

  /** Other processes and the compiler add to a single result. */
  const leastBlockOf = async (name: string, run: () => Promise<unknown>) => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 4 && least >= MAX_BLOCK_MS / 2; round += 1) {
      least = Math.min(least, await longestBlockMs(run))
    }
    console.info(`${store}, ${name}: the longest block of the event loop is ${least.toFixed()} ms`)
    return least
  }

  beforeAll(async () => {
    emulation = createEmulation({ ...embeddedLab(), ...(store === 'SQLite' && { database: 'memory:' }) })
    await emulation.start()
    handle = fetchHandler(emulationRoutes(emulation, { admin: () => true }))
    expect(await call('POST', '/v1/projects', { project_id: PROJECT })).toBe(201)
  })
  afterAll(() => emulation.close())

  it.each(Object.entries(svgs))('blocks it for less than 100 ms of CPU time for an SVG with %s', async (name, svg) => {
    const block = await leastBlockOf(name, async () => expect(await call('POST', DRAWINGS, { svg })).toBe(201))
    expect(block).toBeLessThan(MAX_BLOCK_MS)
    expect(await call('DELETE', `/v1/projects/${PROJECT}`)).toBe(204)
    expect(await call('POST', '/v1/projects', { project_id: PROJECT })).toBe(201)
  })

  it('blocks it for less than 100 ms of CPU time for a list of the most and longest drawings', async () => {
    // Characters that JSON escapes, and that have several bytes, take longest.
    const svg = filled('<svg>', '"中', '</svg>', SHARE)
    for (let count = 0; count < 1000; count += 1) expect(await call('POST', DRAWINGS, { svg })).toBe(201)
    expect(await call('POST', DRAWINGS, { svg: '<svg/>' })).toBe(409)
    const block = await leastBlockOf('a list', async () => expect(await call('GET', DRAWINGS)).toBe(200))
    expect(block).toBeLessThan(MAX_BLOCK_MS)
  }, 60_000)
})
