import { expect, it } from 'vitest'
import { describeConsole } from './console-fixture.ts'
import { createLab } from './lab-fixture.ts'
import { consoleRegionOf, selectInstance, typeInto } from './lab-page.ts'
import { openStrippingProxy } from './stripping-proxy.ts'

describeConsole(
  'The console through a proxy that removes a prefix',
  ({ server, open, expectError }) => {
    it('finds the three services, and opens the console of an instance', async () => {
      await using proxy = await openStrippingProxy(server().url)
      const page = await open({ origin: proxy.url, viewport: { width: 1400, height: 900 } })
      for (const name of ['Gateway', 'Emulation', 'Storage']) {
        await page.getByRole('region', { name, exact: true }).getByText('healthy').first().waitFor()
      }
      const { projectId } = await createLab(server())
      await page.goto(`${proxy.url}/console/#/emulation/${projectId}`)
      await selectInstance(page, 'PC1')
      await page.getByRole('region', { name: 'PC1', exact: true }).getByRole('button', { name: 'Console' }).click()
      await typeInto(page, 'PC1', 'echo through the proxy')
      await consoleRegionOf(page, 'PC1').getByText('through the proxy').first().waitFor()
      // The streams of the page end before the proxy does.
      await page.close()
    })

    it('shows own quotas', async () => {
      await using proxy = await openStrippingProxy(server().url)
      const created = await server().ask('/api/self/tokens', { method: 'POST', body: { user: { id: '1001' } } })
      const { records } = await created.json()
      const page = await open({ origin: proxy.url, file: 'quotas.html' })
      expectError(/401/)
      await page.getByRole('textbox', { name: 'Token' }).fill(records[0].token)
      await page.getByRole('button', { name: 'Show my quotas' }).click()
      await page.getByText('You are #1001.').waitFor()
    })

    it('has pages of the server at addresses with the prefix', async () => {
      await using proxy = await openStrippingProxy(server().url)
      const document: { readonly servers: unknown } = await (await fetch(`${proxy.url}/openapi.json`)).json()
      expect(document.servers).toEqual([{ url: proxy.url }])
      const found = await fetch(`${proxy.url}/console`)
      expect([found.status, found.url]).toEqual([200, `${proxy.url}/console/`])
      const reference = await (await fetch(`${proxy.url}/docs`)).text()
      for (const [, link = ''] of reference.matchAll(/ href="([^"#]+)"/g)) {
        const address = new URL(link, `${proxy.url}/docs`).href
        expect([address, (await fetch(address)).status]).toEqual([address, 200])
      }
    })
  },
  { environment: { TRIVIUM_TRUST_PROXY: '127.0.0.1' } },
)
