import type { StorageRepositories } from '../storage-repositories.ts'
import type { Worker } from './worker.ts'

export interface EndLeasesOptions {
  readonly repositories: Pick<StorageRepositories, 'jobs' | 'splits' | 'webhooks'>
  readonly worker: Worker
  readonly now: () => Date
}

/** Ends the leases of processes that have certainly ended, so that their jobs, splits and webhooks can be claimed. */
export async function endLeases({ repositories, worker, now }: EndLeasesOptions): Promise<void> {
  for (const repository of [repositories.jobs, repositories.splits, repositories.webhooks]) {
    for (const owner of await repository.owners(now())) {
      if (await worker.hasEnded(owner)) await repository.endLeases(owner, now())
    }
  }
}
