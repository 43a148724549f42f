import { type Account, accountKey, accountsOf, type Owner } from './account-keys.ts'

/** `space`: bytes without holes. `files`: files, directories and links. */
export interface Usage {
  readonly space: number
  readonly files: number
}

/** The usage of every qtree, user and group. */
export interface QuotaAccounts {
  charge(owner: Owner, change: Usage): void
  usage(account: Account): Usage
  all(): Iterable<Usage & { readonly account: Account }>
  clear(): void
}

const nothing: Usage = { space: 0, files: 0 }

export function createQuotaAccounts(): QuotaAccounts {
  const counters = new Map<string, Usage & { readonly account: Account }>()
  return {
    charge: (owner, change) => {
      for (const account of accountsOf(owner)) {
        const key = accountKey(account)
        const { space, files } = counters.get(key) ?? nothing
        const changed = { account, space: space + change.space, files: files + change.files }
        if (changed.space === 0 && changed.files === 0) counters.delete(key)
        else counters.set(key, changed)
      }
    },
    usage: (account) => counters.get(accountKey(account)) ?? nothing,
    all: () => counters.values(),
    clear: () => counters.clear(),
  }
}
