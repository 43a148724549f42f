import { ProviderFailure } from './provider-error.ts'

/**
 * Creates the error for a parameter that the upstream does not support. The client gets a 400 with the code
 * `unsupported_parameter`.
 */
export function unsupportedParameter(param: string, message?: string): ProviderFailure {
  const name = shortName(param)
  return new ProviderFailure({
    type: 'unsupported',
    param: name,
    message:
      message ??
      `'${name}' cannot be sent to this model: its provider has no such field. Remove it or use another model.`,
  })
}

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
    param: shortName(param),
    message,
  })

/** Creates the error for a parameter that is required. The client gets a 400 with the code `missing_required_parameter`. */
export const missingParameter = (param: string): ProviderFailure =>
  new ProviderFailure({
    type: 'refused',
    status: 400,
    upstreamType: 'invalid_request_error',
    code: 'missing_required_parameter',
    param,
    message: `Missing required parameter '${param}'.`,
  })

/** The most characters of a name that are repeated. Clients choose the names of further fields. */
const LONGEST_NAME = 300

/** Cuts the name of a field that a client chose, for an error that repeats it. */
export const shortName = (name: string): string =>
  name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME).toWellFormed()}…`
