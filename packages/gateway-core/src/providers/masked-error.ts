import type { ProviderError } from './provider-error.ts'

/** Replaces the secrets in the words of an upstream's error by `***`. */
export function maskedError(error: ProviderError, secrets: readonly string[]): ProviderError {
  if (secrets.length === 0) return error
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
  if (error.type !== 'refused') return { ...error, message: clean(error.message) }
  const { upstreamType, code, param } = error
  return {
    ...error,
    message: clean(error.message),
    ...(upstreamType === undefined ? {} : { upstreamType: clean(upstreamType) }),
    ...(code === undefined ? {} : { code: clean(code) }),
    ...(param === undefined ? {} : { param: clean(param) }),
  }
}
