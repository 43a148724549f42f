import { ProviderFailure } from './provider-error.ts'

/** The upstream's interface has nothing for what the parameter asks. */
export const unsupportedParameter = (
  param: string,
  message = `'${param}' is not supported with this model.`,
): ProviderFailure => new ProviderFailure({ type: 'unsupported', param, message })

/** The parameter has a form that can not be translated. */
export const invalidParameter = (param: string, message: string): ProviderFailure =>
  new ProviderFailure({
    type: 'refused',
    status: 400,
    upstreamType: 'invalid_request_error',
    code: 'invalid_value',
    param,
    message,
  })
