import { CloneFile } from './clone-file.tsx'
import { SplitLoads } from './split-loads.tsx'
import { SplitStatus } from './split-status.tsx'
import { SplitsSection } from './splits-section.tsx'
import { TokensSection } from './tokens-section.tsx'

/** Shows the split load of the nodes, splits and clone tokens, and clones and splits files. */
export function ClonesPage() {
  return (
    <>
      <div className="tiles">
        <SplitLoads />
        <SplitStatus />
      </div>
      <TokensSection />
      <SplitsSection />
      <CloneFile />
    </>
  )
}
