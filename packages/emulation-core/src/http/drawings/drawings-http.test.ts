import { describe, expect, it } from 'vitest'
import { createHttpLab } from '../../../tests/http-lab.ts'
import { notifications } from '../notifications/notifications.ts'

const project = '11111111-1111-4111-8111-111111111111'
const other = '33333333-3333-4333-8333-333333333333'
const id = '22222222-2222-4222-8222-222222222222'
const svg = '<svg height="10" width="10"><text>Note</text></svg>'
const path = `/v1/projects/${project}/drawings`

async function openLab(labOptions: Parameters<typeof createHttpLab>[1] = {}) {
  const lab = createHttpLab({}, labOptions)
  for (const project_id of [project, other]) await lab.call('POST', '/v1/projects', { project_id })
  return lab
}

describe('drawings over HTTP', () => {
  it('creates, reads, lists, changes and deletes drawings', async () => {
    const { call } = await openLab()
    const made = await call('POST', path, { drawing_id: id, svg, x: -10, y: 20, rotation: 45 })
    const drawing = { drawing_id: id, project_id: project, x: -10, y: 20, z: 1, rotation: 45, locked: false, svg }
    expect([made.status, made.body]).toEqual([201, drawing])
    expect(await call('GET', `${path}/${id}`)).toMatchObject({ status: 200, body: drawing })
    const second = (await call('POST', path, { svg: '<svg/>' })).body
    const listed = await call('GET', path)
    expect([listed.status, listed.body]).toEqual([200, [drawing, second]])
    expect(listed.headers.get('content-type')).toBe('application/json')
    expect(listed.headers.get('x-route')).toBe('/v1/projects/{project_id}/drawings')
    const changed = await call('PUT', `${path}/${id}`, { z: -3, locked: true, svg: null })
    expect([changed.status, changed.body]).toEqual([200, { ...drawing, z: -3, locked: true }])
    expect((await call('PUT', `${path}/${id}`)).body).toEqual(changed.body)
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    const absent = await call('GET', `${path}/${id}`)
    expect([absent.status, absent.body]).toEqual([404, { message: `Drawing ID ${id} doesn't exist.`, status: 404 }])
  })

  it('takes null as the default', async () => {
    const { call } = await openLab()
    const nothing = { drawing_id: null, x: null, y: null, z: null, rotation: null, locked: null }
    const { status, body } = await call('POST', path, { ...nothing, svg })
    expect([status, body]).toEqual([201, { ...(body as object), x: 0, y: 0, z: 1, rotation: 0, locked: false }])
  })

  it('returns 201 with the existing drawing for its id, and 409 in another project', async () => {
    const { call } = await openLab()
    const made = await call('POST', path, { drawing_id: id, svg })
    const again = await call('POST', path, { drawing_id: id, svg: '<svg/>', x: 9 })
    expect([again.status, again.body]).toEqual([201, made.body])
    const elsewhere = await call('POST', `/v1/projects/${other}/drawings`, { drawing_id: id, svg })
    expect([elsewhere.status, elsewhere.body]).toEqual([
      409,
      { message: `ID ${id} is already used by a drawing of another project.`, status: 409 },
    ])
    expect((await call('GET', `/v1/projects/${other}/drawings/${id}`)).status).toBe(404)
  })

  it.each([
    [{}, "Invalid JSON: 'svg' is a required property in field 'svg'."],
    [{ svg: '' }, "Invalid JSON: '' is too short in field 'svg'."],
    [{ svg: null }, "Invalid JSON: None is not of type 'string' in field 'svg'."],
    [{ svg, x: 1_000_001 }, "Invalid JSON: 1000001 is greater than the maximum of 1000000 in field 'x'."],
    [{ svg, y: -1_000_001 }, "Invalid JSON: -1000001 is less than the minimum of -1000000 in field 'y'."],
    [{ svg, y: 0.5 }, "Invalid JSON: 0.5 is not of type 'integer' in field 'y'."],
    [{ svg, z: 1001 }, "Invalid JSON: 1001 is greater than the maximum of 1000 in field 'z'."],
    [{ svg, rotation: -360 }, "Invalid JSON: -360 is less than the minimum of -359 in field 'rotation'."],
    [{ svg, rotation: 361 }, "Invalid JSON: 361 is greater than the maximum of 360 in field 'rotation'."],
    [{ svg, locked: 'yes' }, "Invalid JSON: 'yes' is not of type 'boolean' in field 'locked'."],
    [{ svg, drawing_id: 'x' }, "Invalid JSON: Drawing ID x is not a valid UUID in field 'drawing_id'."],
    [
      { svg, color: 'red' },
      "Invalid JSON: Additional properties are not allowed ('color' was unexpected) in field 'color'.",
    ],
    [{ svg: '<svg><script/></svg>' }, "'svg' is refused: The element 'script' is not allowed in an SVG."],
  ])('returns 400 for %o', async (body, message) => {
    const { call } = await openLab()
    const refused = await call('POST', path, body)
    expect([refused.status, refused.body]).toEqual([400, { message, status: 400 }])
  })

  it('takes the longest SVG, also with an escape for each character', async () => {
    const { call } = await openLab()
    const longest = `<svg>${'ß'.repeat(2 ** 18 - 11)}</svg>`
    const escaped = `{"svg":"${[...longest].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`
    const made = await call('POST', path, escaped)
    expect([made.status, (made.body as { readonly svg: string }).svg === longest]).toEqual([201, true])
    const { status, body } = await call('POST', path, { svg: `${longest} ` })
    expect([status, (body as { readonly message: string }).message]).toEqual([
      400,
      expect.stringMatching(/is too long in field 'svg'\.$/),
    ])
    expect((await call('POST', path, { svg: 'a'.repeat(2 ** 21) })).status).toBe(413)
  })

  it.each([
    [{ drawingsOfAProject: 0 }, 'A project cannot have more than 0 drawings.'],
    [{ drawingCharactersOfAProject: 10 }, 'A project cannot have more than 10 characters of drawings.'],
  ])('returns 409 over the limits %o', async (limits, message) => {
    const { call } = await openLab({ limits })
    const refused = await call('POST', path, { svg })
    expect([refused.status, refused.body]).toEqual([409, { message, status: 409 }])
  })

  it('notifies the clients of the project', async () => {
    const { call, request } = await openLab()
    const reader = (await request('GET', `/v1/projects/${project}/notifications`)).body?.getReader()
    const decoder = new TextDecoder()
    const next = async () => JSON.parse(decoder.decode((await reader?.read())?.value))
    expect(await next()).toMatchObject({ action: 'ping' })
    await call('POST', `/v1/projects/${other}/drawings`, { svg })
    const made = await call('POST', path, { drawing_id: id, svg })
    expect(await next()).toEqual({ action: 'drawing.created', event: made.body })
    const changed = await call('PUT', `${path}/${id}`, { x: 1 })
    expect(await next()).toEqual({ action: 'drawing.updated', event: changed.body })
    await call('DELETE', `${path}/${id}`)
    expect(await next()).toEqual({ action: 'drawing.deleted', event: changed.body })
    await reader?.cancel()
  })

  it('ends the notifications of a client that leaves too many characters of drawings waiting', async () => {
    const { call, emulation } = await openLab()
    const [found] = (await emulation.projects.list()).filter((each) => each.id === project)
    if (!found) throw new Error('The project is not open.')
    const options = { pingSeconds: 5, backlog: 1000 }
    const source = notifications(emulation, found.id, new AbortController().signal, options)
    await source.next()
    await call('POST', path, { drawing_id: id, svg: `<svg>${'a'.repeat(2 ** 18 - 11)}</svg>` })
    for (let x = 1; x < 70; x += 1) await call('PUT', `${path}/${id}`, { x })
    await call('PUT', `${path}/${id}`, { svg })
    const places: unknown[] = []
    for await (const { event } of source) places.push((event as { readonly x: number }).x)
    expect(places).toEqual(Array.from({ length: 2 ** 6 }, (_, index) => index))
  })

  it('lists many drawings in several turns of the event loop, in the same form as few', async () => {
    const { call, emulation } = await openLab()
    const long = `<svg>${'"ß'.repeat(2 ** 17 - 6)}</svg>`
    for (let count = 0; count < 12; count += 1) await call('POST', path, { svg: long, x: count })
    let turns = 0
    let next = setImmediate(function count() {
      turns += 1
      next = setImmediate(count)
    })
    const { body } = await call('GET', path)
    clearImmediate(next)
    expect(turns).toBeGreaterThanOrEqual(2)
    const found = await Promise.all(
      (await emulation.projects.list())
        .filter((each) => each.id === project)
        .map(async (each) => (await emulation.drawings.list(each.id))._unsafeUnwrap()),
    )
    expect(body).toEqual(
      found.flat().map((each) => ({
        drawing_id: each.id,
        project_id: project,
        x: each.x,
        y: 0,
        z: 1,
        rotation: 0,
        locked: false,
        svg: long,
      })),
    )
    expect(body).toHaveLength(12)
  })
})
