import { ProviderFailure } from '../../providers/provider-error.ts'

/** The dialect of an upstream cannot carry the request. An upstream of another dialect may. */
export class TranslationFailure extends ProviderFailure {}

/** Calls a translation of a request. */
export function translating<Value>(translate: () => Value): Value {
  try {
    return translate()
  } catch (thrown) {
    throw ProviderFailure.is(thrown) ? new TranslationFailure(thrown.error) : thrown
  }
}
