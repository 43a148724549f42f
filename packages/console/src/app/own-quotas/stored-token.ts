import { storedSecret } from '../session/stored-secret.ts'

export const storedToken = storedSecret('trivium.self-token')
