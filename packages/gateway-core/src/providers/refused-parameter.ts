import { ProviderFailure } from './provider-error.ts'

/**
 * Creates the error for a parameter that the upstream does not support. The client gets a 400 with the code
 * `unsupported_parameter`.
 */
export const unsupportedParameter = (
  param: string,
  message = `'${param}' is not supported with this model.`,
): ProviderFailure => new ProviderFailure({ type: 'unsupported', param, message })

/**
 * Creates the error for a parameter whose value cannot be translated. The client gets a 400 with the code
 * `invalid_value`.
 */
export const invalidParameter = (param: string, message: string): ProviderFailure =>
  new ProviderFailure({
    type: 'refused',
    status: 400,
    upstreamType: 'invalid_request_error',
    code: 'invalid_value',
    param,
    message,
  })
