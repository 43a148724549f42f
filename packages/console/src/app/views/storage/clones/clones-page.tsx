import { CloneFile } from './clone-file.tsx'
import { SplitLoads } from './split-loads.tsx'
import { SplitStatus } from './split-status.tsx'
import { TokensSection } from './tokens-section.tsx'

/** Shows the split load of the nodes, running splits and clone tokens, and clones files. */
export function ClonesPage() {
  return (
    <>
      <div className="tiles">
        <SplitLoads />
        <SplitStatus />
      </div>
      <TokensSection />
      <CloneFile />
    </>
  )
}
