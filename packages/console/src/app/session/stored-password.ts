import { storedSecret } from './stored-secret.ts'

export const storedPassword = storedSecret('trivium.admin-password')
