import { ADMIN_PASSWORD } from '../server-process.ts'

/** Secrets that no other text contains by chance. */
export const secrets = {
  admin: ADMIN_PASSWORD,
  openAi: 'marker0openai0b62e8d04',
  anthropic: 'marker0anthropic0c95f1',
  brave: 'marker0brave0e07d3a66',
  database: 'marker0database0a8841',
  redis: 'marker0redis0d2c7b95',
} as const

/** Returns every clear-text encoding of a secret: plain, in a URL, in HTTP Basic and in hexadecimal. */
export function encodings(secret: string): readonly string[] {
  const encoded = ['', `admin:`, ':'].map((before) => Buffer.from(before + secret).toString('base64'))
  return [secret, encodeURIComponent(secret), ...encoded, Buffer.from(secret).toString('hex')]
}

/** @returns the secrets that a text contains, each with the text around it */
export function found(text: string, wanted: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(wanted).flatMap(([name, secret]) => {
    const at = encodings(secret)
      .map((spelling) => text.indexOf(spelling))
      .find((index) => index >= 0)
    return at === undefined ? [] : [`${name}: …${text.slice(Math.max(0, at - 80), at + 80)}…`]
  })
}
