import { describe, expect, it } from 'vitest'
import { openReceiver, status } from '../../../../packages/storage-core/tests/receiver.ts'
import { hasBrowser } from './browser.ts'
import { describeConsole, expectAccessible } from './console-fixture.ts'

describe.skipIf(!hasBrowser)('Webhooks', () => {
  describeConsole('The view of webhooks in a browser', ({ open, expectError }) => {
    it('creates a webhook, shows its secret once, and sends tests', async () => {
      const receiver = await openReceiver()
      expectError(/400/)
      const page = await open({ view: '/storage/webhooks' })
      const form = page.getByRole('form', { name: 'New webhook' })
      await form.getByLabel('Name').fill('chat')
      await form.getByLabel('Address').fill('ftp://h/')
      await form.getByRole('button', { name: 'Create' }).click()
      await form.getByText(/an http or https URL is expected/).waitFor()
      await form.getByLabel('Address').fill(receiver.url)
      await form.getByRole('button', { name: 'Create' }).click()
      await page.getByText(/^whsec_/).waitFor()
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await page.getByRole('button', { name: 'Test chat' }).click()
      await page.getByText('chat answered with 204.').waitFor()
      receiver.answerWith(status(500))
      await page.getByRole('button', { name: 'Test chat' }).click()
      await page.getByText('chat: The receiver answered with status 500.').waitFor()
      await page.getByRole('button', { name: 'Disable chat' }).click()
      await page.getByRole('button', { name: 'Enable chat' }).waitFor()
      await page.getByRole('button', { name: 'Given up for chat' }).click()
      await page.getByText('Nothing was given up').waitFor()
      await expectAccessible(page)
      expect(await page.getByText(/^whsec_/).count()).toBe(0)
    })
  })

  const environment = {
    TRIVIUM_SMTP_URL: 'smtp://127.0.0.1:1',
    TRIVIUM_MAIL_FROM: 'trivium@example.com',
    TRIVIUM_MAIL_TO: 'ada@example.com',
  }
  describeConsole(
    'The recipients of e-mail in a browser',
    ({ open }) => {
      it('shows them, and why a test was not sent', async () => {
        const page = await open({ view: '/storage/webhooks' })
        await page.getByRole('button', { name: 'Test ada@example.com' }).click()
        await page.getByText(/A message to ada@example.com was not sent: the mail server failed with ESOCKET/).waitFor()
        await expectAccessible(page)
      })
    },
    { environment },
  )
})
