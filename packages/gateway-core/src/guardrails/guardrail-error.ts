/** Why guardrails let a request not pass. */
export type GuardrailError =
  /** `message` is the guardrail's own. */
  | {
      readonly type: 'guardrail-blocked'
      readonly guardrail: string
      readonly category: string
      readonly message?: string | undefined
    }
  /** A guardrail has not answered. */
  | { readonly type: 'guardrail-failed'; readonly guardrail: string }
  /** The guardrails cannot read what the operation carries. */
  | { readonly type: 'guardrail-unchecked' }
