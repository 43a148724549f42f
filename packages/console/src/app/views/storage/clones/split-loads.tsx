import { formatBytes } from '../../../components/format.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Meter } from '../../../components/meter.tsx'
import { Section } from '../../../shell/view.tsx'
import { useSplitLoads } from './use-split-loads.ts'

export function SplitLoads() {
  const loads = useSplitLoads()
  return (
    <Section title="Split load">
      <Loaded query={loads}>
        {(all) =>
          all.map(({ node, load }) => {
            const { current = 0, token_reserved: reserved = 0, maximum = 0, allowable = 0 } = load ?? {}
            return (
              <div key={node?.uuid} className="stack">
                <Meter
                  shape="gauge"
                  label={node?.name ?? ''}
                  value={current + reserved}
                  max={maximum}
                  text={`${formatBytes(allowable)} free of ${formatBytes(maximum)}`}
                />
                <p className="quiet">
                  {formatBytes(reserved)} reserved by tokens, {formatBytes(current)} being split
                </p>
              </div>
            )
          })
        }
      </Loaded>
    </Section>
  )
}
