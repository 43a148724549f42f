import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../server-process.ts'
import { chunk, startUpstream, type Upstream } from '../upstream.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  takePicture,
  WAIT_OPTIONS,
} from './console-fixture.ts'

const RESULTS = `<div id="links"><div class="result results_links web-result"><div class="links_main result__body">
<h2 class="result__title"><a class="result__a" href="https://example.com/three-roads">Where three roads meet</a></h2>
<a class="result__snippet" href="https://example.com/three-roads">A <b>crossing</b></a></div></div></div>`

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('The gateway in a browser', () => {
  const environment = {
    OPENAI_BASE_URL: '',
    DUCKDUCKGO_BASE_URL: '',
    OPENAI_API_KEY: 'upstream-key',
    OPENAI_MODELS: 'm-1,dall-e-3',
  }
  let upstream: Upstream
  /** Responses of streams that have not been taken by the test. */
  const streams: ServerResponse[] = []
  let arrived = () => {}

  const nextStream = async (): Promise<ServerResponse> => {
    while (streams.length === 0) {
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    }
    const [stream] = streams.splice(0, 1)
    if (!stream) throw new Error('no stream')
    return stream
  }

  beforeAll(async () => {
    upstream = await startUpstream(({ path, body }, response) => {
      if (path === '/v1/images/generations') {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ created: 1, data: [{ b64_json: IMAGE }] }))
        return
      }
      if (!path.startsWith('/v1/')) {
        response.statusCode = path.startsWith('/html') ? 200 : 500
        response.setHeader('content-type', 'text/html')
        response.end(RESULTS)
        return
      }
      if (!body.includes('"stream":true')) {
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            id: 'chatcmpl-1',
            object: 'chat.completion',
            created: 1,
            model: 'm-1',
            choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
          }),
        )
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      streams.push(response)
      arrived()
    })
    environment.OPENAI_BASE_URL = upstream.url
    environment.DUCKDUCKGO_BASE_URL = new URL(upstream.url).origin
  })
  afterAll(() => upstream.close())

  describeConsole(
    'with an upstream',
    ({ server, open, expectError }) => {
      it('shows an answer token by token, and keeps the conversation in the tab', async () => {
        const page = await open({ view: '/gateway', viewport: { width: 1280, height: 900 } })
        await page.getByText('No messages yet').waitFor()
        await page.getByLabel('Model', { exact: true }).selectOption('openai/m-1')
        await page.getByRole('textbox', { name: 'Message' }).fill('What is a trivium?')
        await page.getByRole('button', { name: 'Send' }).click()
        const stream = await nextStream()
        const answer = page.locator('.gateway-conversation li.assistant .words')
        let shown = ''
        for (const token of ['A place ', 'where three ', 'roads meet.']) {
          stream.write(chunk(token))
          shown += token
          await expect.poll(() => answer.textContent(), WAIT_OPTIONS).toBe(shown)
        }
        stream.write(chunk('', 'stop'))
        stream.write(
          `data: ${JSON.stringify({
            ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm-1', choices: [] },
            usage: { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 },
          })}\n\ndata: [DONE]\n\n`,
        )
        stream.end()
        await page.getByText('12 tokens in, 6 out').waitFor()
        await takePicture(page, 'console-gateway')
        await page.reload()
        await page.getByText('A place where three roads meet.').waitFor()
        await page.getByRole('button', { name: 'New conversation' }).click()
        await page.getByText('No messages yet').waitFor()
      })

      it('closes the request to the upstream when the user stops the answer', async () => {
        const page = await open({ view: '/gateway' })
        await page.getByRole('textbox', { name: 'Message' }).fill('Go on for ever')
        await page.getByRole('button', { name: 'Send' }).click()
        const stream = await nextStream()
        stream.write(chunk('and on '))
        await page.getByText('and on').waitFor()
        const closed = once(stream, 'close')
        await page.getByRole('button', { name: 'Stop' }).click()
        await closed
        await page.getByText('Stopped').waitFor()
        await page.getByText('and on').waitFor()
      })

      it("shows the server's message about a wrong parameter", async () => {
        const page = await open({ view: '/gateway' })
        expectError(/400/)
        await page.getByLabel('Temperature').fill('9')
        await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('alert').getByText('temperature').waitFor()
      })

      it('shows the images of a prompt', async () => {
        const page = await open({ view: '/gateway/images' })
        await page.getByLabel('Prompt').fill('a crossing of three roads')
        await page.getByRole('button', { name: 'Generate images' }).click()
        const shownImage = page.getByRole('img', { name: 'a crossing of three roads' })
        await shownImage.waitFor()
        expect(await shownImage.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBe(1)
      })

      it('makes a key, shows it once, and revokes it', async () => {
        const page = await open({ view: '/gateway/keys' })
        await page.getByRole('button', { name: 'New key' }).click()
        const dialog = page.getByRole('dialog')
        // The first field has the focus.
        await page.keyboard.type('grace')
        expect(await dialog.getByLabel('User').inputValue()).toBe('grace')
        await dialog.getByLabel('Name').fill('script')
        await dialog.getByLabel('Requests per minute').fill('0')
        expectError(/400|401/)
        await dialog.getByRole('button', { name: 'Create key' }).click()
        await dialog.getByRole('alert').getByText('rate_limit').waitFor()
        await dialog.getByLabel('Requests per minute').fill('20')
        await dialog.getByLabel('Days until it expires').fill('30')
        await dialog.getByRole('button', { name: 'Create key' }).click()
        const secret = (await page.locator('.gateway-secret').textContent()) ?? ''
        // Browsers accept a second Escape where a page has prevented the first one.
        for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape')
        expect(await page.locator('.gateway-secret').isVisible()).toBe(true)
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await page.getByRole('button', { name: 'Copy the key' }).click()
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), WAIT_OPTIONS).toBe(secret)
        await page.getByRole('button', { name: 'I have copied it' }).click()
        expect(await page.content()).not.toContain(secret)
        const row = page.getByRole('row', { name: /script of grace/ })
        await row.getByText(/until .*20\d\d/).waitFor()

        const client = new OpenAI({ baseURL: `${server().url}/v1`, apiKey: secret, maxRetries: 0 })
        const ask = () =>
          client.chat.completions.create({ model: 'm-1', messages: [{ role: 'user', content: 'Hello' }] })
        expect((await ask()).choices[0]?.message.content).toBe('Hello')
        await expect.poll(() => row.getByRole('cell').nth(3).innerText(), WAIT_OPTIONS).toBe('1')

        await row.getByRole('button', { name: 'Revoke' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
        await row.getByText('revoked').waitFor()
        await expect(ask()).rejects.toMatchObject({ status: 401 })
      })

      it('shows new keys of other clients immediately, changes their limits and rotates them', async () => {
        const page = await open({ view: '/gateway/keys' })
        await page.getByRole('button', { name: 'New key' }).waitFor()
        const old = await createKey(server(), { username: 'ada', name: 'notebook' })
        const row = page.getByRole('row', { name: /notebook of ada/ })
        await row.getByRole('button', { name: 'Edit' }).click()
        await page.getByRole('dialog').getByLabel('Requests per minute').fill('77')
        await page.getByRole('button', { name: 'Save' }).click()
        await row.getByText('77', { exact: true }).waitFor()
        await row.getByRole('button', { name: 'Rotate' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
        const secret = (await page.locator('.gateway-secret').textContent()) ?? ''
        const validate = async (key: string) => {
          const headers = { authorization: `Bearer ${key}` }
          return (await fetch(`${server().url}/v1/auth/validate`, { headers })).json()
        }
        expect(await validate(old)).toMatchObject({ valid: false })
        expect(await validate(secret)).toMatchObject({ valid: true, rate_limit: 77 })
      })

      it('shows usage by day, model and key', async () => {
        const page = await open({ view: '/gateway/usage' })
        const apiKey = await createKey(server(), { username: 'linus', name: 'batch' })
        const client = new OpenAI({ baseURL: `${server().url}/v1`, apiKey, maxRetries: 0 })
        await client.chat.completions.create({ model: 'm-1', messages: [{ role: 'user', content: 'Hello' }] })
        await page.getByLabel('Group by', { exact: true }).selectOption('key')
        await page.getByLabel('Measure', { exact: true }).selectOption('tokens')
        const totals = page.getByRole('region', { name: 'Tokens by key' })
        await totals.getByRole('row', { name: /batch of linus\s+1\s+16/ }).waitFor()
        await page.getByText('Tokens per day by key').first().waitFor()
        await expectAccessible(page)
      })

      it("searches, and shows the server's message when a search fails", async () => {
        const page = await open({ view: '/gateway/search' })
        expectError(/50\d/)
        await page.getByLabel('Query').fill('trivium')
        await page.getByRole('button', { name: 'Search' }).click()
        const link = page.getByRole('link', { name: 'Where three roads meet' })
        await link.waitFor()
        expect(await link.getAttribute('rel')).toContain('noopener')
        await page.getByLabel('Engine').selectOption('duckduckgo')
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByText('1 from duckduckgo').waitFor()
        await page.getByLabel('Type').selectOption('news')
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByText('The search engine answered with status 500.').waitFor()
      })

      it.each([
        ['light', 1280],
        ['dark', 380],
      ] as const)('has no serious accessibility violation in axe, and does not scroll horizontally, in %s at %i pixels', async (colorScheme, width) => {
        const page = await open({ view: '/gateway', colorScheme, viewport: { width, height: 900 } })
        for (const [link, region] of [
          ['Playground', 'Conversation'],
          ['Images', 'Image generation'],
          ['API keys', 'API keys'],
          ['Search', 'Search the web'],
          ['Models', 'Chat models'],
        ] as const) {
          await page.getByRole('navigation', { name: 'Gateway' }).getByRole('link', { name: link }).click()
          await page.getByRole('region', { name: region, exact: true }).waitFor()
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
        }
      })
    },
    { environment },
  )
})
