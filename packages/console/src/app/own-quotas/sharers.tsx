import { formatBytes, formatNumber } from '../components/format.ts'
import { Table } from '../components/table.tsx'
import { principalName } from '../views/storage/target-name.ts'
import type { OwnUse, SharedWith } from './read-own-quotas.ts'

export interface SharersProps {
  /** Whether the quota is that of a qtree, with the use of each user, and not of named users. */
  readonly isTree: boolean
  readonly place: string
  /** What the user owns of the files in a qtree. */
  readonly own: OwnUse | undefined
  readonly shared: SharedWith | undefined
}

const MOST_SHOWN = 10

/** Shows whose files count towards the same limit, the largest use first. */
export function Sharers({ isTree, place, own, shared }: SharersProps) {
  if (!shared) return <p className="quiet">The other users are being counted.</p>
  const { num_users: count, users } = shared
  const shown = users.slice(0, MOST_SHOWN)
  const rest = count - shown.length
  if (count === 0) return <p className="quiet">{isTree ? 'No one else has files in it.' : 'Only your files count.'}</p>
  if (!isTree)
    return (
      <p>
        Shared with {shown.map(principalName).join(', ')}
        {rest > 0 && ` and ${formatNumber(rest)} more`}.
      </p>
    )
  return (
    <>
      {own && (
        <p>
          Your part: {formatBytes(own.space.used.total)}
          {own.files && ` in ${formatNumber(own.files.used.total)} ${own.files.used.total === 1 ? 'file' : 'files'}`}.
        </p>
      )}
      <h3>Others who share it</h3>
      <Table
        caption={`Others who share ${place}`}
        rows={shown}
        rowKey={principalName}
        isSlim
        columns={[
          { header: 'User', isName: true, cell: principalName },
          { header: 'Space', align: 'end', cell: ({ space }) => space && formatBytes(space.used.total) },
          { header: 'Files', align: 'end', cell: ({ files }) => files && formatNumber(files.used.total) },
        ]}
      />
      {rest > 0 && <p className="quiet">and {formatNumber(rest)} more</p>}
    </>
  )
}
