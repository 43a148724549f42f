import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExampleProcess, startExample } from '../../../tests/example-process.ts'
import { ownPorts } from '../../reference-server/tests/own-ports.ts'
import { openSocket } from './socket-probe.ts'

const PASSWORD = 'correct horse'
const admin = { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` }

/** Reads a text of a JSON object. */
async function textOf(response: Response, name: string): Promise<string> {
  const { [name]: text } = v.parse(v.record(v.string(), v.unknown()), await response.json())
  return v.parse(v.string(), text)
}

export interface HostUnderTestOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** @default false: consoles open by a ticket or the admin's password */
  readonly opensConsolesBySession?: boolean
}

/** Tests that a host with its usual plugins serves the three services in addition to its own routes and sockets. */
export function describeHost(
  name: string,
  { environment = {}, opensConsolesBySession = false }: HostUnderTestOptions = {},
): void {
  describe(name, () => {
    let host: ExampleProcess
    // Another host under test could take a port of the host's choice before it is open.
    let nextPort: number
    let key: Readonly<Record<string, string>>

    beforeAll(async () => {
      nextPort = (await ownPorts()).consolePorts.first
      host = await startExample('hosts', { ...environment, ADMIN_PASSWORD: PASSWORD }, `src/${name}/main.ts`)
      const generated = await post('/ai/v1/auth/generate-key', { username: 'tests', rate_limit: 1000 }, admin)
      key = { authorization: `Bearer ${await textOf(generated, 'api_key')}` }
    })
    afterAll(() => host?.[Symbol.asyncDispose]())

    const read = (path: string, headers: Readonly<Record<string, string>> = admin) =>
      fetch(`${host.url}${path}`, { headers: { ...headers } })

    const post = (path: string, body: unknown, headers: Readonly<Record<string, string>>) =>
      fetch(`${host.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })

    /** Logs a user in as a page of the host does, and returns the header of the session. */
    const logIn = async (user: string) => {
      const answer = await post('/own/login', { user }, {})
      const headers = {
        cookie: answer.headers
          .getSetCookie()
          .map((cookie) => cookie.split(';')[0])
          .join('; '),
      }
      expect(await (await read('/own', headers)).json()).toEqual({ user })
      return headers
    }

    const chat = (
      content: string,
      options: Readonly<Record<string, unknown>> = {},
      headers: Readonly<Record<string, string>> = key,
    ) =>
      post(
        '/ai/v1/chat/completions',
        { model: 'local/echo-no-llm', messages: [{ role: 'user', content }], ...options },
        headers,
      )

    /** Creates a lab with a virtual PC that runs. */
    const startPc = async (owner: Readonly<Record<string, string>>) => {
      const project = `/lab/v1/projects/${await textOf(await post('/lab/v1/projects', {}, owner), 'project_id')}`
      nextPort += 1
      const added = await post(`${project}/emu3/vms`, { name: 'Alice', console: nextPort }, owner)
      const pc = `${project}/emu3/vms/${await textOf(added, 'vm_id')}`
      const started = await post(`${pc}/start`, {}, owner)
      expect(started.status).toBe(204)
      return { project, pc, console: `${host.url}${pc}/console/ws` }
    }

    it('continues to serve its own routes', async () => {
      expect(await (await read('/own')).json()).toEqual({ user: null })
      expect((await read('/elsewhere')).status).toBe(404)
      expect((await read('/ai/elsewhere')).status).toBe(404)
    })

    it('serves JSON of the three services', async () => {
      const completion = await chat('Hello, host')
      expect(await completion.json()).toMatchObject({ choices: [{ message: { content: 'Hello, host' } }] })
      expect(await (await read('/lab/v1/version')).json()).toMatchObject({ version: expect.any(String) })
      expect(await (await read('/nas/api/cluster')).json()).toMatchObject({ name: expect.any(String) })
    })

    it('refuses callers without credentials', async () => {
      for (const path of ['/ai/v1/models', '/lab/v1/version', '/nas/api/cluster']) {
        expect((await read(path, {})).status).toBe(401)
      }
    })

    it('lets users of its own sessions chat without a key, each with limits and usage of their own', async () => {
      const [ada, grace] = [await logIn('ada'), await logIn('grace')]
      const statuses: number[] = []
      for (const user of [ada, ada, ada, ada, grace]) statuses.push((await chat('Hello', {}, user)).status)
      expect(statuses).toEqual([200, 200, 200, 429, 200])
      const usage = await read('/ai/v1/usage?group_by=key', grace)
      expect(await usage.json()).toMatchObject({ data: [{ user_id: 'grace', requests: 1 }] })
      expect((await post('/ai/v1/auth/generate-key', { username: 'ada' }, ada)).status).toBe(403)
    })

    it('shows users of its own sessions only their own labs', async () => {
      const [ada, grace] = [await logIn('ada'), await logIn('grace')]
      const project = await textOf(await post('/lab/v1/projects', {}, ada), 'project_id')
      expect((await read(`/lab/v1/projects/${project}`, ada)).status).toBe(200)
      expect((await read(`/lab/v1/projects/${project}`, grace)).status).toBe(404)
      expect(await (await read('/lab/v1/projects', grace)).json()).toEqual([])
    })

    it('compresses JSON, and streams chunks one by one to a client that accepts compression', async () => {
      const headers = { ...key, 'accept-encoding': 'gzip' }
      const picture = {
        model: 'local/procedural-no-llm',
        prompt: 'a tree',
        size: '256x256',
        response_format: 'b64_json',
      }
      const image = await post('/ai/v1/images/generations', picture, headers)
      expect(image.headers.get('content-encoding')).toBe('gzip')
      expect(await image.json()).toMatchObject({ data: [{ b64_json: expect.any(String) }] })

      const stream = await chat(`first ${'word '.repeat(60)}last`, { stream: true }, headers)
      const received: string[] = []
      for await (const text of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) received.push(text)
      expect(received.join('')).toMatch(/"first".*" last".*\[DONE\]\n\n$/s)
      expect(received.length).toBeGreaterThan(4)
      expect(received[0]).not.toContain('" last"')
    })

    it('answers with addresses that lead back to it', async () => {
      const picture = { model: 'local/procedural-no-llm', prompt: 'a tree', size: '256x256' }
      const created = await post('/ai/v1/images/generations', picture, key)
      const { data } = v.parse(v.object({ data: v.array(v.object({ url: v.string() })) }), await created.json())
      const url = data[0]?.url ?? ''
      expect(url).toContain(`${host.url}/ai/`)
      expect((await fetch(url)).headers.get('content-type')).toBe('image/png')

      for (const user of ['ada', 'grace']) {
        const rule = { svm: { name: 'svm1' }, volume: { name: 'homes' }, type: 'user', users: [{ name: user }] }
        const added = await post('/nas/api/storage/quota/rules', rule, admin)
        expect((await fetch(new URL(added.headers.get('location') ?? '', host.url), { headers: admin })).status).toBe(
          200,
        )
      }
      const first = await (await read('/nas/api/storage/quota/rules?max_records=1')).json()
      const { _links } = v.parse(v.object({ _links: v.object({ next: v.object({ href: v.string() }) }) }), first)
      const next = await fetch(new URL(_links.next.href, host.url), { headers: admin })
      expect(await next.json()).toMatchObject({ records: [{ uuid: expect.any(String) }] })
    })

    it('accepts a chat of several megabytes', async () => {
      const completion = await chat('word '.repeat(1_000_000), { max_tokens: 3 })
      const { usage } = (await completion.json()) as { readonly usage: Readonly<Record<string, number>> }
      // The local models count long texts in proportion.
      expect(Math.abs((usage.prompt_tokens ?? 0) - 1_000_000)).toBeLessThan(1_000)
      expect(usage.completion_tokens).toBe(3)
    })

    it('opens consoles of a lab in addition to its own sockets', async () => {
      const chatting = await openSocket(`${host.url}/own/socket`)
      chatting.send('{"event":"say","data":"hello"}')
      await chatting.shows(/hello/)
      const ada = await logIn('ada')
      const { pc, console } = await startPc(ada)
      await expect(openSocket(console)).rejects.toThrow('401')
      const viewer = await openSocket(console, admin)
      await viewer.shows(/Alice> $/)
      viewer.send('show ip\r')
      await viewer.shows(/NAME +: Alice/)

      const ticket = await textOf(await post(`${pc}/console/ticket`, {}, await logIn('ada')), 'ticket')
      const own = await openSocket(`${console}?ticket=${ticket}`)
      await own.shows(/Alice> $/)

      if (!opensConsolesBySession) return
      const bySession = await openSocket(console, ada)
      await bySession.shows(/Alice> $/)
      await expect(openSocket(console, await logIn('grace'))).rejects.toThrow('404')
    })

    it('exits with 0 on SIGTERM while streams, sockets and connections are open', async () => {
      const { project, console } = await startPc(admin)
      const own = await openSocket(`${host.url}/own/socket`)
      const viewer = await openSocket(console, admin)
      const notifications = await read(`${project}/notifications`)
      const running = await chat('word '.repeat(100), { stream: true })
      const agent = new Agent({ keepAlive: true })
      const [response] = await once(get(`${host.url}/own`, { agent }), 'response')
      response.resume()
      const { hostname, port } = new URL(host.url)
      const silent = connect(Number(port), hostname)
      await once(silent, 'connect')

      expect(await host.stop()).toBe(0)
      await notifications.text()
      expect(await running.text()).toMatch(/\[DONE\]\n\n$/)
      expect(await viewer.closed).toBe(1001)
      await own.closed
    })
  })
}
