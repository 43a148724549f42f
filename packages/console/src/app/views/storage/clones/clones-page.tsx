import { CloneFile } from './clone-file.tsx'
import { SplitLoads } from './split-loads.tsx'
import { SplitStatus } from './split-status.tsx'
import { TokensSection } from './tokens-section.tsx'

/** What clones may still cost the nodes, who has reserved it, and the splits that go on. */
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
