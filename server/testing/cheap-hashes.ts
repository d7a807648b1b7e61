import { setHashCost } from '../core/auth/passwords.ts'

// Hashing a password takes 12 ms of processor time at the usual cost. Files that test hashes call `setHashCost()`.
setHashCost({ memoryCost: 64, timeCost: 1 })
