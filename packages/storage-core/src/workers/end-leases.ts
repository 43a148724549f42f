import type { StorageRepositories } from '../storage-repositories.ts'
import type { Worker } from './worker.ts'

export interface EndLeasesOptions {
  readonly repositories: Pick<StorageRepositories, 'jobs' | 'splits' | 'webhooks' | 'digests'>
  readonly worker: Worker
  readonly now: () => Date
}

/** Ends the leases of processes that have certainly ended, so that their jobs, splits, webhooks and digests can be claimed. */
export async function endLeases({ repositories, worker, now }: EndLeasesOptions): Promise<void> {
  const { jobs, splits, webhooks, digests } = repositories
  for (const repository of [jobs, splits, webhooks, digests]) {
    for (const owner of await repository.owners(now())) {
      if (await worker.hasEnded(owner)) await repository.endLeases(owner, now())
    }
  }
}
