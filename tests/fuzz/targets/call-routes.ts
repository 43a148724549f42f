import { fetchHandler } from '@trivium/fetch-adapter'
import type { Route } from '@trivium/http-contract'

export const ADMIN = `Basic ${btoa('admin:secret')}`

export type CallRoutes = (method: string, path: string, body?: unknown) => Promise<unknown>

/** Calls routes as the admin, to create the objects of later requests. @throws where the answer is not a success */
export function callRoutes(routes: readonly Route[]): CallRoutes {
  const handle = fetchHandler(routes)
  return async (method, path, body) => {
    const response = await handle(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { authorization: ADMIN },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = (await response?.text()) ?? ''
    if (!response?.ok) throw new Error(`${method} ${path}: ${response?.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** Makes ids in order, so that each opening of a target has the same ones. */
export function idSequence(): () => string {
  let count = 0
  return () => {
    count += 1
    return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`
  }
}
