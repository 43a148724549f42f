import { formatBytes, formatNumber } from '../components/format.ts'
import { Section } from '../shell/view.tsx'
import { AmountUse } from './amount-use.tsx'
import type { OwnQuota } from './read-own-quotas.ts'
import { Sharers } from './sharers.tsx'

export interface QuotaSectionProps {
  readonly title: string
  readonly quota: OwnQuota
}

/** Shows one quota: what is used of it, and by whom else. */
export function QuotaSection({ title, quota: { type, space, files, own, shared_with: shared } }: QuotaSectionProps) {
  return (
    <Section title={title}>
      {space && <AmountUse name="Space" amount={space} format={formatBytes} />}
      {files && <AmountUse name="Files" amount={files} format={formatNumber} />}
      <Sharers isTree={type !== 'user'} place={title} own={own} shared={shared} />
    </Section>
  )
}
