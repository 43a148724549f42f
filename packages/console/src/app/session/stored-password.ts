const NAME = 'trivium.admin-password'

/** The password in the session storage, for as long as the tab is open. */
export const storedPassword = {
  read: (): string | undefined => sessionStorage.getItem(NAME) ?? undefined,
  write: (password: string): void => sessionStorage.setItem(NAME, password),
  remove: (): void => sessionStorage.removeItem(NAME),
}
