import type { AddressInfo } from 'node:net'
import { createStorage } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { mailOf } from '../../src/compose/smtp-mailer.ts'
import { parseSettings } from '../../src/settings.ts'

interface Message {
  readonly from: string
  readonly to: readonly string[]
  readonly data: string
}

/** Opens a mail server that accepts one user, and refuses the first messages. */
async function openServer(refusals = 0) {
  const messages: Message[] = []
  let left = refusals
  let resolve: (() => void) | undefined
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'ada' && password === 'hunter 2'
        ? done(null, { user: username })
        : done(new Error(`wrong password ${password}`)),
    onData: async (stream, { envelope }, done) => {
      let data = ''
      for await (const chunk of stream) data += chunk
      left -= 1
      if (left >= 0) return done(new Error('Try again later'))
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      messages.push({ from, to: envelope.rcptTo.map(({ address }) => address), data })
      done()
      resolve?.()
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise((closed) => server.close(() => closed())))
  const { port } = server.server.address() as AddressInfo // a server on TCP
  return {
    messages,
    address: `127.0.0.1:${port}`,
    arrived: async (count: number) => {
      while (messages.length < count) {
        await new Promise<void>((next) => {
          resolve = next
        })
      }
    },
  }
}

function mailTo(address: string, user: string) {
  const { output } = parseSettings({
    TRIVIUM_SMTP_URL: `smtp://${user}@${address}`,
    TRIVIUM_MAIL_FROM: 'trivium@example.com',
    TRIVIUM_MAIL_TO: 'ada@example.com,grace@example.com',
  })
  if (!output) throw new Error('The settings are wrong')
  const mail = mailOf(output as Parameters<typeof mailOf>[0]) // the settings were parsed
  if (!mail) throw new Error('No mail is set')
  return { ...mail, digestMinutes: 0 }
}

it('sends the digest of each recipient, again where the server refuses it', async () => {
  const server = await openServer(1)
  const faults: unknown[] = []
  let time = Date.UTC(2026, 0, 1)
  const storage = createStorage({
    repositories: memoryStorageRepositories(),
    mail: mailTo(server.address, 'ada:hunter%202'),
    now: () => new Date(time),
    lookSeconds: 0.02,
    onFault: (fault) => {
      faults.push(fault)
      // The wait before the retry begins after the fault was reported.
      queueMicrotask(() => {
        time += 60_000
      })
    },
  })
  await storage.start()
  onTestFinished(() => storage.close())
  await storage.notices.publish({ id: 'n1', kind: 'split-done', path: 'ä/b', at: new Date(time) })
  await server.arrived(2)
  expect(server.messages.map(({ to }) => to.join()).toSorted()).toEqual(['ada@example.com', 'grace@example.com'])
  const [{ data = '', from } = {}] = server.messages
  expect(from).toBe('trivium@example.com')
  expect(data).toMatch(/^Subject: Trivium: 1 notice\r$/m)
  expect(data).toMatch(/^Message-ID: <[0-9a-f]{32}@example\.com>\r$/m)
  expect(data).toContain('split.done')
  expect(faults.map(String)).toEqual([expect.stringMatching(/was not sent: the mail server failed with [45]\d\d/)])
})

it('answers a test with what the mail server does', async () => {
  const server = await openServer()
  const open = (user: string) => {
    const storage = createStorage({ mail: mailTo(server.address, user) })
    onTestFinished(() => storage.close())
    return storage.mailing
  }
  expect((await open('ada:hunter%202').test('grace@example.com'))._unsafeUnwrap()).toEqual({ type: 'accepted' })
  await server.arrived(1)
  expect(server.messages[0]).toMatchObject({ to: ['grace@example.com'] })
  expect(server.messages[0]?.data).toMatch(/^Subject: Trivium: test\r$/m)
  expect((await open('ada:secret-word').test('grace@example.com'))._unsafeUnwrap()).toEqual({
    type: 'refused',
    failure: 'A message to grace@example.com was not sent: the mail server failed with 535',
  })
})

it('reports a refused password without it', async () => {
  const server = await openServer()
  const { mailer } = mailTo(server.address, 'ada:secret-word')
  const sent = mailer.send({ id: 'x', to: 'ada@example.com', subject: 's', text: 't' })
  await expect(sent).rejects.toThrow('A message to ada@example.com was not sent: the mail server failed with 535')
  await sent.catch((error: unknown) => expect(JSON.stringify([error, String(error)])).not.toContain('secret-word'))
})

it('needs all of its settings, and shows no password', () => {
  expect(parseSettings({ TRIVIUM_SMTP_URL: 'http://x' }).issues?.[0].message).toBe('must be smtp://… or smtps://…')
  const wrong = { TRIVIUM_MAIL_TO: 'ada@example.com,x' }
  expect(parseSettings(wrong).issues?.[0].message).toBe('must be addresses, separated by commas')
})
