import { describe, expect, it, vi } from 'vitest'
import { NOTICES, type OpenHttp, openHttp, WEBHOOKS } from './open-http.ts'
import { until } from './open-storage.ts'
import { openReceiver, status } from './receiver.ts'

const secret = `whsec_${btoa('x'.repeat(16))}`

const makeWebhook = async (http: OpenHttp, body: unknown) => (await http.post(WEBHOOKS, body)).body.records[0]

const publish = (http: OpenHttp, ...ids: readonly string[]) =>
  Promise.all(
    ids.map((id) =>
      http.storage.notices.publish({
        id,
        kind: 'split-done',
        at: http.clock.now(),
        svm: http.vol1.svm,
        volume: { uuid: http.vol1.uuid, name: 'vol1' },
        path: 'c1',
      }),
    ),
  )

describe('the API of webhooks', () => {
  it('returns a secret that it made, once', async () => {
    const http = await openHttp()
    const { status: code, body, headers } = await http.post(WEBHOOKS, { url: 'http://127.0.0.1:1/hook' })
    expect(code).toBe(201)
    const [{ uuid, secret: made, ...record }] = body.records
    expect(headers.get('location')).toBe(`${WEBHOOKS}/${uuid}`)
    expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(record).toMatchObject({ url: 'http://127.0.0.1:1/hook', enabled: true, holdoff_seconds: 0, volumes: [] })
    expect(record.kinds).toContain('quota.grace_ended')
    expect(record.kinds).not.toContain('test')
    const secretless = JSON.stringify([
      (await http.get(`${WEBHOOKS}/${uuid}?fields=**`)).text,
      (await http.get(`${WEBHOOKS}?fields=**`)).text,
      (await http.get(`${WEBHOOKS}?fields=secret`)).text,
      (await http.get(`${WEBHOOKS}?secret=*`)).text,
      (await http.patch(`${WEBHOOKS}/${uuid}`, { enabled: false })).text,
      (await http.get(`${WEBHOOKS}/${uuid}/deliveries?fields=**`)).text,
    ])
    expect(secretless).not.toContain('whsec_')
  })

  it('never returns a secret of the client', async () => {
    const http = await openHttp()
    const { text } = await http.post(WEBHOOKS, { url: 'https://h/', secret })
    expect(text).not.toContain('whsec_')
  })

  it.each<[string, unknown, string]>([
    ['a URL of another scheme', { url: 'file:///etc/passwd' }, 'url'],
    ['a script as URL', { url: 'javascript:alert(1)' }, 'url'],
    ['a URL that is no URL', { url: '//h/x' }, 'url'],
    ['a URL with a user', { url: 'http://ada@h/' }, 'url'],
    ['a URL with a password', { url: 'http://:hunter2@h/' }, 'url'],
    ['a URL with a fragment', { url: 'http://h/#x' }, 'url'],
    ['a line break in a URL', { url: 'http://h/\r\nx-injected: 1' }, 'url'],
    ['a line break that the URL parser ignores', { url: 'ht\ntp://h/' }, 'url'],
    ['a space after a URL', { url: 'http://h/ ' }, 'url'],
    ['a URL of 2,049 characters', { url: `http://h/${'x'.repeat(2040)}` }, 'url'],
    ['no URL', {}, 'url'],
    ['a short secret', { url: 'http://h/', secret: `whsec_${btoa('x'.repeat(15))}` }, 'secret'],
    ['a long secret', { url: 'http://h/', secret: `whsec_${btoa('x'.repeat(65))}` }, 'secret'],
    ['a secret without its prefix', { url: 'http://h/', secret: btoa('x'.repeat(32)) }, 'secret'],
    ['a secret that is not Base64', { url: 'http://h/', secret: `whsec_${'~'.repeat(32)}` }, 'secret'],
    ['an unknown kind', { url: 'http://h/', kinds: ['everything'] }, 'kinds.0'],
    ['the kind of tests', { url: 'http://h/', kinds: ['test'] }, 'kinds.0'],
    ['1,000 kinds', { url: 'http://h/', kinds: Array.from({ length: 1000 }, () => 'split.done') }, 'kinds'],
    ['1,001 volumes', { url: 'http://h/', volumes: Array.from({ length: 1001 }, () => ({ uuid: 'x' })) }, 'volumes'],
    ['a volume by name', { url: 'http://h/', volumes: [{ name: 'vol1' }] }, 'volumes.0.uuid'],
    ['a name of 256 characters', { url: 'http://h/', name: 'x'.repeat(256) }, 'name'],
    ['a NUL in a name', { url: 'http://h/', name: 'x\0' }, 'name'],
    ['a negative hold-off', { url: 'http://h/', holdoff_seconds: -1 }, 'holdoff_seconds'],
    ['a hold-off of two days', { url: 'http://h/', holdoff_seconds: 172_800 }, 'holdoff_seconds'],
    ['an id', { url: 'http://h/', uuid: 'x' }, 'uuid'],
  ])('refuses %s', async (_, body, target) => {
    const http = await openHttp()
    const answer = await http.post(WEBHOOKS, body)
    expect([answer.status, answer.body.error.target]).toEqual([400, target])
    expect(answer.text).not.toMatch(/hunter2|whsec_[A-Za-z0-9]/)
    expect((await http.get(WEBHOOKS)).body.num_records).toBe(0)
  })

  it('refuses a body that is nested deeply', async () => {
    const http = await openHttp()
    const deep = `{"url": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await http.ask('POST', WEBHOOKS, { body: deep })).status).toBe(400)
    const dotted = { url: 'http://h/', [`${'a.'.repeat(50)}a`]: 1 }
    expect((await http.post(WEBHOOKS, dotted)).status).toBe(400)
  })

  it('refuses more than 100 webhooks, of which a receiver gets each notice', async () => {
    const http = await openHttp()
    const receiver = await openReceiver()
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, index) => http.post(WEBHOOKS, { name: `w${index}`, url: receiver.url })),
    )
    const refused = answers.filter((answer) => answer.status !== 201)
    expect(refused).toHaveLength(50)
    expect(refused[0]).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringMatching(/at most 100/) } },
    })
    expect((await http.get(`${WEBHOOKS}?return_records=false`)).body.num_records).toBe(100)
    await publish(http, 'n1')
    await receiver.arrived(100)
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(['n1']))
  })

  it('filters, orders and pages webhooks', async () => {
    const http = await openHttp()
    for (const name of ['b', 'a', 'c'])
      await makeWebhook(http, { name, url: `https://${name}/`, enabled: name !== 'c' })
    const { records } = (await http.get(`${WEBHOOKS}?enabled=true&order_by=name&fields=name`)).body
    expect(records.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
    const page = (await http.get(`${WEBHOOKS}?max_records=2&order_by=name`)).body
    expect((await http.get(page._links.next.href)).body.records).toMatchObject([{ name: 'c' }])
  })

  it('changes and deletes a webhook', async () => {
    const http = await openHttp()
    const { uuid } = await makeWebhook(http, { url: 'http://127.0.0.1:1/' })
    const one = `${WEBHOOKS}/${uuid}`
    const changes = { url: 'https://h/x', kinds: ['split.done'], enabled: false, holdoff_seconds: 5, name: 'chat' }
    expect((await http.patch(one, changes)).status).toBe(200)
    expect((await http.get(one)).body).toMatchObject(changes)
    expect((await http.patch(one, { url: 'http://u:p@h/' })).status).toBe(400)
    expect((await http.patch(one, { secret })).body.error.target).toBe('secret')
    expect((await http.delete(one)).status).toBe(200)
    for (const path of [one, `${one}/deliveries`]) expect((await http.get(path)).status).toBe(404)
    expect((await http.patch(one, { enabled: true })).status).toBe(404)
    expect((await http.post(`${one}/test`, undefined)).status).toBe(404)
  })

  it('sends a test and returns what the receiver answers', async () => {
    const http = await openHttp()
    const receiver = await openReceiver(status(202))
    const { uuid } = await makeWebhook(http, { url: receiver.url })
    const test = async () => (await http.post(`${WEBHOOKS}/${uuid}/test`, undefined)).body
    expect(await test()).toEqual({ delivered: true, status: 202 })
    receiver.answerWith(status(302, { location: receiver.url }))
    expect(await test()).toMatchObject({ delivered: false, status: 302, message: expect.stringMatching(/redirect/) })
    await http.patch(`${WEBHOOKS}/${uuid}`, { url: 'http://127.0.0.1:1/' })
    expect(await test()).toEqual({ delivered: false, message: expect.stringMatching(/cannot be reached/) })
  })

  it('lists what waits and what was given up, and delivers it again on request', async () => {
    const log = vi.spyOn(console, 'error')
    const http = await openHttp()
    const receiver = await openReceiver(status(500))
    const { uuid } = await makeWebhook(http, { url: receiver.url, secret })
    await publish(http, 'n1')
    await publish(http, 'n2')
    await until(() => http.emitted.some(([name]) => name === 'webhook.failed'))
    // The last failure is that of the first try of the second notice.
    for (let tries = 1; tries < 13; tries += 1) {
      if (tries < 12) http.clock.advance(6 * 3600)
      await until(() => http.emitted.filter(([name]) => name === 'webhook.failed').length > tries)
    }
    const deliveries = `${WEBHOOKS}/${uuid}/deliveries`
    const dead = (await http.get(`${deliveries}?state=dead`)).body.records
    expect(dead).toMatchObject([
      {
        event: { id: 'n1', type: 'split.done' },
        state: 'dead',
        tries: 12,
        status: 500,
        message: 'The receiver answered with status 500.',
      },
    ])
    const pending = (await http.get(`${deliveries}?state=pending&event.type=split.done`)).body.records
    expect(pending).toMatchObject([{ event: { id: 'n2' } }])
    expect((await http.get(`${deliveries}?event.type=test`)).body.num_records).toBe(0)
    receiver.answerWith(status(204))
    expect((await http.post(`${deliveries}/${dead[0].index}/retry`, undefined)).status).toBe(200)
    await until(() => http.emitted.some(([name]) => name === 'webhook.delivered'))
    http.clock.advance(6 * 3600)
    // A delivery that is under way when the clock advances has lost its lease, and is made again.
    await until(async () => (await http.get(deliveries)).body.num_records === 0)
    for (const index of [dead[0].index, 'x', '-1', '9'.repeat(30)]) {
      expect((await http.post(`${deliveries}/${index}/retry`, undefined)).status).toBe(404)
    }
    expect(JSON.stringify([http.faults, log.mock.calls])).not.toContain('whsec_')
  })
})

describe('the API of notices', () => {
  it('lists notices in the order of their publication, with filters', async () => {
    const http = await openHttp()
    await publish(http, 'n1')
    await http.storage.notices.publish({ id: 'n2', kind: 'grace-ended', at: http.clock.now() })
    const { records } = (await http.get(`${NOTICES}?fields=*`)).body
    expect(records).toMatchObject([
      { id: 'n1', type: 'split.done', path: 'c1', volume: { name: 'vol1' }, svm: { name: 'svm1' } },
      { id: 'n2', type: 'quota.grace_ended' },
    ])
    const found = async (query: string) =>
      (await http.get(`${NOTICES}?${query}`)).body.records.map(({ id }: { id: string }) => id)
    expect(await found('type=quota.grace_ended')).toEqual(['n2'])
    expect(await found('type=!quota.grace_ended')).toEqual(['n1'])
    expect(await found('volume.name=vol1')).toEqual(['n1'])
    expect(await found(`index=>${records[0].index}`)).toEqual(['n2'])
    expect(await found('order_by=index desc')).toEqual(['n2', 'n1'])
    expect((await http.get(`${NOTICES}?type=nonsense`)).status).toBe(400)
  })
})
