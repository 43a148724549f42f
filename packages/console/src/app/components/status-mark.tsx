import './status-mark.css'

/** The colour and sign of a state. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet'

/** Shows a state as a word, with a colour and a sign that needs no colour. */
export function StatusMark({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`status-mark ${tone}`}>
      <span aria-hidden="true">{signs[tone]}</span> {children}
    </span>
  )
}

const signs = { good: '●', warn: '▲', bad: '■', quiet: '○' } as const
