import type { Admission } from '@trivium/http-contract'
import type { Promisable } from 'type-fest'
import type { Caller } from '../../caller.ts'

/** Whether the callers of running requests may use the operation `search`, which models do in their name. */
export class SearchRights {
  readonly #decisions = new WeakMap<Caller, () => Promisable<Admission<unknown>>>()

  /** Returns an admission whose caller is asked for later. @param decide decides as for the operation `search` */
  keep(admission: Admission<Caller>, decide: () => Promisable<Admission<unknown>>): Admission<Caller> {
    if (!('caller' in admission)) return admission
    // Callers without a key are shared by requests.
    const caller = { ...admission.caller }
    this.#decisions.set(caller, decide)
    return { ...admission, caller }
  }

  /** Returns the question whether the caller of a request may search. */
  of(caller: Caller): () => Promise<boolean> {
    const decide = this.#decisions.get(caller)
    // The caller is kept with the record of a long stream.
    this.#decisions.delete(caller)
    return async () => (decide ? 'caller' in (await decide()) : false)
  }
}
