import './status-mark.css'

export type Tone = 'good' | 'warn' | 'bad' | 'quiet'

/** A state in a word and a colour, and a sign for whoever sees no colours. */
export function StatusMark({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`status-mark ${tone}`}>
      <span aria-hidden="true">{signs[tone]}</span> {children}
    </span>
  )
}

const signs = { good: '●', warn: '▲', bad: '■', quiet: '○' } as const
