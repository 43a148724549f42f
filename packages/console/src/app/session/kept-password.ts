const NAME = 'trivium.admin-password'

/** The password in the session storage, for as long as the tab is open. */
export const keptPassword = {
  read: (): string | undefined => sessionStorage.getItem(NAME) ?? undefined,
  keep: (password: string): void => sessionStorage.setItem(NAME, password),
  forget: (): void => sessionStorage.removeItem(NAME),
}
