import { unsupportedParameter } from '@trivium/gateway-core/ports'

/** Returns the values as texts. @throws ProviderFailure where one is not a text */
export const textsIn = (parameter: string, values: readonly unknown[]): readonly string[] =>
  values.map((value) => {
    if (typeof value === 'string') return value
    throw unsupportedParameter(parameter, 'The model reads only texts, not tokens or other values.')
  })
