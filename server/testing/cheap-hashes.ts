import { setHashCost } from '../core/auth/passwords.ts'

export const cheapHashCost = { memoryCost: 64, timeCost: 1 }

// Hashing a password takes 12 ms of processor time at the usual cost. Files that test hashes call `setHashCost()`.
setHashCost(cheapHashCost)
